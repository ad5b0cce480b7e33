/** How much may wait in this server for the connections of HTTP/2, in bytes. */
interface KeptLimits {
  /** Of the bodies that one connection sends and nobody reads: beyond it nothing more is read of it. */
  uploadsOfOne: number;
  /** Of everything, over all connections. */
  inAll: number;
}

const defaults: KeptLimits = { uploadsOfOne: 4 * 2 ** 20, inAll: 256 * 2 ** 20 };
/** Between two looks, in milliseconds. */
const intervalMs = 250;
/** A connection that was held back so long without a pause is cut, as one that sends short pieces is. */
const longestHoldMs = 30_000;

interface Keeping {
  countUploads(): number;
  countAnswers(): number;
  hold(isHeld: boolean): void;
  cut(): void;
}

export interface KeptBytes {
  add(connection: Keeping): void;
  remove(connection: Keeping): void;
  /** Holds back who sends more than is read, and cuts who keeps most where it is too much in all. */
  look(): void;
}

/**
 * Bounds what is kept between nghttp2 and the HTTP server, besides what the device's side counts for each user: a stream
 * keeps little, but a connection has a hundred.
 */
export function createKeptBytes(
  limits: KeptLimits = defaults,
  now: () => number = () => performance.now(),
): KeptBytes {
  const heldSince = new Map<Keeping, number | undefined>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    const kept: { connection: Keeping; bytes: number }[] = [];
    for (const [connection, since] of heldSince) {
      const uploads = connection.countUploads();
      const isHeld = uploads > limits.uploadsOfOne;
      connection.hold(isHeld);
      heldSince.set(connection, isHeld ? (since ?? now()) : undefined);
      if (isHeld && since !== undefined && now() - since > longestHoldMs) connection.cut();
      else kept.push({ connection, bytes: uploads + connection.countAnswers() });
    }
    let sum = kept.reduce((total, { bytes }) => total + bytes, 0);
    for (const { connection, bytes } of kept.toSorted((one, other) => other.bytes - one.bytes)) {
      if (sum <= limits.inAll) break;
      sum -= bytes;
      connection.cut();
    }
  }

  return {
    look,
    add(connection) {
      heldSince.set(connection, undefined);
      timer ??= setInterval(look, intervalMs).unref();
    },
    remove(connection) {
      heldSince.delete(connection);
      if (heldSince.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
