import type { SendMark } from './path-estimate.ts';
import type { SessionStream } from './session-stream.ts';

interface SentFrame {
  stream: SessionStream;
  /** Its offset behind the frame. */
  end: number;
  /** Bytes of frames of data written to the connection with it. */
  wire: number;
  mark: SendMark;
}

/** What was written to a connection, in order: so that a count of bytes tells how far each stream has come. */
export class SentFrames {
  #frames: SentFrame[] = [];
  #first = 0;
  #sent = 0;
  #acknowledged = 0;

  /** Bytes on their way. */
  get inFlight(): number {
    return this.#sent - this.#acknowledged;
  }

  add(stream: SessionStream, bytes: number, mark: SendMark): void {
    this.#sent += bytes;
    this.#frames.push({ stream, end: stream.sending.sent, wire: this.#sent, mark });
  }

  /**
   * The other end has so many bytes in all. Returns how many that are more than before, and the mark of the newest frame that
   * is whole among them; null for a number that cannot be.
   */
  acknowledge(
    bytes: number,
    note: (stream: SessionStream) => void,
  ): { more: number; mark: SendMark | undefined } | null {
    const more = bytes - this.#acknowledged;
    if (more < 0 || bytes > this.#sent) return null;
    this.#acknowledged = bytes;
    let mark: SendMark | undefined;
    for (;;) {
      const frame = this.#frames[this.#first];
      if (!frame || frame.wire > bytes) break;
      this.#first += 1;
      mark = frame.mark;
      frame.stream.acknowledge(frame.end);
      note(frame.stream);
    }
    if (this.#first > 256 || this.#first === this.#frames.length) {
      this.#frames.splice(0, this.#first);
      this.#first = 0;
    }
    return { more, mark };
  }

  clear(): void {
    this.#frames = [];
    this.#first = 0;
  }
}
