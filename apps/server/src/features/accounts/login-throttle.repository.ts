import { type RawBuilder, sql } from 'kysely';
import { clockSkew } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';

export interface AttemptLimit {
  key: string;
  /** Attempts within the window that lead to the first lock. */
  limit: number;
}

/** A limit under which an attempt was counted, with the end of the lock that this brought about. */
export interface CountedLimit extends AttemptLimit {
  lockedUntil: Date | null;
}

/** All in seconds. */
export interface LockRule {
  window: number;
  firstLock: number;
  longestLock: number;
}

/** SQL of how often somebody tried to log in. Whatever touches several rows takes them in one order: by their key. */
export function createLoginThrottleRepository(db: Database, rule: LockRule) {
  const seconds = (value: number | RawBuilder<number>) => sql`make_interval(secs => ${value})`;

  /** The last end that a lock of now may have: one that ends later was set before the clock was set back. */
  const lastLockEnd = (now: Date) => new Date(now.getTime() + rule.longestLock * 1000 + clockSkew);

  return {
    /** When the last of these keys' locks ends; undefined when none is locked. */
    async getLockEnd(keys: readonly string[], now: Date): Promise<Date | undefined> {
      const row = await db
        .selectFrom('login_throttle')
        .select('locked_until')
        .where('key', 'in', keys)
        .where('locked_until', '>', now)
        .where('locked_until', '<=', lastLockEnd(now))
        .orderBy('locked_until', 'desc')
        .executeTakeFirst();
      return row?.locked_until ?? undefined;
    },

    /**
     * Counts one attempt under each limit, under none when one of them is locked already; those under which it was
     * counted. They are some of them only when a lock came about meanwhile. One statement, so that parallel attempts
     * are counted exactly: the rows' locks order them, and the one that reaches a limit locks before it is evaluated.
     */
    async count(limits: readonly AttemptLimit[], now: Date): Promise<CountedLimit[]> {
      const lastEnd = sql`${lastLockEnd(now)}::timestamptz`;
      const latest = new Date(now.getTime() + clockSkew);
      const isOver = sql<boolean>`(t.counted_since <= ${now}::timestamptz - ${seconds(rule.window)} or t.counted_since > ${latest}::timestamptz)`;
      const attempts = sql<number>`case when ${isOver} then 1 else t.attempts + 1 end`;
      const limit = sql<number>`(select most from asked where asked.key = t.key)`;
      // Each attempt past the limit doubles the lock; the exponent is bounded so that it cannot overflow.
      const lock = sql<number>`least(${rule.firstLock} * power(2, least(${attempts} - ${limit}, 10)), ${rule.longestLock})`;
      const { rows } = await sql<CountedLimit>`
        with asked as (
          select * from unnest(${limits.map(({ key }) => key)}::text[], ${limits.map((each) => each.limit)}::int[])
            as asked (key, most)
        )
        insert into login_throttle as t (key, attempts, counted_since)
        select key, 1, ${now}::timestamptz from asked
        where not exists (
          select from login_throttle as other join asked using (key) where other.locked_until > ${now} and other.locked_until <= ${lastEnd}
        )
        order by key
        on conflict (key) do update set
          attempts = ${attempts},
          counted_since = case when ${isOver} then ${now}::timestamptz else t.counted_since end,
          locked_until = case when ${attempts} >= ${limit} then ${now}::timestamptz + ${seconds(lock)} end
        where t.locked_until is null or t.locked_until <= ${now} or t.locked_until > ${lastEnd}
        returning t.key, ${limit} as "limit", locked_until as "lockedUntil"`.execute(db);
      return rows;
    },

    /**
     * Takes one attempt back, with the locks that it brought about: it is as if it had never been made. Under
     * `forgottenKey` all attempts are forgotten.
     */
    async refund(counted: readonly CountedLimit[], forgottenKey?: string): Promise<void> {
      const keys = counted.map(({ key }) => key);
      const isForgotten = sql<boolean>`t.key is not distinct from ${forgottenKey ?? null}::text`;
      await sql`
        with held as (
          select key from login_throttle where key = any(${keys}::text[]) order by key for update
        )
        update login_throttle as t set
          attempts = case when ${isForgotten} then 0 else t.attempts - 1 end,
          locked_until = case
            when ${isForgotten} or t.attempts <= mine.most or t.locked_until = mine.lock_end then null
            else t.locked_until
          end
        from held join unnest(
          ${keys}::text[],
          ${counted.map(({ limit }) => limit)}::int[],
          ${counted.map(({ lockedUntil }) => lockedUntil)}::timestamptz[]
        ) as mine (key, most, lock_end) using (key)
        where t.key = held.key and t.attempts > 0`.execute(db);
    },

    async deleteForgotten(now: Date): Promise<void> {
      const forgotten = db
        .selectFrom('login_throttle')
        .select('key')
        .where('counted_since', '<=', new Date(now.getTime() - rule.window * 1000))
        .where((eb) => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<=', now)]))
        // Those in use now are not forgotten, and nobody waits for them here.
        .forUpdate()
        .skipLocked();
      await db.deleteFrom('login_throttle').where('key', 'in', forgotten).execute();
    },
  };
}
