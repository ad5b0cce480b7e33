import type { ClientHttp2Session } from 'node:http2';
import { cutStream } from './cut-stream.ts';
import { cleanReason, ServiceError } from './link-error.ts';
import type { LinkSession } from './link-session.ts';
import { MAX_JSON_BYTES } from './protocol.ts';
import { readBody } from './read-body.ts';

interface JsonRequest {
  method: 'GET' | 'PUT';
  path: string;
  body?: unknown;
}

/**
 * One small JSON request to the device; undefined for an empty answer. Rejects with `ServiceError`. A
 * device whose answer is too long or no JSON is cut: no honest agent does that.
 */
export async function exchangeJson(
  session: ClientHttp2Session,
  link: LinkSession,
  { method, path, body }: JsonRequest,
  timeoutMs: number,
): Promise<unknown> {
  if (link.isClosing()) throw link.describeCut(undefined);
  const stream = session.request({ ':method': method, ':path': path, 'content-type': 'application/json' });
  link.track(stream);
  const status = new Promise<number>((resolve) => {
    stream.once('response', (headers) => resolve(headers[':status'] ?? 0));
  });
  let isLate = false;
  let isWhole = false;
  const timer = setTimeout(() => {
    isLate = true;
    cutStream(stream);
  }, timeoutMs);
  try {
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    const text = await readBody(stream, MAX_JSON_BYTES, link.describeCut);
    if (text === null) {
      link.close('protocol');
      throw new ServiceError('bad_answer', `answer to ${path} is longer than ${MAX_JSON_BYTES} bytes`);
    }
    // A device may answer before it has taken everything.
    isWhole = stream.writableFinished;
    const code = await status;
    if (code >= 300) throw new ServiceError('service_refused', cleanReason(`status ${code} ${text}`));
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    if (isLate) throw new ServiceError('service_timeout', `no answer to ${path}`);
    if (!(error instanceof SyntaxError)) throw error;
    link.close('protocol');
    throw new ServiceError('bad_answer', `answer to ${path} is not JSON`);
  } finally {
    clearTimeout(timer);
    // What is whole closes by itself.
    if (!isWhole) cutStream(stream);
  }
}
