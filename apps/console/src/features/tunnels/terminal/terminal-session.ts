import {
  lifetimes,
  type TerminalClientMessage,
  type TerminalServerMessage,
  terminalPath,
  terminalServerMessage,
  terminalWindows,
} from '@pult/contract';
import { createPendingInput } from './pending-input.ts';
import { createPendingOutput } from './pending-output.ts';

/** What a session tells its page; the rest is between it and the server. */
export type TerminalNews = Extract<TerminalServerMessage, { type: 'ready' | 'prompt' | 'exit' | 'failed' }>;

export interface TerminalSessionHandlers {
  onMessage: (message: TerminalNews) => void;
  /** `ack` is to be called once the bytes are on the screen: until then the shell may be held back. */
  onBytes: (bytes: Uint8Array, ack: () => void) => void;
  /** The connection is lost; until then (by Date.now) others are tried. What is typed meanwhile is not taken. */
  onLost: (until: number) => void;
  onResumed: () => void;
  /** As `onLost`, of the controller's connection to the server: nothing can be done but wait. */
  onControllerLost: (until: number) => void;
  onControllerBack: () => void;
  /** The connection ended, or said something we do not understand, and nothing brings the shell back. */
  onDropped: () => void;
}

type Start = Extract<TerminalClientMessage, { type: 'start' }>;

/** One shell over one WebSocket after the other. After `close` no handler is called any more. */
export interface TerminalSession {
  answer: (answers: string[]) => void;
  resize: (size: Pick<Start, 'columns' | 'rows'>) => void;
  sendBytes: (bytes: Uint8Array<ArrayBuffer>) => void;
  /** While the connection is lost. */
  tryNow: () => void;
  /** Ends the shell, too. */
  close: () => void;
}

/** The server gives a sign of life every 15 s. */
const silence = 35_000;
const connectTimeout = 8_000;
/** Before the tries after a loss; the last one again and again. */
const pauses = [200, 1_000, 2_000, 3_000];

/** Same origin as the page; a page served over TLS may only open `wss:`. */
export function socketAddress(location: Pick<Location, 'protocol' | 'host'>, path = terminalPath): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${path}`;
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
  start: Start,
  handlers: TerminalSessionHandlers,
  createSocket: (address: string) => WebSocket = (address) => new WebSocket(address),
): TerminalSession {
  const { columns, rows } = start;
  let size = { columns, rows };
  let socket: WebSocket;
  /** The server serves this very connection. */
  let isOpen = false;
  let isOver = false;
  let resumeToken: string | undefined;
  let heardAt = Date.now();
  let lostUntil: number | undefined;
  let isControllerLost = false;
  let tries = 0;
  let nextTry: ReturnType<typeof setTimeout> | undefined;

  const send = (message: TerminalClientMessage) => {
    if (isOpen && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const output = createPendingOutput(send);
  const input = createPendingInput(terminalWindows);
  const sendInput = () => {
    if (!isOpen || resumeToken === undefined || socket.readyState !== WebSocket.OPEN) return;
    for (let piece = input.next(); piece; piece = input.next()) socket.send(piece);
  };

  function finish(): void {
    isOver = true;
    isOpen = false;
    clearTimeout(nextTry);
    clearInterval(watch);
    output.stop();
    window.removeEventListener('online', renew);
    window.removeEventListener('pagehide', sayGoodbye);
    socket.close();
  }
  function drop(): void {
    finish();
    handlers.onDropped();
  }

  /** A shell waits for its page; what comes before the shell does not. */
  function lose(lost: WebSocket): void {
    if (isOver || lost !== socket) return;
    isOpen = false;
    socket.close();
    if (resumeToken === undefined) {
      drop();
      return;
    }
    if (lostUntil === undefined) {
      lostUntil = Date.now() + lifetimes.terminalResume * 1000;
      tries = 0;
      handlers.onLost(lostUntil);
    }
    const pause = (pauses[tries] ?? pauses.at(-1) ?? 0) * (0.75 + Math.random() / 2);
    tries += 1;
    clearTimeout(nextTry);
    if (Date.now() + pause > lostUntil) drop();
    else nextTry = setTimeout(connect, pause);
  }

  function findController(): void {
    if (isControllerLost) handlers.onControllerBack();
    isControllerLost = false;
  }

  function receive(message: TerminalServerMessage): void {
    switch (message.type) {
      case 'alive':
        return;
      case 'ackInput':
        input.ack(message.position);
        sendInput();
        return;
      case 'resumed':
        isOpen = true;
        input.continueAt(message.received);
        if (lostUntil !== undefined) handlers.onResumed();
        lostUntil = undefined;
        tries = 0;
        // It may have come back meanwhile; if not, that is told again.
        findController();
        sendInput();
        return;
      case 'controllerLost':
        isControllerLost = true;
        handlers.onControllerLost(Date.now() + message.remainingMs);
        return;
      case 'controllerBack':
        findController();
        return;
      case 'ready':
        ({ resumeToken } = message);
        break;
      case 'failed':
      case 'exit':
        finish();
    }
    handlers.onMessage(message);
  }

  function connect(): void {
    clearTimeout(nextTry);
    const mine = createSocket(socketAddress(window.location));
    socket = mine;
    isOpen = false;
    mine.binaryType = 'arraybuffer';
    const late = setTimeout(() => lose(mine), connectTimeout);
    const isMine = () => !isOver && mine === socket;
    mine.addEventListener('open', () => {
      clearTimeout(late);
      if (!isMine()) {
        mine.close();
        return;
      }
      heardAt = Date.now();
      if (resumeToken === undefined) {
        isOpen = true;
        mine.send(JSON.stringify(start));
      } else {
        const { received } = output;
        mine.send(JSON.stringify({ type: 'resume', resumeToken, received, ...size }));
      }
    });
    mine.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (!isMine()) return;
      heardAt = Date.now();
      if (data instanceof ArrayBuffer) {
        const bytes = new Uint8Array(data);
        handlers.onBytes(bytes, output.arrived(bytes));
        return;
      }
      const message = typeof data === 'string' ? parseServerMessage(data) : undefined;
      if (message) receive(message);
      else drop();
    });
    const end = () => {
      clearTimeout(late);
      lose(mine);
    };
    mine.addEventListener('close', end);
    mine.addEventListener('error', end);
  }

  /** Another network: the connection over the old one may hang for minutes, and the server lets a newer one take over. */
  function renew(): void {
    if (resumeToken === undefined) return;
    const old = socket;
    connect();
    old.close();
  }
  /** The page is gone, and with it what could continue the shell. */
  function sayGoodbye(): void {
    send({ type: 'end' });
  }

  const watch = setInterval(() => {
    if (isOpen && resumeToken !== undefined && Date.now() - heardAt > silence) lose(socket);
  }, 5_000);
  window.addEventListener('online', renew);
  window.addEventListener('pagehide', sayGoodbye);
  connect();

  return {
    answer: (answers) => send({ type: 'answer', answers }),
    resize(changed) {
      size = changed;
      send({ type: 'resize', ...changed });
    },
    sendBytes(bytes) {
      if (isOver || lostUntil !== undefined || isControllerLost || resumeToken === undefined) return;
      input.add(bytes);
      sendInput();
    },
    tryNow() {
      if (!isOver && lostUntil !== undefined) renew();
    },
    close() {
      if (isOver) return;
      sayGoodbye();
      finish();
    },
  };
}
