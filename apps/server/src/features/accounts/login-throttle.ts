import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';

interface Ceiling {
  key: string;
  /** Attempts before the first lock. */
  limit: number;
}

export interface LoginAttempt {
  email: string;
  address: string;
  /** This browser has logged in to this account before: strangers' guesses do not lock it. */
  browserId: string | undefined;
}

export interface LoginThrottle {
  /** Counts an attempt before it is evaluated; throws `too_many_attempts` when locked. */
  reserve(attempt: LoginAttempt): Promise<void>;
  /** Forgets the attempts of one who proved to be the account's owner. */
  release(attempt: LoginAttempt): Promise<void>;
}

const firstLockSeconds = 30;
const longestLockSeconds = 15 * 60;
const forgottenAfterSeconds = 24 * 3600;

/**
 * Five wrong passwords lock an account from that address for 30 s, growing to 15 min. The ceilings of an
 * address and of an account alone are far higher: an office or a fleet behind one address must get in, and a
 * stranger must not lock someone out.
 */
function ceilings({ email, address, browserId }: LoginAttempt): Ceiling[] {
  if (browserId !== undefined) return [{ key: `browser:${email}:${browserId}`, limit: 5 }];
  return [
    { key: `account-address:${email}:${address}`, limit: 5 },
    { key: `address:${address}`, limit: 100 },
    { key: `account:${email}`, limit: 200 },
  ];
}

export function createLoginThrottle(db: Database, clock: Clock): LoginThrottle {
  /** Seconds of lock after so many attempts: each one past the limit doubles it. */
  function lockSeconds(attempts: RawBuilder<number>, limit: number): RawBuilder<number> {
    return sql<number>`least(${firstLockSeconds} * power(2, least(${attempts} - ${limit}, 10)), ${longestLockSeconds})`;
  }

  /**
   * One statement, so that parallel guesses are counted exactly: the row's lock orders them, and the attempt
   * that reaches the limit locks before it is evaluated. Undefined when the key is locked.
   */
  async function count({ key, limit }: Ceiling): Promise<number | undefined> {
    const now = clock.now();
    const stale = sql<boolean>`t.updated_at < ${now}::timestamptz - make_interval(secs => ${forgottenAfterSeconds})`;
    const attempts = sql<number>`case when ${stale} then 1 else t.attempts + 1 end`;
    const result = await sql<{ attempts: number }>`
      insert into login_throttle as t (key, attempts, updated_at) values (${key}, 1, ${now})
      on conflict (key) do update set
        attempts = ${attempts},
        updated_at = ${now},
        locked_until = case when ${attempts} >= ${limit}
          then ${now}::timestamptz + make_interval(secs => ${lockSeconds(attempts, limit)}) end
      where t.locked_until is null or t.locked_until <= ${now}
      returning attempts`.execute(db);
    return result.rows[0]?.attempts;
  }

  return {
    async reserve(attempt) {
      for (const ceiling of ceilings(attempt)) {
        if ((await count(ceiling)) !== undefined) continue;
        const row = await db
          .selectFrom('login_throttle')
          .select('locked_until')
          .where('key', '=', ceiling.key)
          .executeTakeFirst();
        const left = ((row?.locked_until?.getTime() ?? 0) - clock.now().getTime()) / 1000;
        throw new DomainError('too_many_attempts', { seconds: Math.max(1, Math.ceil(left)) });
      }
    },
    async release(attempt) {
      const [own, ...shared] = ceilings(attempt);
      if (own) await db.deleteFrom('login_throttle').where('key', '=', own.key).execute();
      // Taking back just this attempt: whoever owns one account may not wipe what others count.
      for (const { key, limit } of shared) {
        await db
          .updateTable('login_throttle')
          .set((eb) => ({
            attempts: eb('attempts', '-', 1),
            locked_until: eb
              .case()
              .when('attempts', '<=', limit)
              .then(null)
              .else(eb.ref('locked_until'))
              .end(),
          }))
          .where('key', '=', key)
          .where('attempts', '>', 0)
          .execute();
      }
    },
  };
}
