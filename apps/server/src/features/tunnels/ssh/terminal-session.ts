import type { Readable } from 'node:stream';
import { type TerminalServerMessage, terminalWindows } from '@pult/contract';
import type { WebSocket } from 'ws';
import { type ChargePieces, smallBytes } from '../../../platform/client-brake.ts';
import { createPendingOutput } from './pending-output.ts';
import type { Shell, Size } from './shell.ts';

/** Time a browser has for its side of a close. */
const closeTimeout = 1_000;
/** A page sends no more input than its window before the device has taken some; this is four times as much. */
const maxInput = terminalWindows.input * 4;
/** Each is a packet that we encrypt or decrypt, and costs as much as so many pieces that are only passed on. */
const piecesOfPacket = 4;

export interface TerminalSessionOptions {
  /** How long the shell waits for another connection, in milliseconds. */
  resumeMs: number;
  /** Between two signs of life. */
  aliveMs: number;
  /** For how many milliseconds a controller that is away will still be waited for; undefined while it is there. */
  getControllerWait: () => number | undefined;
  /** What a connection is told that has lost the shell to another one. */
  takenOver: TerminalServerMessage;
  /** It has lost its connection and waits. */
  onDetached: () => void;
  /** It is over, and nothing of it is left to be resumed. */
  onGone: () => void;
  /** Short pieces of input or output: for how many milliseconds no more is to be read. */
  charge: ChargePieces;
  /** Brings the packets of its output. */
  device: Readable;
}

/** A shell and the connection that shows it now, which may be the second or the tenth. */
export interface TerminalSession {
  /** The shell it is about, as soon as there is one to answer its questions. */
  opening(shell: Shell): void;
  readonly shell: Shell | undefined;
  /** From here on a lost connection leaves the shell waiting. */
  ready(message: Extract<TerminalServerMessage, { type: 'ready' }>): void;
  send(message: TerminalServerMessage): void;
  /** Its controller is away, or back. */
  tellController(): void;
  /** As ShellOptions.onOutput. */
  output(chunk: Buffer, done: () => void): boolean;
  /** False when the page breaks the rules of its window. */
  input(chunk: Buffer): boolean;
  ackOutput(position: number): boolean;
  resize(size: Size): void;
  isShownBy(webSocket: WebSocket): boolean;
  /** Continues at `received` on another connection and leaves the one before. False when that is not possible. */
  resume(webSocket: WebSocket, received: number, size: Size): boolean;
  /** The shell has ended by itself: a connection that is lost in this moment may still ask how. */
  finish(message: TerminalServerMessage): void;
  /** Ends everything at once; whoever is connected is told why. */
  cut(message?: TerminalServerMessage): void;
}

function say(webSocket: WebSocket, message: TerminalServerMessage): void {
  if (webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(message));
}

/** A browser that does not answer the close holds its place no longer. */
function closeSoon(webSocket: WebSocket): void {
  webSocket.close();
  setTimeout(() => webSocket.terminate(), closeTimeout).unref();
}

/** A page that goes says so. Other codes come from proxies, too, that restart or are at a loss: the shell waits. */
function isMeant(closeCode: number): boolean {
  return closeCode === 1000 || closeCode === 1005;
}

export function createTerminalSession(first: WebSocket, options: TerminalSessionOptions): TerminalSession {
  const pending = createPendingOutput(terminalWindows.output);
  let shown: WebSocket | undefined;
  let shell: Shell | undefined;
  let isReady = false;
  let last: TerminalServerMessage | undefined;
  let isGone = false;
  const arrived = { accepted: 0, acked: 0, isAckSent: true };
  let expiry: NodeJS.Timeout | undefined;
  let hasAnswered = true;

  /** The page is not read for a while. */
  function hold(milliseconds: number): void {
    const held = shown;
    if (milliseconds === 0 || !held || held.isPaused) return;
    held.pause();
    setTimeout(() => held.resume(), milliseconds).unref();
  }

  /** Nor is the device, before its packets are decrypted: a channel would still take all that its window lets it. */
  function holdDevice(milliseconds: number): void {
    const { device } = options;
    if (milliseconds === 0 || device.isPaused()) return;
    device.pause();
    setTimeout(() => device.resume(), milliseconds).unref();
  }

  const heartbeat = setInterval(() => {
    if (!shown) return;
    if (!hasAnswered) return shown.terminate();
    hasAnswered = false;
    shown.ping();
    say(shown, { type: 'alive' });
  }, options.aliveMs);
  heartbeat.unref();

  function leave(): void {
    if (isGone) return;
    isGone = true;
    clearTimeout(expiry);
    clearInterval(heartbeat);
    shell?.close();
    options.onGone();
  }

  function show(webSocket: WebSocket): void {
    shown = webSocket;
    hasAnswered = true;
    clearTimeout(expiry);
    webSocket.on('pong', () => {
      if (shown === webSocket) hasAnswered = true;
    });
    // It broke the rules of WebSocket itself; a connection that is merely lost is no error.
    webSocket.on('error', () => {
      if (shown === webSocket) leave();
    });
    webSocket.on('close', (code) => {
      if (shown !== webSocket) return;
      shown = undefined;
      if (isGone) return;
      if (!isReady || isMeant(code)) return leave();
      expiry = setTimeout(leave, options.resumeMs);
      expiry.unref();
      options.onDetached();
    });
  }

  function ackInput(): void {
    if (!arrived.isAckSent) return;
    arrived.isAckSent = false;
    // Once for all that is taken in one turn.
    setImmediate(() => {
      arrived.isAckSent = true;
      if (shown) say(shown, { type: 'ackInput', position: arrived.acked });
    });
  }

  function tellLostController(): void {
    const remainingMs = options.getControllerWait();
    if (shown && remainingMs !== undefined) say(shown, { type: 'controllerLost', remainingMs });
  }

  show(first);
  return {
    get shell() {
      return shell;
    },
    opening(opened) {
      shell = opened;
    },
    ready(message) {
      isReady = true;
      if (shown) say(shown, message);
      tellLostController();
    },
    tellController() {
      if (!isReady || last) return;
      if (options.getControllerWait() !== undefined) tellLostController();
      else if (shown) say(shown, { type: 'controllerBack' });
    },
    send(message) {
      if (shown) say(shown, message);
    },
    output(chunk, done) {
      if (chunk.length < smallBytes) holdDevice(options.charge(piecesOfPacket));
      if (shown?.readyState === shown?.OPEN) shown?.send(chunk);
      return pending.add(chunk, done);
    },
    input(chunk) {
      if (chunk.length < smallBytes) hold(options.charge(piecesOfPacket));
      arrived.accepted += chunk.length;
      shell?.write(chunk, () => {
        arrived.acked += chunk.length;
        ackInput();
      });
      return arrived.accepted - arrived.acked <= maxInput;
    },
    ackOutput: (position) => pending.ack(position),
    resize: (size) => shell?.resize(size),
    isShownBy: (webSocket) => shown === webSocket,
    resume(webSocket, received, size) {
      const missed = isGone || !isReady ? undefined : pending.from(received);
      if (!missed) return false;
      const before = shown;
      show(webSocket);
      if (before) {
        say(before, options.takenOver);
        closeSoon(before);
      }
      say(webSocket, { type: 'resumed', received: arrived.accepted });
      for (const chunk of missed) webSocket.send(chunk);
      ackInput();
      if (last) {
        say(webSocket, last);
        webSocket.close();
      } else {
        shell?.resize(size);
        tellLostController();
      }
      return true;
    },
    finish(message) {
      if (isGone) return;
      last = message;
      if (!shown) return;
      say(shown, message);
      shown.close();
    },
    cut(message) {
      if (isGone) return;
      leave();
      if (!shown) return;
      if (message) say(shown, message);
      closeSoon(shown);
    },
  };
}
