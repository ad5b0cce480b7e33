import type { FilesServerMessage, TerminalServerMessage } from '@pult/contract';
import { act } from '@testing-library/react';

/** A WebSocket of the terminal or its files with the server replaced by the test. */
export class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static sockets: FakeSocket[] = [];
  static get last(): FakeSocket {
    const socket = FakeSocket.sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  }

  readonly address: string;
  readyState = FakeSocket.OPEN;
  binaryType = 'blob';
  isClosed = false;
  readonly texts: { type: string; [key: string]: unknown }[] = [];
  readonly bytes: Uint8Array[] = [];

  constructor(address: string) {
    super();
    this.address = address;
    FakeSocket.sockets.push(this);
    queueMicrotask(() => this.dispatchEvent(new Event('open')));
  }
  send(data: string | Uint8Array) {
    if (typeof data === 'string') this.texts.push(JSON.parse(data));
    else this.bytes.push(data);
  }
  close() {
    this.isClosed = true;
  }
  say(message: TerminalServerMessage | FilesServerMessage) {
    act(() => {
      this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
    });
  }
  drop() {
    act(() => {
      this.dispatchEvent(new Event('close'));
    });
  }
}
