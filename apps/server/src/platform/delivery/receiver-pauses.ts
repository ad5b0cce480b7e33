import type { DeliveryFailureReason } from '@pult/contract';
import { type Clock, clockSkew } from '../clock.ts';
import type { Database } from '../db/schema.ts';
import { hashToken } from '../ids.ts';
import { readRetryAfter } from '../retry-after.ts';
import { DeliveryFailure, longestDelay } from './delivery.ts';

/**
 * Receivers that have asked to be left alone for a while, by any answer (RFC 9110, section 10.2.3: `Retry-After`). It is the receiver
 * that rests: what goes to it for another rule, organization or from another server waits too. Kept beside the limits of rates, where
 * what is over is forgotten.
 */
export function createReceiverPauses(db: Database, clock: Clock) {
  // An address may be a secret.
  const keyOf = (receiver: string) => hashToken(`receiver pause\n${receiver}`).toString('base64url');
  /** Whatever it asks for: a message that comes two hours late is late enough. */
  const latestEnd = () => clock.now().getTime() + longestDelay * 1000;

  async function getEnd(key: string): Promise<Date | undefined> {
    const row = await db
      .selectFrom('rate_limits')
      .select('expires_at')
      .where('key', '=', key)
      .where('expires_at', '>', clock.now())
      // One that ends later than any that begins now is of a clock that was set back since.
      .where('expires_at', '<=', new Date(latestEnd() + clockSkew))
      .executeTakeFirst();
    return row?.expires_at;
  }

  async function begin(key: string, end: Date): Promise<void> {
    await db
      .insertInto('rate_limits')
      .values({ key, acts: 1, expires_at: end })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at: end }))
      .execute();
  }

  /** Sends, unless the receiver rests; a failure that asks for a pause begins one. */
  return async function sendTo<T>(receiver: string, send: () => Promise<T>): Promise<T> {
    const key = keyOf(receiver);
    const end = await getEnd(key);
    if (end) {
      throw new DeliveryFailure('paused' satisfies DeliveryFailureReason, { retryAt: end, wasTried: false });
    }
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof DeliveryFailure)) throw error;
      const now = clock.now();
      const asked = readRetryAfter(error.retryAfter, now);
      if (!asked || asked <= now) throw error;
      const retryAt = new Date(Math.min(asked.getTime(), latestEnd()));
      await begin(key, retryAt);
      const { reason, isFinal, status } = error;
      throw new DeliveryFailure(reason, { isFinal, status: status ?? undefined, retryAt, cause: error });
    }
  };
}
