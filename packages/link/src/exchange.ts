import { once } from 'node:events';
import { ServiceError } from './link-error.ts';
import { openStream } from './open-stream.ts';
import { MAX_JSON_BYTES } from './protocol.ts';
import { readText } from './read-text.ts';
import type { Session } from './session/session.ts';

/**
 * One small JSON request to the device; undefined for an empty answer. Rejects with `ServiceError`. A
 * device whose answer is too long or no JSON is cut: no honest agent does that.
 */
export async function exchangeJson(
  session: Session,
  kind: 'info' | 'state',
  body: unknown,
  timeoutMs: number,
): Promise<unknown> {
  const stream = openStream(session, { kind }, timeoutMs);
  const timer = setTimeout(
    () => stream.destroy(new ServiceError('service_timeout', `no answer to ${kind}`)),
    timeoutMs,
  );
  try {
    stream.end(body === undefined ? undefined : JSON.stringify(body));
    await once(stream, 'connect');
    const text = await readText(stream, MAX_JSON_BYTES);
    if (text !== null) return text === '' ? undefined : JSON.parse(text);
    session.close('protocol');
    throw new ServiceError('bad_answer', `answer to ${kind} is longer than ${MAX_JSON_BYTES} bytes`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    session.close('protocol');
    throw new ServiceError('bad_answer', `answer to ${kind} is not JSON`);
  } finally {
    clearTimeout(timer);
  }
}
