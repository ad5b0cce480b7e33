import {
  type TerminalClientMessage,
  type TerminalServerMessage,
  terminalPath,
  terminalServerMessage,
} from '@pult/contract';

export interface TerminalSessionHandlers {
  onMessage: (message: TerminalServerMessage) => void;
  onBytes: (bytes: Uint8Array) => void;
  /** The connection ended, or said something we do not understand, before the server told how the session ended. */
  onDropped: () => void;
}

/** One shell over one WebSocket. After `close` no handler is called any more. */
export interface TerminalSession {
  send: (message: TerminalClientMessage) => void;
  sendBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
  close: () => void;
}

/** Same origin as the page; a page served over TLS may only open `wss:`. */
export function terminalAddress(location: Pick<Location, 'protocol' | 'host'>): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${terminalPath}`;
}

/** What the server said; undefined when it is not a message of the contract. */
export function parseServerMessage(data: string): TerminalServerMessage | undefined {
  try {
    return terminalServerMessage.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined; // not JSON
  }
}

export function openTerminalSession(
  start: Extract<TerminalClientMessage, { type: 'start' }>,
  handlers: TerminalSessionHandlers,
  createSocket: (address: string) => WebSocket = (address) => new WebSocket(address),
): TerminalSession {
  const socket = createSocket(terminalAddress(window.location));
  socket.binaryType = 'arraybuffer';
  let over = false;

  const finish = () => {
    over = true;
    socket.close();
  };
  const drop = () => {
    if (over) return;
    finish();
    handlers.onDropped();
  };

  socket.addEventListener('open', () => socket.send(JSON.stringify(start)));
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (over) return;
    if (data instanceof ArrayBuffer) return handlers.onBytes(new Uint8Array(data));
    const message = typeof data === 'string' ? parseServerMessage(data) : undefined;
    if (!message) return drop();
    if (message.type === 'failed' || message.type === 'exit') finish();
    handlers.onMessage(message);
  });
  socket.addEventListener('close', drop);
  socket.addEventListener('error', drop);

  const whenOpen = (send: () => void) => {
    if (!over && socket.readyState === WebSocket.OPEN) send();
  };
  return {
    send: (message) => whenOpen(() => socket.send(JSON.stringify(message))),
    sendBytes: (bytes) => whenOpen(() => socket.send(bytes)),
    close: () => {
      if (!over) finish();
    },
  };
}
