import type { Duplex, Readable } from 'node:stream';
import { type TrafficKind, trafficKinds } from '@pult/contract';
import type { DeviceConnection } from './device-connection.ts';

/** Bytes of both directions, by what they were for. */
export type Traffic = Record<TrafficKind, number>;

/** What goes through streams; the rest is what the connection itself needs. */
type StreamKind = Exclude<TrafficKind, 'keepalive'>;

function createTraffic(): Traffic {
  return { web: 0, terminal: 0, telemetry: 0, diagnostics: 0, keepalive: 0 };
}

export function addTraffic(sum: Traffic, added: Traffic): void {
  for (const kind of trafficKinds) sum[kind] += added[kind];
}

export class TrafficMeter {
  readonly #connection: Pick<DeviceConnection, 'bytesIn' | 'bytesOut'>;
  /** Of both directions of the connection, when it was taken last. */
  #taken = 0;
  #streams = createTraffic();

  constructor(connection: Pick<DeviceConnection, 'bytesIn' | 'bytesOut'>) {
    this.#connection = connection;
  }

  count(kind: StreamKind, bytes: number): void {
    this.#streams[kind] += bytes;
  }

  /**
   * What went since it was taken last: in all exactly what the connection has counted. Streams can have more, where bytes
   * wait to be sent or are compressed on their way: then each has its share of what went.
   */
  take(): Traffic {
    const { bytesIn, bytesOut } = this.#connection;
    // What a destroyed socket still had to send it has not sent.
    const total = Math.max(0, bytesIn + bytesOut - this.#taken);
    this.#taken += total;
    const traffic = this.#streams;
    this.#streams = createTraffic();
    const wanted = traffic.web + traffic.terminal + traffic.telemetry + traffic.diagnostics;
    if (wanted > total) {
      for (const kind of trafficKinds) traffic[kind] = Math.floor((traffic[kind] / wanted) * total);
    }
    traffic.keepalive = total - traffic.web - traffic.terminal - traffic.telemetry - traffic.diagnostics;
    return traffic;
  }
}

function lengthOf(chunk: Buffer | string, encoding: BufferEncoding | undefined): number {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
}

/** Of whatever stream, at the two places that all bytes pass once; nothing is copied and no stream is put between. */
function countRead(stream: Readable, count: (bytes: number) => void): void {
  const { push } = stream;
  stream.push = (chunk: Buffer | string | null, encoding) => {
    if (chunk !== null) count(lengthOf(chunk, encoding));
    return push.call(stream, chunk, encoding);
  };
}

function countWritten(stream: Duplex, count: (bytes: number) => void): void {
  const { _write: write, _writev: writeAll } = stream;
  stream._write = (chunk, encoding, callback) => {
    count(lengthOf(chunk, encoding));
    write.call(stream, chunk, encoding, callback);
  };
  if (!writeAll) return;
  stream._writev = (chunks, callback) => {
    for (const { chunk, encoding } of chunks) count(lengthOf(chunk, encoding));
    writeAll.call(stream, chunks, callback);
  };
}

/**
 * Counts what goes through the connection from now on. In place: whoever has the connection has no other one, and each of
 * many thousand devices has no further object in between.
 */
export function meterTraffic(connection: DeviceConnection): TrafficMeter {
  const meter = new TrafficMeter(connection);
  const { open, openTelemetry, openDiagnostics } = connection;
  connection.open = (endpoint, options) => {
    const stream = open.call(connection, endpoint, options);
    const carried = stream.below ?? stream;
    const kind = options?.traffic ?? (endpoint === 'ssh' ? 'terminal' : 'web');
    const count = (bytes: number) => meter.count(kind, bytes);
    countRead(carried, count);
    countWritten(carried, count);
    return stream;
  };
  if (openTelemetry) {
    connection.openTelemetry = async (since, options) => {
      const stream = await openTelemetry.call(connection, since, options);
      if (!stream.isCounted) countRead(stream, (bytes) => meter.count('telemetry', bytes));
      return stream;
    };
  }
  if (openDiagnostics) {
    connection.openDiagnostics = async (options) => {
      const stream = await openDiagnostics.call(connection, options);
      countRead(stream.body, (bytes) => meter.count('diagnostics', bytes));
      return stream;
    };
  }
  return meter;
}
