import { describe, expect, it, vi } from 'vitest';
import { openTerminalSession, parseServerMessage, terminalAddress } from './terminal-session.ts';

/** The browser's socket with the network replaced by the test. */
class FakeSocket extends EventTarget {
  readyState: number = WebSocket.OPEN;
  binaryType = 'blob';
  sent: unknown[] = [];
  close = vi.fn();
  send(data: unknown) {
    this.sent.push(data);
  }
  receive(data: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

function start() {
  const socket = new FakeSocket();
  const handlers = { onMessage: vi.fn(), onBytes: vi.fn(), onDropped: vi.fn() };
  const session = openTerminalSession(
    {
      type: 'start',
      tunnelKey: 'key',
      username: 'root',
      credential: { method: 'password', password: 'secret' },
      columns: 80,
      rows: 24,
    },
    handlers,
    () => socket as unknown as WebSocket, // the parts of it that a session uses
  );
  return { socket, handlers, session };
}

const exit = JSON.stringify({ type: 'exit', exitCode: 0, signal: null });

describe('a terminal session', () => {
  it('begins with the start message and nothing before it', () => {
    const { socket } = start();
    expect(socket.sent).toEqual([]);
    socket.dispatchEvent(new Event('open'));
    expect(JSON.parse(String(socket.sent[0]))).toMatchObject({
      type: 'start',
      tunnelKey: 'key',
      columns: 80,
    });
  });

  it('passes bytes on untouched, both ways', () => {
    const { socket, handlers, session } = start();
    socket.receive(new Uint8Array([0xff, 0x00, 0xd0]).buffer);
    expect(handlers.onBytes).toHaveBeenCalledWith(new Uint8Array([0xff, 0x00, 0xd0]));
    session.sendBytes(new Uint8Array([1, 2]));
    expect(socket.sent).toEqual([new Uint8Array([1, 2])]);
  });

  it('tells the end once, even when the socket closes after it', () => {
    const { socket, handlers } = start();
    socket.receive(exit);
    socket.dispatchEvent(new Event('close'));
    expect(handlers.onMessage).toHaveBeenCalledTimes(1);
    expect(handlers.onDropped).not.toHaveBeenCalled();
  });

  it('tells a lost connection once', () => {
    const { socket, handlers } = start();
    socket.dispatchEvent(new Event('error'));
    socket.dispatchEvent(new Event('close'));
    expect(handlers.onDropped).toHaveBeenCalledTimes(1);
  });

  it('gives up on a message that the contract does not know', () => {
    const { socket, handlers } = start();
    socket.receive('{"type":"eval","code":"alert(1)"}');
    expect(handlers.onMessage).not.toHaveBeenCalled();
    expect(handlers.onDropped).toHaveBeenCalledTimes(1);
    expect(socket.close).toHaveBeenCalled();
  });

  it('says nothing any more once the page has closed it', () => {
    const { socket, handlers, session } = start();
    session.close();
    socket.receive(exit);
    socket.dispatchEvent(new Event('close'));
    expect(handlers.onMessage).not.toHaveBeenCalled();
    expect(handlers.onDropped).not.toHaveBeenCalled();
  });

  it('reads only JSON of the contract', () => {
    expect(parseServerMessage('not json')).toBeUndefined();
    expect(parseServerMessage(exit)).toMatchObject({ type: 'exit' });
  });

  it('uses a secure socket on a secure page', () => {
    expect(terminalAddress({ protocol: 'https:', host: 'a.example' })).toBe(
      'wss://a.example/api/v1/ssh-terminal/',
    );
    expect(terminalAddress({ protocol: 'http:', host: 'localhost:8080' })).toMatch(
      /^ws:\/\/localhost:8080\//,
    );
  });
});
