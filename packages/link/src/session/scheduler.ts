import type { SessionStream } from './session-stream.ts';
import { priorities } from './stream-route.ts';

/** One in so many bytes goes to a class that waits behind others. */
const SHARE = 20;
const SHARE_FRAME = 1400;

/** Which stream of a connection sends next: the most urgent class, in it one after the other, and a twentieth for those that would starve. */
export class Scheduler {
  /** By their classes. Made when there is one: of many thousand links hardly one sends. */
  readonly #ready: (Set<SessionStream> | undefined)[] = Object.values(priorities).map(() => undefined);
  /** Bytes that others have sent while this class waited. */
  readonly #waited: number[] = Object.values(priorities).map(() => 0);

  add(stream: SessionStream): void {
    const { priority, route } = stream;
    if (route.readyIn === this && route.readyAs === priority) return;
    route.readyIn?.remove(stream);
    route.readyIn = this;
    route.readyAs = priority;
    this.#ready[priority] ??= new Set();
    this.#ready[priority]?.add(stream);
  }

  remove(stream: SessionStream): void {
    const { route } = stream;
    if (route.readyIn !== this || route.readyAs === undefined) return;
    const ready = this.#ready[route.readyAs];
    ready?.delete(stream);
    if (ready?.size === 0) this.#waited[route.readyAs] = 0;
    route.readyIn = undefined;
    route.readyAs = undefined;
  }

  /** The stream whose frame is next; undefined when none is ready. */
  peek(): SessionStream | undefined {
    let first: SessionStream | undefined;
    for (let priority = 0; priority < this.#ready.length; priority += 1) {
      const ready = this.#ready[priority];
      if (!ready?.size) continue;
      const [stream] = ready;
      if ((this.#waited[priority] ?? 0) >= SHARE * SHARE_FRAME) return stream;
      first ??= stream;
    }
    return first;
  }

  /** That stream has sent so many bytes: the others of its class have their turn. */
  note(stream: SessionStream, bytes: number): void {
    const sentAs = stream.route.readyAs;
    if (sentAs === undefined) return;
    for (let priority = 0; priority < this.#ready.length; priority += 1) {
      if (priority !== sentAs && this.#ready[priority]?.size) {
        this.#waited[priority] = (this.#waited[priority] ?? 0) + bytes;
      }
    }
    // In bytes, too: a long frame is paid for by a long wait.
    const share = SHARE * bytes;
    this.#waited[sentAs] = Math.max(-share, (this.#waited[sentAs] ?? 0) - share);
    this.remove(stream);
  }
}
