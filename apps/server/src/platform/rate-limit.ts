import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import type { Database } from './db/schema.ts';
import { DomainError } from './errors.ts';
import { hashToken } from './ids.ts';

export interface RateLimit {
  /** What is counted: the act and whose it is. Stored hashed, as it may hold an email or an address. */
  key: readonly string[];
  limit: number;
  /** Seconds from the first act of a window to its end. */
  window: number;
}

/** How many times something may happen in a while, counted in the database: exact, whichever server is asked. */
export interface RateLimiter {
  /** Counts one act; false, and nothing counted, when the limit of this window is reached. */
  take(limit: RateLimit): Promise<boolean>;
  /** Counts one act under each limit; throws `too_many_attempts` at the first that is reached. */
  require(limits: readonly RateLimit[]): Promise<void>;
}

/** Shares its table with the logins' throttle, whose job forgets what is a day old: no window may be longer. */
export function createRateLimiter(db: Database, clock: Clock): RateLimiter {
  const keyOf = (parts: readonly string[]) => hashToken(['rate', ...parts].join('\n')).toString('base64url');

  const limiter: RateLimiter = {
    // One statement: the row's lock orders parallel acts, and none is let through past the limit.
    async take({ key, limit, window }) {
      const now = clock.now();
      const isOver = sql<boolean>`t.counted_since <= ${now}::timestamptz - make_interval(secs => ${window})`;
      const { rows } = await sql`
        insert into login_throttle as t (key, attempts, counted_since) values (${keyOf(key)}, 1, ${now})
        on conflict (key) do update set
          attempts = case when ${isOver} then 1 else t.attempts + 1 end,
          counted_since = case when ${isOver} then ${now}::timestamptz else t.counted_since end
        where ${isOver} or t.attempts < ${limit}
        returning 1`.execute(db);
      return rows.length > 0;
    },

    async require(all) {
      for (const each of all) {
        if (await limiter.take(each)) continue;
        const row = await db
          .selectFrom('login_throttle')
          .select('counted_since')
          .where('key', '=', keyOf(each.key))
          .executeTakeFirst();
        const now = clock.now().getTime();
        const end = (row?.counted_since.getTime() ?? now) + each.window * 1000;
        throw new DomainError('too_many_attempts', { seconds: Math.max(1, Math.ceil((end - now) / 1000)) });
      }
    },
  };
  return limiter;
}
