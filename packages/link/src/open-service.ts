import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
} from 'node:http2';
import type { Duplex, Readable } from 'node:stream';
import { cutStream } from './cut-stream.ts';
import { cleanReason, ServiceError, type ServiceErrorCode } from './link-error.ts';
import type { LinkSession } from './link-session.ts';
import type { ServiceName } from './service-name.ts';
import { ServiceStream } from './service-stream.ts';

const MAX_REASON_BYTES = 1024;

const errorCodes: Record<number, ServiceErrorCode> = {
  403: 'service_not_allowed',
  404: 'service_unknown',
  502: 'service_refused',
  504: 'service_timeout',
};

/** Sends CONNECT and waits for the device's answer. */
export function openServiceStream(
  session: ClientHttp2Session,
  link: LinkSession,
  name: ServiceName,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Duplex> {
  const headers = { ':method': 'CONNECT', ':authority': name };
  return openStream(session, link, headers, timeoutMs, signal);
}

/** Sends the request for telemetry and waits for the device's answer; only its reading end is of use. */
export async function openTelemetryStream(
  session: ClientHttp2Session,
  link: LinkSession,
  path: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const stream = await openStream(session, link, { ':method': 'GET', ':path': path }, timeoutMs, signal);
  return stream.end();
}

/** Sends a request and waits for its answer's head; `onTrailers` is told what comes after the last byte, before the end. */
export function openStream(
  session: ClientHttp2Session,
  link: LinkSession,
  request: OutgoingHttpHeaders,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  onTrailers?: (trailers: IncomingHttpHeaders) => void,
): Promise<Duplex> {
  if (link.isClosing()) return Promise.reject(link.describeCut(undefined));
  // Node would end a GET by itself, and ServiceStream does not know.
  const stream = session.request(request, { endStream: false });
  link.track(stream);
  if (onTrailers) stream.once('trailers', onTrailers);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      settle();
      cutStream(stream);
      reject(error);
    };
    const onAbort = () => fail(signal?.reason);
    const timer = setTimeout(
      () => fail(new ServiceError('service_timeout', 'the device did not answer')),
      timeoutMs,
    );
    let cause: Error | undefined;
    const onError = (error: Error) => {
      cause = error;
    };
    const onClose = () => fail(link.describeCut(cause));
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      stream.off('close', onClose);
    };
    stream.on('error', onError);
    stream.on('close', onClose);
    signal?.addEventListener('abort', onAbort, { once: true });
    stream.once('response', (headers) => {
      const status = headers[':status'] ?? 0;
      if (status === 200) {
        settle();
        resolve(new ServiceStream(stream, link.describeCut));
        return;
      }
      readReason(stream, (reason) =>
        fail(new ServiceError(errorCodes[status] ?? 'service_refused', reason || `status ${status}`)),
      );
    });
  });
}

/** Calls back with the first kilobyte of the body, or less when the stream ends before. */
function readReason(stream: ClientHttp2Stream, done: (reason: string) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = () => {
    stream.off('data', onData);
    stream.off('end', finish);
    done(cleanReason(Buffer.concat(chunks).subarray(0, MAX_REASON_BYTES).toString('utf8')));
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_REASON_BYTES) finish();
  };
  stream.on('data', onData);
  stream.on('end', finish);
}
