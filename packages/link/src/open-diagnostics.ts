import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2';
import {
  DIAGNOSTICS_PATH,
  type DiagnosticsOutcome,
  type DiagnosticsStream,
  FAILURE_TRAILER,
  SHA256_TRAILER,
} from './diagnostics.ts';
import { cleanReason } from './link-error.ts';
import type { LinkSession } from './link-session.ts';
import { openStream } from './open-service.ts';

/** Sends the request for diagnostics and waits for the head of the answer. */
export async function openDiagnosticsStream(
  session: ClientHttp2Session,
  link: LinkSession,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<DiagnosticsStream> {
  let outcome: DiagnosticsOutcome = { kind: 'untold' };
  const request = { ':method': 'POST', ':path': DIAGNOSTICS_PATH };
  const stream = await openStream(session, link, request, timeoutMs, signal, (trailers) => {
    outcome = readTrailers(trailers);
  });
  return { body: stream.end(), getOutcome: () => outcome };
}

function readTrailers(trailers: IncomingHttpHeaders): DiagnosticsOutcome {
  const sha256 = trailers[SHA256_TRAILER];
  if (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) return { kind: 'whole', sha256 };
  const reason = trailers[FAILURE_TRAILER];
  if (typeof reason !== 'string') return { kind: 'untold' };
  return { kind: 'failed', reason: cleanReason(decode(reason)) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
