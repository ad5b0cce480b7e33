import { Scheduler } from './scheduler.ts';
import type { SessionConnection } from './session-connection.ts';
import type { SessionStream } from './session-stream.ts';
import type { Streams } from './streams.ts';

/** Sends what streams have, one frame after the other, as far as the connection lets it. */
export class Sender {
  /** The one to send over; undefined while there is none. */
  connection: SessionConnection | undefined;
  readonly #streams: Streams;
  readonly #scheduler = new Scheduler();
  #isDue = false;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** The stream may have something to send. */
  wake(stream: SessionStream): void {
    if (stream.isOpener && !this.#streams.admit(stream)) return;
    if (!stream.isReady) return;
    this.#scheduler.add(stream);
    this.soon();
  }

  remove(stream: SessionStream): void {
    this.#scheduler.remove(stream);
  }

  /** Whether so many bytes more would leave at once. */
  hasRoom(bytes: number): boolean {
    const { connection } = this;
    if (!connection?.isReady) return false;
    return connection.inFlight + bytes <= connection.estimate.getBound(performance.now());
  }

  /** Bytes a millisecond that the connection carries; 0 until that was measured. */
  get rate(): number {
    return this.connection?.estimate.rate ?? 0;
  }

  /** Sends when all of this turn has been said. */
  soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    process.nextTick(() => {
      this.#isDue = false;
      this.pump();
    });
  }

  pump(): void {
    const { connection } = this;
    if (!connection) return;
    const now = performance.now();
    while (connection.isReady) {
      const stream = this.#scheduler.peek();
      if (!stream) {
        connection.noteIdle(now);
        break;
      }
      if (!stream.isReady) {
        this.#scheduler.remove(stream);
        continue;
      }
      if (!connection.maySend(stream, now)) break;
      if (stream.id === 0) this.#streams.number(stream);
      const bytes = connection.send(stream, now);
      this.#scheduler.note(stream, bytes);
      stream.noteSent(bytes, now);
      if (stream.isReady) this.#scheduler.add(stream);
    }
    connection.flush();
  }
}
