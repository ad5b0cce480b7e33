import { formatHeader, frameFlags, frameTypes } from './frames.ts';
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
  /** Much has come since an answer to a ping: its silence would be news. */
  readonly isFed: boolean;
  /** When the last byte came. */
  readonly heardAt: number;
  /** When the ping was sent that waits for its answer. */
  readonly pingedAt: number | undefined;
  ping(now: number): void;
  /** The same where it may wait for what others have to say. */
  pingAtEase(now: number): void;
  /** It is silent for longer than its line explains. True while something else is tried, and it is not yet given up. */
  suspect(now: number): boolean;
}

/** While something is on its way the other end is asked after so much silence, or suspected where it can be left for another. */
const BUSY_SILENCE_MS = 1500;
const BUSY_TIMEOUT_MS = 3500;
/** How often a suspect one is looked at. */
const SUSPECT_LOOK_MS = 250;

/**
 * Asks a silent peer whether it is there, and says so when it is not. Whatever comes counts as life. There is one timer, and it
 * does nothing while something comes. `canSuspect`: this end can have another connection, so it asks twice as early.
 */
export class Liveness {
  readonly #connection: WatchedConnection;
  readonly #roundTrips: RoundTrips;
  readonly #intervalMs: number;
  readonly #timeoutMs: number;
  readonly #canSuspect: boolean;
  readonly #onDead: () => void;
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #busySince: number | undefined;

  constructor(
    connection: WatchedConnection,
    roundTrips: RoundTrips,
    options: LivenessOptions & { canSuspect?: boolean },
    onDead: () => void,
  ) {
    this.#connection = connection;
    this.#roundTrips = roundTrips;
    this.#intervalMs = options.pingIntervalMs ?? 40_000;
    this.#timeoutMs = options.pingTimeoutMs ?? 5_000;
    this.#canSuspect = options.canSuspect ?? false;
    this.#onDead = onDead;
  }

  start(): void {
    this.#check(performance.now());
  }

  /** Much has come. */
  onProgress(now: number): void {
    if (this.#canSuspect) this.noteBusy(now);
  }

  /** Something is to be acknowledged. */
  noteBusy(now: number): void {
    if (this.#busySince !== undefined) return;
    this.#busySince = now;
    this.#wakeAt(now + this.#askSilence, now);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#dueAt = Number.NEGATIVE_INFINITY;
  }

  get #busySilence(): number {
    return Math.min(this.#intervalMs, Math.max(BUSY_SILENCE_MS, 3 * (this.#roundTrips.smoothed ?? 0)));
  }

  get #askSilence(): number {
    return this.#canSuspect ? this.#busySilence / 2 : this.#busySilence;
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
    const isBusy = connection.inFlight > 0 || (this.#canSuspect && connection.isFed);
    if (!isBusy) this.#busySince = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
    const { pingedAt, heardAt } = connection;
    const silentSince = Math.max(heardAt, this.#busySince ?? now);
    if (pingedAt !== undefined) {
      this.#await(pingedAt, now, isBusy ? silentSince : undefined);
      return;
    }
    const askAt = isBusy ? silentSince + this.#askSilence : heardAt + this.#intervalMs;
    if (now < askAt) {
      this.#wakeAt(askAt, now);
      return;
    }
    if (isBusy) connection.ping(now);
    else connection.pingAtEase(now);
    this.#check(now);
  }

  /** A ping waits for its answer; `busySilentSince` where more does. */
  #await(pingedAt: number, now: number, busySilentSince: number | undefined): void {
    const connection = this.#connection;
    const isBusy = busySilentSince !== undefined;
    const timeoutMs = Math.min(this.#timeoutMs, isBusy ? BUSY_TIMEOUT_MS : this.#timeoutMs);
    const patienceMs = Math.max(timeoutMs, 4 * (this.#roundTrips.smoothed ?? 0));
    const deadAt = Math.max(pingedAt, connection.heardAt) + patienceMs;
    if (isBusy && this.#canSuspect) {
      const suspectAt = busySilentSince + this.#busySilence;
      if (now < suspectAt) this.#wakeAt(suspectAt, now);
      else {
        const isTried = connection.suspect(now);
        if (connection.isClosed) return;
        this.#wakeAt(now + SUSPECT_LOOK_MS, now);
        if (isTried) return;
      }
    }
    if (now >= deadAt) this.#onDead();
    else this.#wakeAt(deadAt, now);
  }
}

/** The pings of one connection, of which one waits for its answer. */
export class Pings {
  #number = 0;
  /** When the ping was sent that waits for its answer. */
  sentAt: number | undefined;

  /** The next one. */
  send(now: number): Buffer {
    this.sentAt = now;
    this.#number = (this.#number + 1) >>> 0;
    return formatHeader(frameTypes.ping, 0, 0, this.#number);
  }

  /** The round trip in milliseconds; undefined for an answer to nothing. */
  takeAnswer(number: number, now: number): number | undefined {
    if (this.sentAt === undefined || number !== this.#number) return undefined;
    const roundTripMs = now - this.sentAt;
    this.sentAt = undefined;
    return roundTripMs;
  }
}

export function formatPong(number: number): Buffer {
  return formatHeader(frameTypes.ping, frameFlags.answer, 0, number);
}
