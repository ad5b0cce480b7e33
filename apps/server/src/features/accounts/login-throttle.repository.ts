import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';

export interface Ceiling {
  key: string;
  /** Attempts within the window that lead to the first lock. */
  limit: number;
}

/** All in seconds. */
export interface LockRule {
  window: number;
  firstLock: number;
  longestLock: number;
}

/** SQL of how often somebody tried to log in. */
export function createLoginThrottleRepository(db: Database, rule: LockRule) {
  const seconds = (value: number | RawBuilder<number>) => sql`make_interval(secs => ${value})`;

  return {
    /** When the last of these keys' locks ends; undefined when none is locked. */
    async getLockEnd(keys: readonly string[], now: Date): Promise<Date | undefined> {
      const row = await db
        .selectFrom('login_throttle')
        .select('locked_until')
        .where('key', 'in', keys)
        .where('locked_until', '>', now)
        .orderBy('locked_until', 'desc')
        .executeTakeFirst();
      return row?.locked_until ?? undefined;
    },

    /**
     * Counts one attempt, with the end of the lock that it brings about; undefined when the key is locked already.
     * One statement, so that parallel attempts are counted exactly: the row's lock orders them, and the one that
     * reaches the limit locks before it is evaluated.
     */
    async count({ key, limit }: Ceiling, now: Date): Promise<{ lockedUntil: Date | null } | undefined> {
      const isOver = sql<boolean>`t.counted_since <= ${now}::timestamptz - ${seconds(rule.window)}`;
      const attempts = sql<number>`case when ${isOver} then 1 else t.attempts + 1 end`;
      // Each attempt past the limit doubles the lock; the exponent is bounded so that it cannot overflow.
      const lock = sql<number>`least(${rule.firstLock} * power(2, least(${attempts} - ${limit}, 10)), ${rule.longestLock})`;
      const { rows } = await sql<{ lockedUntil: Date | null }>`
        insert into login_throttle as t (key, attempts, counted_since) values (${key}, 1, ${now})
        on conflict (key) do update set
          attempts = ${attempts},
          counted_since = case when ${isOver} then ${now}::timestamptz else t.counted_since end,
          locked_until = case when ${attempts} >= ${limit} then ${now}::timestamptz + ${seconds(lock)} end
        where t.locked_until is null or t.locked_until <= ${now}
        returning locked_until as "lockedUntil"`.execute(db);
      return rows[0];
    },

    async forget(key: string): Promise<void> {
      await db.deleteFrom('login_throttle').where('key', '=', key).execute();
    },

    /** Takes one attempt back, with the lock that it brought about: it is as if it had never been made. */
    async uncount({ key, limit }: Ceiling, lockedUntil: Date | null): Promise<void> {
      await db
        .updateTable('login_throttle')
        .set((eb) => ({
          attempts: eb('attempts', '-', 1),
          locked_until: eb
            .case()
            .when(eb.or([eb('attempts', '<=', limit), eb('locked_until', '=', lockedUntil)]))
            .then(null)
            .else(eb.ref('locked_until'))
            .end(),
        }))
        .where('key', '=', key)
        .where('attempts', '>', 0)
        .execute();
    },

    async deleteForgotten(now: Date): Promise<void> {
      await db
        .deleteFrom('login_throttle')
        .where('counted_since', '<=', new Date(now.getTime() - rule.window * 1000))
        .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<=', now)]))
        .execute();
    },
  };
}
