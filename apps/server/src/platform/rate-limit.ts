import { sql } from 'kysely';
import { type Clock, clockSkew } from './clock.ts';
import type { Core } from './core.ts';
import type { Database } from './db/schema.ts';
import { DomainError } from './errors.ts';
import type { Feature } from './feature.ts';
import { hashToken } from './ids.ts';
import type { ReasonOf } from './refusal-reasons.ts';

export interface RateLimit {
  /** What is counted: the act and whose it is. Stored hashed, as it may hold an email or an address. */
  key: readonly string[];
  limit: number;
  /** Seconds from the first act of a window to its end. */
  window: number;
}

/** One whose end is told to whoever reaches it; the log names it by the first part of its key. */
export interface RequiredLimit extends RateLimit {
  key: readonly [ReasonOf<'too_many_attempts'>, ...string[]];
}

/** How many times something may happen in a while, counted in the database: exact, whichever server is asked. */
export interface RateLimiter {
  /** Counts one act; false, and nothing counted, when the limit of this window is reached. */
  take(limit: RateLimit): Promise<boolean>;
  /** Takes back one act that was counted: it was none of those that are limited. */
  refund(limit: RateLimit): Promise<void>;
  /** Counts one act under each limit; throws `too_many_attempts` at the first that is reached. */
  require(limits: readonly RequiredLimit[]): Promise<void>;
}

export function createRateLimiter(db: Database, clock: Clock): RateLimiter {
  const keyOf = (parts: readonly string[]) => hashToken(parts.join('\n')).toString('base64url');

  const limiter: RateLimiter = {
    // One statement: the row's lock orders parallel acts, and none is let through past the limit.
    async take({ key, limit, window }) {
      const now = clock.now();
      const end = new Date(now.getTime() + window * 1000);
      // One that ends later than any that begins now is of a clock that was set back since.
      const latest = new Date(end.getTime() + clockSkew);
      const isOver = sql<boolean>`(t.expires_at <= ${now}::timestamptz or t.expires_at > ${latest}::timestamptz)`;
      const { rows } = await sql`
        insert into rate_limits as t (key, acts, expires_at) values (${keyOf(key)}, 1, ${end})
        on conflict (key) do update set
          acts = case when ${isOver} then 1 else t.acts + 1 end,
          expires_at = case when ${isOver} then ${end}::timestamptz else t.expires_at end
        where ${isOver} or t.acts < ${limit}
        returning 1`.execute(db);
      return rows.length > 0;
    },

    async refund({ key }) {
      await db
        .updateTable('rate_limits')
        .set(({ eb }) => ({ acts: eb('acts', '-', 1) }))
        .where('key', '=', keyOf(key))
        .where('acts', '>', 0)
        .execute();
    },

    async require(all) {
      for (const each of all) {
        if (await limiter.take(each)) continue;
        const row = await db
          .selectFrom('rate_limits')
          .select('expires_at')
          .where('key', '=', keyOf(each.key))
          .executeTakeFirst();
        const now = clock.now().getTime();
        const end = row?.expires_at.getTime() ?? now + each.window * 1000;
        const seconds = Math.max(1, Math.ceil((end - now) / 1000));
        throw new DomainError('too_many_attempts', each.key[0], { seconds });
      }
    },
  };
  return limiter;
}

/** Forgets the windows that are over. */
export function createRateLimits({ db, clock }: Core): Feature {
  return {
    name: 'rate-limits',
    jobs: [
      {
        name: 'forget-rate-limits',
        schedule: '42 * * * *',
        async run() {
          const over = db
            .selectFrom('rate_limits')
            .select('key')
            .where('expires_at', '<=', clock.now())
            // Those in use now are not forgotten, and nobody waits for them here.
            .forUpdate()
            .skipLocked();
          await db.deleteFrom('rate_limits').where('key', 'in', over).execute();
        },
      },
    ],
  };
}
