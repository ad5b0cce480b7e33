import type { Readable } from 'node:stream';
import type { FrameParser } from './frames.ts';

/**
 * Frames of one peer that are read before others have a turn: some 3 µs each, and a read of 64 kB can hold 5,461. Of honest data it
 * holds 47 at most.
 */
const FRAMES_A_TURN = 256;

/** Gives what a socket has read to the parser, so many frames a turn; meanwhile the socket waits. */
export class BudgetedReader {
  readonly #socket: Readable;
  readonly #parser: Pick<FrameParser, 'read' | 'stop'>;
  readonly #onTurn: () => void;
  #isStopped = false;

  /** `onTurn` is called behind each turn, unless it was stopped in it. */
  constructor(socket: Readable, parser: Pick<FrameParser, 'read' | 'stop'>, onTurn: () => void) {
    this.#socket = socket;
    this.#parser = parser;
    this.#onTurn = onTurn;
  }

  read(bytes: Buffer): void {
    const rest = this.#parser.read(bytes, FRAMES_A_TURN);
    if (this.#isStopped) return;
    if (rest) {
      this.#socket.pause();
      setImmediate(() => {
        if (!this.#isStopped) this.read(rest);
      });
    } else if (this.#socket.isPaused()) this.#socket.resume();
    this.#onTurn();
  }

  stop(): void {
    this.#isStopped = true;
    this.#parser.stop();
  }
}
