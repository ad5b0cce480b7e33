import { type TerminalServerMessage, terminalWindows } from '@pult/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  openTerminalSession,
  parseServerMessage,
  socketAddress,
  type TerminalSession,
} from './terminal-session.ts';

/** The browser's socket with the network replaced by the test. */
class FakeSocket extends EventTarget {
  readyState: number = WebSocket.OPEN;
  binaryType = 'blob';
  sent: unknown[] = [];
  close = vi.fn(() => {
    this.readyState = WebSocket.CLOSED;
  });
  send(data: unknown) {
    this.sent.push(data);
  }
  receive(data: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
  say(message: TerminalServerMessage) {
    this.receive(JSON.stringify(message));
  }
  open() {
    this.dispatchEvent(new Event('open'));
  }
  lose() {
    this.readyState = WebSocket.CLOSED;
    this.dispatchEvent(new Event('close'));
  }
  get texts(): Record<string, unknown>[] {
    return this.sent.flatMap((data) => (typeof data === 'string' ? [JSON.parse(data)] : []));
  }
  get bytes(): string {
    return this.sent
      .flatMap((data) => (data instanceof Uint8Array ? [new TextDecoder().decode(data)] : []))
      .join('');
  }
}

let sessions: TerminalSession[] = [];
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const session of sessions) session.close();
  sessions = [];
  vi.useRealTimers();
});

function start() {
  const sockets: FakeSocket[] = [];
  const acks: (() => void)[] = [];
  const handlers = {
    onMessage: vi.fn(),
    onBytes: vi.fn((_: Uint8Array, done: () => void) => void acks.push(done)),
    onDropped: vi.fn(),
    onLost: vi.fn(),
    onResumed: vi.fn(),
    onControllerLost: vi.fn(),
    onControllerBack: vi.fn(),
  };
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
    () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket; // the parts of it that a session uses
    },
  );
  sessions.push(session);
  const last = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  };
  return { socket: last(), sockets, last, handlers, session, acks };
}

const ready = { type: 'ready', hostKeyFingerprint: 'f', hostKeyIsNew: false, resumeToken: 'token' } as const;

function startShell() {
  const made = start();
  made.socket.open();
  made.socket.say(ready);
  return made;
}

/** The next connection is there, and the server knows the shell. */
function comeBack({ last }: Pick<ReturnType<typeof start>, 'last'>, received: number) {
  vi.advanceTimersByTime(1_000);
  last().open();
  last().say({ type: 'resumed', received });
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
    const { socket, handlers, session } = startShell();
    socket.sent = [];
    socket.receive(new Uint8Array([0xff, 0x00, 0xd0]).buffer);
    expect(handlers.onBytes.mock.calls[0]?.[0]).toEqual(new Uint8Array([0xff, 0x00, 0xd0]));
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
    expect(socketAddress({ protocol: 'https:', host: 'a.example' })).toBe(
      'wss://a.example/api/v1/ssh-terminal/',
    );
    expect(socketAddress({ protocol: 'http:', host: 'localhost:8080' })).toMatch(/^ws:\/\/localhost:8080\//);
  });
});

const encode = (text: string) => new TextEncoder().encode(text);

describe('a lost connection', () => {
  it('a lost connection is sought again for a minute, then given up once', () => {
    const { socket, sockets, handlers, last } = startShell();
    const begun = Date.now();
    socket.lose();
    expect(handlers.onLost).toHaveBeenCalledExactlyOnceWith(begun + 60_000);
    for (let second = 0; second < 70; second += 1) {
      vi.advanceTimersByTime(1_000);
      if (last().readyState === WebSocket.OPEN) last().lose();
    }
    expect(sockets.length).toBeGreaterThan(15);
    expect(handlers.onLost).toHaveBeenCalledTimes(1);
    expect(handlers.onDropped).toHaveBeenCalledTimes(1);
    expect(Date.now() - begun).toBeGreaterThan(50_000);
  });

  it('a lost connection is continued by the token, from the byte after the last one that came', () => {
    const made = startShell();
    made.socket.receive(encode('abc').buffer);
    made.socket.lose();
    made.session.resize({ columns: 100, rows: 30 });
    vi.advanceTimersByTime(1_000);
    made.last().open();
    expect(made.last().texts).toEqual([
      { type: 'resume', resumeToken: 'token', received: 3, columns: 100, rows: 30 },
    ]);
    made.last().say({ type: 'resumed', received: 0 });
    expect(made.handlers.onResumed).toHaveBeenCalledTimes(1);
    expect(made.handlers.onDropped).not.toHaveBeenCalled();
  });

  it('sends again what the server has not got, and nothing twice', () => {
    const made = startShell();
    for (const text of ['one ', 'two ', 'three ']) made.session.sendBytes(encode(text));
    made.socket.say({ type: 'ackInput', position: 4 });
    made.socket.lose();
    comeBack(made, 8);
    expect(made.last().bytes).toBe('three ');
    made.session.sendBytes(encode('four'));
    expect(made.last().bytes).toBe('three four');
  });

  it('takes nothing that is typed blindly', () => {
    const made = startShell();
    made.socket.lose();
    made.session.sendBytes(encode('reboot\r'));
    comeBack(made, 0);
    expect(made.last().bytes).toBe('');
  });

  it('a lost connection that was lost before the shell came is told at once', () => {
    const { socket, handlers, sockets } = start();
    socket.open();
    socket.lose();
    expect(handlers.onDropped).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(sockets).toHaveLength(1);
  });

  it('a lost connection is noticed by silence', () => {
    const { handlers, sockets } = startShell();
    vi.advanceTimersByTime(34_000);
    expect(handlers.onLost).not.toHaveBeenCalled();
    vi.advanceTimersByTime(7_000);
    expect(handlers.onLost).toHaveBeenCalledTimes(1);
    expect(sockets.length).toBeGreaterThan(1);
  });

  it('a lost connection is not assumed while the server gives signs of life for an hour', () => {
    const { handlers, socket, sockets } = startShell();
    for (let passed = 0; passed < 3600; passed += 15) {
      vi.advanceTimersByTime(15_000);
      socket.say({ type: 'alive' });
    }
    expect(handlers.onLost).not.toHaveBeenCalled();
    expect(sockets).toHaveLength(1);
  });

  it('a lost connection is replaced at once when the browser finds another network', () => {
    const made = startShell();
    window.dispatchEvent(new Event('online'));
    expect(made.sockets).toHaveLength(2);
    made.last().open();
    made.last().say({ type: 'resumed', received: 0 });
    // The page need not even tell.
    expect(made.handlers.onLost).not.toHaveBeenCalled();
    made.session.sendBytes(encode('x'));
    expect(made.last().bytes).toBe('x');
  });

  it('ends with the server’s word when the shell is gone', () => {
    const made = startShell();
    made.socket.lose();
    vi.advanceTimersByTime(1_000);
    made.last().open();
    made.last().say({ type: 'failed', code: 'session_gone', detail: '' });
    expect(made.handlers.onMessage).toHaveBeenLastCalledWith(
      expect.objectContaining({ code: 'session_gone' }),
    );
    vi.advanceTimersByTime(60_000);
    expect(made.sockets).toHaveLength(2);
    expect(made.handlers.onDropped).not.toHaveBeenCalled();
  });
});

describe('a controller that is away', () => {
  it('a controller that is away is waited for until the time the server gives; what is typed is not taken', () => {
    const { socket, session, handlers } = startShell();
    socket.say({ type: 'controllerLost', remainingMs: 90_000 });
    expect(handlers.onControllerLost).toHaveBeenCalledExactlyOnceWith(Date.now() + 90_000);
    session.sendBytes(encode('reboot\r'));
    socket.say({ type: 'controllerBack' });
    expect(handlers.onControllerBack).toHaveBeenCalledTimes(1);
    session.sendBytes(encode('ls\r'));
    expect(socket.bytes).toBe('ls\r');
    expect(handlers.onMessage).toHaveBeenCalledExactlyOnceWith(ready);
  });

  it('a controller that came back while the page had no connection is not waited for', () => {
    const made = startShell();
    made.socket.say({ type: 'controllerLost', remainingMs: 90_000 });
    made.socket.lose();
    comeBack(made, 0);
    expect(made.handlers.onControllerBack).toHaveBeenCalledTimes(1);
    made.session.sendBytes(encode('x'));
    expect(made.last().bytes).toBe('x');
    made.last().say({ type: 'controllerLost', remainingMs: 10_000 });
    expect(made.handlers.onControllerLost).toHaveBeenCalledTimes(2);
  });
});

describe('flow', () => {
  it('confirms what is drawn, not what has only come', () => {
    const { socket, acks } = startShell();
    socket.sent = [];
    socket.receive(new ArrayBuffer(100_000));
    socket.receive(new ArrayBuffer(10));
    vi.advanceTimersByTime(1_000);
    expect(socket.texts).toEqual([]);
    acks[0]?.();
    expect(socket.texts).toEqual([{ type: 'ackOutput', position: 100_000 }]);
    acks[1]?.();
    vi.advanceTimersByTime(100);
    expect(socket.texts.at(-1)).toEqual({ type: 'ackOutput', position: 100_010 });
  });

  it('flow does not hold a shell back because its page is in the background, up to a bound', () => {
    const { socket } = startShell();
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    for (let count = 0; count < 20; count += 1) socket.receive(new ArrayBuffer(1024 * 1024));
    hidden.mockRestore();
    expect(socket.texts.at(-1)).toEqual({ type: 'ackOutput', position: 8 * 1024 * 1024 });
  });

  it('gives a great paste away in pieces, as the device takes them', () => {
    const { socket, session } = startShell();
    const text = 'x'.repeat(1_000_000);
    session.sendBytes(encode(text));
    expect(socket.bytes.length).toBe(terminalWindows.input);
    for (let taken = 0; taken < text.length; taken = socket.bytes.length) {
      expect(socket.bytes.length - taken).toBeLessThanOrEqual(terminalWindows.input);
      socket.say({ type: 'ackInput', position: socket.bytes.length });
    }
    expect(socket.bytes).toBe(text);
  });

  it('says goodbye when the page is left, so that no shell waits for it', () => {
    const { socket, session } = startShell();
    session.close();
    expect(socket.texts.at(-1)).toEqual({ type: 'end' });
    const other = startShell();
    window.dispatchEvent(new Event('pagehide'));
    expect(other.socket.texts.at(-1)).toEqual({ type: 'end' });
  });
});
