import { BulkDemand } from './path-estimate.ts';
import type { Paths } from './paths.ts';
import type { SessionConnection } from './session-connection.ts';
import type { SessionStream } from './session-stream.ts';
import { priorities } from './stream-route.ts';
import type { Streams } from './streams.ts';

/** Shorter than a frame lasts. */
const LOOK_AGAIN_MS = 25;

/** Sends what streams have, each over its connection, one frame after the other, as far as the connection lets it. */
export class Sender {
  readonly #streams: Streams;
  readonly #paths: Paths;
  readonly #demand: BulkDemand;
  #isDue = false;
  #again: NodeJS.Timeout | undefined;

  /** `wantBulk`: bulk on the only connection is worth a second one. */
  constructor(streams: Streams, paths: Paths, wantBulk: () => void) {
    this.#streams = streams;
    this.#paths = paths;
    this.#demand = new BulkDemand(wantBulk);
  }

  /** The stream may have something to send. */
  wake(stream: SessionStream): void {
    if (stream.isOpener && !this.#streams.admit(stream)) return;
    if (!stream.isReady) return;
    const connection = this.#choose(stream);
    if (!connection) {
      this.remove(stream);
      return;
    }
    connection.scheduler.add(stream);
    this.soon();
  }

  /** Connections have come or gone. */
  wakeAll(): void {
    for (const stream of this.#streams.listAll()) this.wake(stream);
  }

  remove(stream: SessionStream): void {
    stream.route.readyIn?.remove(stream);
  }

  /** More of it is acknowledged. */
  noteAcknowledged(stream: SessionStream): void {
    if (stream.route.isMoving) this.wake(stream);
  }

  /** The connection for its next bytes; undefined while they wait. */
  #choose(stream: SessionStream): SessionConnection | undefined {
    const { main, bulk } = this.#paths;
    const { route, sending } = stream;
    route.isMoving = false;
    if (!main || route.lost !== undefined) return undefined;
    // Streams have numbers in the order in which they are opened, so openings never overtake each other.
    if (stream.id === 0) return this.#paths.isSettling ? undefined : main;
    const { connection } = route;
    const isOnItsWay = sending.sent > sending.acknowledged;
    // Bulk that was held up for a while is bulk still.
    if (bulk && connection === bulk && isOnItsWay) return bulk;
    const wanted = bulk && main.isReady && stream.priority === priorities.bulk ? bulk : main;
    if (!connection || connection === wanted || !isOnItsWay) return wanted;
    route.isMoving = true;
    // An acknowledgement of little may take a second, but goes with any answer.
    if (connection.pingedAt === undefined) connection.ping(performance.now());
    return undefined;
  }

  hasRoom(stream: SessionStream, bytes: number): boolean {
    const connection = this.#connectionOf(stream);
    if (!connection?.isReady) return false;
    return connection.inFlight + bytes <= connection.estimate.getBound(performance.now());
  }

  getRate(stream: SessionStream): number {
    return this.#connectionOf(stream)?.estimate.rate ?? 0;
  }

  #connectionOf({ route }: SessionStream): SessionConnection | undefined {
    const { main, bulk } = this.#paths;
    return bulk && route.connection === bulk ? bulk : main;
  }

  /** Sends when all that has come by now was looked at: what several streams say then goes in one write. */
  soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.pump();
    });
  }

  #lookAgain(): void {
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      this.pump();
    }, LOOK_AGAIN_MS).unref();
  }

  pump(): void {
    const now = performance.now();
    const { main, bulk } = this.#paths;
    if (main) this.#pump(main, now);
    if (bulk) this.#pump(bulk, now);
  }

  #pump(connection: SessionConnection, now: number): void {
    const { scheduler } = connection;
    while (connection.isReady) {
      const stream = scheduler.peek();
      if (!stream) {
        connection.noteIdle(now);
        break;
      }
      if (!stream.isReady) {
        scheduler.remove(stream);
        continue;
      }
      if (!connection.maySend(stream, now)) {
        if (connection.isGrowing(now)) this.#lookAgain();
        break;
      }
      if (stream.id === 0) this.#streams.number(stream);
      const bytes = connection.send(stream, now);
      scheduler.note(stream, bytes);
      stream.noteSent(bytes, now);
      if (!stream.isReady) continue;
      if (!this.#paths.bulk && stream.priority === priorities.bulk && stream.sending.unsent > 0)
        this.#demand.note(now, connection.roundTrips.shortest);
      const next = this.#choose(stream);
      next?.scheduler.add(stream);
      if (next && next !== connection) this.soon();
    }
    connection.flush();
  }
}
