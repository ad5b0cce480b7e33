import type { RoundTrips } from './path-estimate.ts';

export interface LivenessOptions {
  /** Silence after which an idle peer is pinged; 40 s unless told: proxies forget a connection after 60 s, others sooner. */
  pingIntervalMs?: number | undefined;
  /** Silence after a ping, or four round trips if they are longer, after which it is dead; 5 s unless told. */
  pingTimeoutMs?: number | undefined;
}

/** What is watched of a connection; times are those of `performance.now`. */
interface WatchedConnection {
  readonly isClosed: boolean;
  /** Bytes on their way. */
  readonly inFlight: number;
  /** When the last byte came. */
  readonly heardAt: number;
  /** When the ping was sent that waits for its answer. */
  readonly pingedAt: number | undefined;
  ping(now: number): void;
  /** The same where it may wait for what others have to say. */
  pingAtEase(now: number): void;
}

/** While something is on its way the other end is asked after so much silence. */
const BUSY_SILENCE_MS = 1500;
const BUSY_TIMEOUT_MS = 3500;

/**
 * Asks a silent peer whether it is there, and says so when it is not. Whatever comes counts as life. There is one timer, and it
 * does nothing while something comes.
 */
export class Liveness {
  readonly #connection: WatchedConnection;
  readonly #roundTrips: RoundTrips;
  readonly #intervalMs: number;
  readonly #timeoutMs: number;
  readonly #onDead: () => void;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #busySince: number | undefined;

  constructor(
    connection: WatchedConnection,
    roundTrips: RoundTrips,
    options: LivenessOptions,
    onDead: () => void,
  ) {
    this.#connection = connection;
    this.#roundTrips = roundTrips;
    this.#intervalMs = options.pingIntervalMs ?? 40_000;
    this.#timeoutMs = options.pingTimeoutMs ?? 5_000;
    this.#onDead = onDead;
  }

  start(): void {
    this.#check(performance.now());
  }

  /** Something has been sent that is to be acknowledged. */
  noteBusy(now: number): void {
    if (this.#busySince !== undefined) return;
    this.#busySince = now;
    this.#wakeAt(now + this.#busySilence, now);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Number.NEGATIVE_INFINITY;
  }

  get #busySilence(): number {
    return Math.min(this.#intervalMs, Math.max(BUSY_SILENCE_MS, 3 * (this.#roundTrips.smoothed ?? 0)));
  }

  #wakeAt(at: number, now: number): void {
    if (at >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = at;
    // Not before: a timer fires up to a millisecond early.
    this.#timer = setTimeout(() => this.#check(performance.now()), Math.max(1, Math.ceil(at - now)));
    this.#timer.unref();
  }

  #check(now: number): void {
    const connection = this.#connection;
    if (connection.isClosed) return;
    const isBusy = connection.inFlight > 0;
    if (!isBusy) this.#busySince = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const { pingedAt, heardAt } = connection;
    if (pingedAt !== undefined) {
      const timeoutMs = Math.min(this.#timeoutMs, isBusy ? BUSY_TIMEOUT_MS : this.#timeoutMs);
      const deadAt = Math.max(pingedAt, heardAt) + Math.max(timeoutMs, 4 * (this.#roundTrips.smoothed ?? 0));
      if (now >= deadAt) this.#onDead();
      else this.#wakeAt(deadAt, now);
      return;
    }
    const askAt = isBusy
      ? Math.max(heardAt, this.#busySince ?? now) + this.#busySilence
      : heardAt + this.#intervalMs;
    if (now < askAt) {
      this.#wakeAt(askAt, now);
      return;
    }
    if (isBusy) connection.ping(now);
    else connection.pingAtEase(now);
    this.#check(now);
  }
}
