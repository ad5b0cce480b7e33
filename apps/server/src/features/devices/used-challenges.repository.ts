import { sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';

/** Seconds. A challenge is over by then, by whatever node's clock. */
const keptSeconds = 120;

/** SQL of the challenges that devices have answered, each good once on whatever node. */
export function createUsedChallengesRepository(db: Database) {
  return {
    /** False for each that was taken before. No two of `nonces` are the same: this process sees to that itself. */
    async take(nonces: readonly string[]): Promise<boolean[]> {
      const bytes = nonces.map((nonce) => Buffer.from(nonce, 'base64url'));
      const { rows } = await sql<{ nonce: Buffer }>`
        insert into used_challenges (nonce, expires_at)
        select nonce, now() + make_interval(secs => ${keptSeconds}) from unnest(${bytes}::bytea[]) as given (nonce)
        on conflict do nothing returning nonce`.execute(db);
      const taken = new Set(rows.map(({ nonce }) => nonce.toString('base64')));
      return bytes.map((each) => taken.has(each.toString('base64')));
    },

    async forgetOld(): Promise<void> {
      await sql`delete from used_challenges where expires_at <= now()`.execute(db);
    },
  };
}
