import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listenOnLoopback } from './listen-on-loopback.ts';

/** A span as it was received. */
export interface ReceivedSpan {
  service: string;
  resource: Record<string, string>;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  /** 2: of who serves; 3: of who asks. */
  kind: number;
  /** Nanoseconds since 1970. */
  start: bigint;
  end: bigint;
  attributes: Record<string, string>;
  isError: boolean;
}

interface ReceivedRequest {
  path: string;
  headers: Readonly<Record<string, unknown>>;
  body: Buffer;
  /** How many spans it brought. */
  spanCount: number;
}

export interface OtlpReceiver extends AsyncDisposable {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** Takes traces as a collector does: OTLP over HTTP in protobuf, read by the numbers of opentelemetry-proto's trace.proto. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      const isTraces = request.headers['content-type'] === 'application/x-protobuf';
      const received = isTraces ? readSpans(body) : [];
      spans.push(...received);
      requests.push({
        path: request.url ?? '',
        headers: request.headers,
        body,
        spanCount: received.length,
      });
      response.writeHead(isTraces ? 200 : 415, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  const port = await listenOnLoopback(server);
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, spans, requests, close, [Symbol.asyncDispose]: close };
}

type Field = { number: number; value: bigint } | { number: number; value: Buffer };

function* readFields(message: Buffer): Generator<Field> {
  let at = 0;
  const readVarint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(readVarint());
    const [number, type] = [tag >> 3, tag & 7];
    if (type === 0) yield { number, value: readVarint() };
    else if (type === 1) {
      yield { number, value: message.readBigUInt64LE(at) };
      at += 8;
    } else if (type === 5) {
      yield { number, value: BigInt(message.readUInt32LE(at)) };
      at += 4;
    } else if (type === 2) {
      const length = Number(readVarint());
      yield { number, value: message.subarray(at, at + length) };
      at += length;
    } else throw new Error(`no wire type of protobuf: ${type}`);
  }
}

const bytesOf = (message: Buffer, wanted: number): Buffer[] =>
  [...readFields(message)].flatMap(({ number, value }) =>
    number === wanted && typeof value !== 'bigint' ? [value] : [],
  );
const numberOf = (message: Buffer, wanted: number): bigint =>
  [...readFields(message)].flatMap(({ number, value }) =>
    number === wanted && typeof value === 'bigint' ? [value] : [],
  )[0] ?? 0n;
const hexOf = (message: Buffer, wanted: number) => bytesOf(message, wanted)[0]?.toString('hex') ?? '';
const textOf = (message: Buffer, wanted: number) => bytesOf(message, wanted)[0]?.toString() ?? '';

function readAttributes(message: Buffer, wanted: number): Record<string, string> {
  return Object.fromEntries(
    bytesOf(message, wanted).map((pair) => {
      const value = bytesOf(pair, 2)[0] ?? Buffer.alloc(0);
      return [textOf(pair, 1), textOf(value, 1) || String(numberOf(value, 3))];
    }),
  );
}

function readSpans(body: Buffer): ReceivedSpan[] {
  return bytesOf(body, 1).flatMap((ofResource) => {
    const resource = readAttributes(bytesOf(ofResource, 1)[0] ?? Buffer.alloc(0), 1);
    const messages = bytesOf(ofResource, 2).flatMap((scope) => bytesOf(scope, 2));
    return messages.map((message) => ({
      service: resource['service.name'] ?? '',
      resource,
      traceId: hexOf(message, 1),
      spanId: hexOf(message, 2),
      parentSpanId: hexOf(message, 4),
      name: textOf(message, 5),
      kind: Number(numberOf(message, 6)),
      start: numberOf(message, 7),
      end: numberOf(message, 8),
      attributes: readAttributes(message, 9),
      isError: bytesOf(message, 15).some((status) => numberOf(status, 3) === 2n),
    }));
  });
}
