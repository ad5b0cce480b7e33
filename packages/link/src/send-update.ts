import { once } from 'node:events';
import { cleanReason, ServiceError } from './link-error.ts';
import { openStream } from './open-stream.ts';
import { readText } from './read-text.ts';
import { parseAnswer } from './requests.ts';
import type { Session } from './session/session.ts';
import type { UpdateOffer } from './update-offer.ts';

const PIECE_BYTES = 64 * 1024;
/** A device that takes no piece for so long is given up; a cut of the line may last as long. */
const IDLE_MS = 3 * 60_000;

interface SendOptions {
  offer: UpdateOffer;
  file: Buffer;
  /** Time the device gets to look at the offer. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** See `CloudLink.sendUpdate`. */
export async function sendUpdate(session: Session, options: SendOptions): Promise<void> {
  const { offer, file, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const stream = openStream(session, { kind: 'update' }, timeoutMs);
  const onAbort = () => stream.destroy(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  const idle = setTimeout(
    () => stream.destroy(new ServiceError('service_timeout', 'the device takes no more of the update')),
    IDLE_MS,
  );
  // One that comes while nobody waits is told by what is waited for next.
  stream.on('error', () => {});
  try {
    stream.write(`${JSON.stringify(offer)}\n`);
    await once(stream, 'connect');
    // A device that refuses early is still sent the rest, which it reads past.
    const answer = readText(stream.iterator({ destroyOnReturn: false }), 1024);
    answer.catch(() => {}); // asked for below
    for (let offset = 0; offset < file.length && !stream.destroyed; offset += PIECE_BYTES) {
      if (!stream.write(file.subarray(offset, offset + PIECE_BYTES))) await once(stream, 'drain');
      idle.refresh();
    }
    stream.end();
    const outcome = parseAnswer(((await answer) ?? '').trimEnd());
    if (outcome?.status !== 200)
      throw new ServiceError('service_refused', cleanReason(outcome?.reason || 'no answer to the update'));
  } finally {
    clearTimeout(idle);
    signal?.removeEventListener('abort', onAbort);
    stream.destroy();
  }
}
