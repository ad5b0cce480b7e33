import { formatHeader, formatResume, frameTypes } from './frames.ts';
import { isLongLine, RoundTrips, ShortestRoundTrip } from './path-estimate.ts';
import { type ConnectionHost, type CountedSocket, SessionConnection } from './session-connection.ts';
import type { SessionOptions } from './session-options.ts';
import type { Streams } from './streams.ts';

/** Without bulk for so long the second connection is closed. */
const IDLE_BULK_MS = 30_000;
/** Words of connections that never were here, since the newest came. */
const MAX_UNKNOWN = 8;

/**
 * The connections of a session: the main one that has everything, and a second one for bulk while that is worth it. When one of
 * the two is gone the other carries on what it carried, once both ends have said what they hold (docs/adr/0019).
 */
export class Paths {
  /** Undefined while the session waits. */
  main: SessionConnection | undefined;
  bulk: SessionConnection | undefined;
  #shortest = new ShortestRoundTrip();
  readonly #host: ConnectionHost;
  readonly #streams: Streams;
  readonly #options: SessionOptions;
  /** Numbers of lost connections of which the other end has not said yet what came over them, and where it was asked. */
  readonly #awaited = new Map<number, SessionConnection | undefined>();
  #newest = -1;
  #unknown = 0;
  /** The next one is for the case that those that there are may be dead. */
  #isUrgent = false;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Of connections that are gone. */
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(host: ConnectionHost, streams: Streams, options: SessionOptions) {
    this.#host = host;
    this.#streams = streams;
    this.#options = options;
  }

  list(): SessionConnection[] {
    return [this.main, this.bulk].filter((connection) => connection !== undefined);
  }

  /** Of the slower one in milliseconds; 0 until it was measured. */
  get roundTripMs(): number {
    return Math.max(this.main?.roundTrips.smoothed ?? 0, this.bulk?.roundTrips.smoothed ?? 0);
  }

  get bytesIn(): number {
    return this.list().reduce((sum, { socket }) => sum + (socket.bytesRead ?? 0), this.#bytesIn);
  }

  get bytesOut(): number {
    return this.list().reduce((sum, { socket }) => sum + (socket.bytesWritten ?? 0), this.#bytesOut);
  }

  /** True while it is open what of the streams' bytes has come over a connection that is gone. */
  get isSettling(): boolean {
    return this.#awaited.size > 0;
  }

  /** In place of all others. Undefined for one that a newer one has overtaken. */
  attach(
    socket: CountedSocket,
    isResumed: boolean,
    number = this.#newest + 1,
  ): SessionConnection | undefined {
    if (number <= this.#newest) return undefined;
    this.destroyAll();
    this.#awaited.clear();
    this.#isUrgent = false;
    for (const stream of this.#streams.list()) stream.route.lost = undefined;
    // Another connection may take another way.
    this.#shortest = new ShortestRoundTrip();
    this.main = this.#connect(socket, number, !isResumed);
    if (isResumed) this.#writeResume(this.main);
    return this.main;
  }

  /** For bulk, in place of the one before; for everything where nothing else is left. */
  addBulk(socket: CountedSocket, number = this.#newest + 1): SessionConnection | undefined {
    if (number <= this.#newest) return undefined;
    const before = this.bulk;
    if (before) this.drop(before);
    const connection = this.#connect(socket, number, true);
    if (this.main) {
      this.bulk = connection;
      if (this.#options.dialBulk) this.#watchBulk(connection);
    } else this.main = connection;
    this.failover();
    return connection;
  }

  #connect(socket: CountedSocket, number: number, isReady: boolean): SessionConnection {
    this.#newest = number;
    this.#unknown = 0;
    const roundTrips = new RoundTrips(this.#shortest);
    return new SessionConnection(socket, this.#host, { number, roundTrips, isReady, options: this.#options });
  }

  #watchBulk(connection: SessionConnection): void {
    clearTimeout(this.#idleTimer);
    const idleMs = performance.now() - connection.usedAt;
    if (idleMs >= IDLE_BULK_MS) {
      this.#host.onIdleBulk(connection);
      return;
    }
    this.#idleTimer = setTimeout(
      () => {
        if (connection === this.bulk) this.#watchBulk(connection);
      },
      Math.ceil(IDLE_BULK_MS - idleMs),
    );
    this.#idleTimer.unref();
  }

  /** One is gone; false for one that was so before. Where it was the main one, the other becomes it. */
  leave(connection: SessionConnection): boolean {
    if (connection === this.main) {
      this.main = this.bulk;
      this.bulk = undefined;
    } else if (connection === this.bulk) this.bulk = undefined;
    else return false;
    this.#bytesIn += connection.socket.bytesRead ?? 0;
    this.#bytesOut += connection.socket.bytesWritten ?? 0;
    this.#awaited.set(connection.number, undefined);
    for (const { route, sending } of this.#streams.list()) {
      // Before it was ready nothing was taken up of those before it.
      if (route.connection !== connection && (connection.isReady || route.connection)) continue;
      route.connection = undefined;
      if (sending.sent > sending.acknowledged) route.lost = connection.number;
    }
    return true;
  }

  /**
   * Whether another one lives in place of one that is suspect: it has been heard for as long again. `asked`: that is not known yet.
   */
  findLiving(suspect: SessionConnection, now: number): 'other' | 'asked' | undefined {
    const other = this.list().find((one) => one !== suspect);
    const since = suspect.suspectedAt ?? now;
    const silenceMs = since - suspect.heardAt;
    if (!other || now - other.heardAt >= silenceMs) {
      this.#isUrgent = true;
      return undefined;
    }
    if (other.heardAt > since && now - since >= silenceMs) return 'other';
    if (other.pingedAt === undefined && other.heardAt <= since) other.ping(now);
    return 'asked';
  }

  /** Another one has come, and with it the end of one that is suspect still. True where one has been left. */
  leaveSuspect(): boolean {
    const { main, bulk } = this;
    if (!main || !bulk || !this.#isUrgent) return false;
    this.#isUrgent = false;
    if (main.suspectedAt !== undefined) this.drop(main);
    // It came first, and the new one has nothing to do.
    else if (!isLongLine(this.#shortest.value)) this.drop(bulk);
    else return false;
    return true;
  }

  /** Ends one at once. */
  drop(connection: SessionConnection): void {
    if (this.leave(connection)) connection.destroy();
  }

  destroyAll(): void {
    clearTimeout(this.#idleTimer);
    for (const connection of this.list()) this.drop(connection);
  }

  /** Says over what is left what this end holds of all that was sent over what is gone. */
  failover(): void {
    const { main } = this;
    const living = this.list();
    // Also of those before it: the word of them may have been lost with the last one.
    for (const [number, asked] of this.#awaited) {
      if (!main || (asked && living.includes(asked))) continue;
      this.#awaited.set(number, main);
      this.#writeResume(main, number);
    }
  }

  /** Says what this end holds; `taken` is the number of the connection that is gone, unless all others are. */
  #writeResume(connection: SessionConnection, taken?: number): void {
    if (taken !== undefined) connection.write(formatHeader(frameTypes.take, 0, taken, 0));
    connection.write(formatResume(this.#streams.lastId, this.#streams.listPositions()));
  }

  /** The other end says that a connection is gone. False for what no honest one says. */
  take(connection: SessionConnection, number: number): boolean {
    if (number === connection.number) return false;
    // Both ends have seen it, and the word of this one is on its way.
    if (this.#awaited.get(number) === connection) return true;
    const taken = this.list().find((other) => other.number === number);
    if (taken) {
      this.drop(taken);
      this.failover();
      return true;
    }
    // Where it was said over another connection, that one is gone for the other end, and the word with it.
    if (this.#awaited.has(number)) this.#awaited.set(number, connection);
    else {
      this.#unknown += 1;
      if (this.#unknown > MAX_UNKNOWN) return false;
    }
    this.#writeResume(connection, number);
    return true;
  }

  /** The other end has said what it holds. */
  noteTold(taken: number | undefined): void {
    if (taken === undefined) this.#awaited.clear();
    else this.#awaited.delete(taken);
  }
}
