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

/** Sends CONNECT. The stream is there at once; a refusal of the device is its error. */
export function openServiceStream(
  session: ClientHttp2Session,
  link: LinkSession,
  name: ServiceName,
  timeoutMs: number,
): ServiceStream {
  const headers = { ':method': 'CONNECT', ':authority': name };
  let cancel = () => {};
  const service = new ServiceStream(link, () => cancel());
  cancel = sendRequest(session, link, headers, timeoutMs, {
    onOpen: (stream) => service.attach(stream),
    onFail: (error) => service.destroy(error),
  });
  return service;
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
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = sendRequest(session, link, request, timeoutMs, {
      onTrailers,
      onOpen(stream) {
        signal?.removeEventListener('abort', onAbort);
        const service = new ServiceStream(link);
        service.attach(stream);
        resolve(service);
      },
      onFail(error) {
        signal?.removeEventListener('abort', onAbort);
        reject(error);
      },
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

interface Answers {
  /** The device has said yes. */
  onOpen(stream: ClientHttp2Stream): void;
  /** It has not, in time or at all. */
  onFail(error: Error): void;
  onTrailers?: ((trailers: IncomingHttpHeaders) => void) | undefined;
}

/** Calls one of `onOpen` and `onFail`, unless the returned function gives the request up before. */
function sendRequest(
  session: ClientHttp2Session,
  link: LinkSession,
  request: OutgoingHttpHeaders,
  timeoutMs: number,
  { onOpen, onFail, onTrailers }: Answers,
): () => void {
  if (link.isClosing()) {
    onFail(link.describeCut(undefined));
    return () => {};
  }
  // Node would end a GET by itself, and ServiceStream does not know.
  const stream = session.request(request, { endStream: false });
  link.track(stream);
  if (onTrailers) stream.once('trailers', onTrailers);
  let isSettled = false;
  let cause: Error | undefined;
  const onClose = () => fail(link.describeCut(cause));
  const settle = () => {
    isSettled = true;
    clearTimeout(timer);
    stream.off('close', onClose);
  };
  const cancel = () => {
    if (isSettled) return;
    settle();
    cutStream(stream);
  };
  const fail = (error: Error) => {
    if (isSettled) return;
    cancel();
    onFail(error);
  };
  const timer = setTimeout(
    () => fail(new ServiceError('service_timeout', 'the device did not answer')),
    timeoutMs,
  );
  stream.on('error', (error) => {
    cause = error;
  });
  stream.on('close', onClose);
  stream.once('response', (headers) => {
    if (isSettled) return;
    const status = headers[':status'] ?? 0;
    if (status === 200) {
      settle();
      onOpen(stream);
      return;
    }
    readReason(stream, (reason) =>
      fail(new ServiceError(errorCodes[status] ?? 'service_refused', reason || `status ${status}`)),
    );
  });
  return cancel;
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
