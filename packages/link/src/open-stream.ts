import { once } from 'node:events';
import { UnpackedStream } from './compression/unpacked-stream.ts';
import { cleanReason, ServiceError, type ServiceErrorCode } from './link-error.ts';
import { addTraceParent } from './request-trace.ts';
import {
  type DeviceRequest,
  formatRequest,
  getPriority,
  getRequestName,
  isPackedAnswer,
  parseAnswer,
} from './requests.ts';
import type { Session } from './session/session.ts';
import type { SessionStream } from './session/session-stream.ts';

const errorCodes: Record<number, ServiceErrorCode> = {
  403: 'service_not_allowed',
  404: 'service_unknown',
  502: 'service_refused',
  504: 'service_timeout',
  525: 'service_tls_old',
  526: 'service_tls_failed',
};

/**
 * Sends a request to the device. The stream is there at once, and what is written to it goes with the request; it emits
 * `connect` when the device has accepted, and a refusal is its error. `onPacked` is told before that where blocks follow.
 */
export function openStream(
  session: Session,
  request: DeviceRequest,
  timeoutMs: number,
  onPacked: () => void = () => {},
): SessionStream {
  const trace = session.traceRequest?.(getRequestName(request));
  const plain = formatRequest(request);
  const sent = trace && session.takesTraces ? addTraceParent(plain, trace.traceParent) : plain;
  const stream = session.open(sent, getPriority(request), (line) => {
    clearTimeout(timer);
    const answer = parseAnswer(line);
    const tookMicros = answer?.tookMicros;
    if (answer?.status === 200) {
      trace?.end({ tookMicros });
      if (isPackedAnswer(answer)) onPacked();
      stream.connectNow();
      return;
    }
    const code = errorCodes[answer?.status ?? 0] ?? 'service_refused';
    const error = new ServiceError(code, cleanReason(answer?.reason || line));
    trace?.end({ error, tookMicros });
    stream.destroy(error);
  });
  const timer = setTimeout(() => {
    stream.destroy(new ServiceError('service_timeout', 'the device did not answer'));
  }, timeoutMs);
  stream.once('close', () => {
    clearTimeout(timer);
    trace?.end({ error: stream.errored ?? new ServiceError('service_reset', 'closed without an answer') });
  });
  return stream;
}

/** The same where the device may send blocks, each of which is told to `countPiece`. */
export function openUnpacked(
  session: Session,
  request: DeviceRequest & { mayPack: true },
  timeoutMs: number,
  countPiece: (bytes: number) => void,
): UnpackedStream {
  const below = openStream(session, request, timeoutMs, () => stream.unpack());
  const stream = new UnpackedStream(below, countPiece);
  return stream;
}

/** The same once the device has accepted. Rejects with `ServiceError`, or with the signal's reason. */
export async function openAccepted(
  session: Session,
  request: DeviceRequest,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<SessionStream> {
  signal?.throwIfAborted();
  const stream = openStream(session, request, timeoutMs);
  const onAbort = () => stream.destroy(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await once(stream, 'connect');
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  return stream;
}
