import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import { hashToken } from '../../platform/ids.ts';
import { toNetwork } from '../../platform/network.ts';
import { type Ceiling, createLoginThrottleRepository } from './login-throttle.repository.ts';

export interface LoginAttempt {
  email: string;
  address: string;
  /** This browser has logged in to this account before: others' guesses do not lock it. */
  browserId: string | undefined;
}

export interface LoginThrottle {
  /** Counts an attempt before it is evaluated; throws `too_many_attempts` when locked. */
  reserve(attempt: LoginAttempt): Promise<void>;
  /** Forgets the attempts of one who proved to be the account's owner. */
  release(attempt: LoginAttempt): Promise<void>;
  deleteForgotten(): Promise<void>;
}

const rule = { window: 24 * 3600, firstLock: 30, longestLock: 15 * 60 };

/** A hash: people type passwords into the field of the email, and it is stored for a day. */
function ceiling(limit: number, ...parts: string[]): Ceiling {
  return { key: hashToken(parts.join('\n')).toString('base64url'), limit };
}

/**
 * Five wrong passwords of a day lock an account from that address for 30 s, growing to 15 min. The ceilings of
 * an address and of an account alone are far higher: an office or a fleet behind one address must get in, and a
 * stranger must not lock someone out. The first is the attempt's own, the others are shared.
 */
function ceilings({ email, address, browserId }: LoginAttempt): [Ceiling, ...Ceiling[]] {
  if (browserId !== undefined) return [ceiling(5, 'browser', email, browserId)];
  const network = toNetwork(address);
  return [
    ceiling(5, 'account and address', email, network),
    ceiling(100, 'address', network),
    ceiling(200, 'account', email),
  ];
}

export function createLoginThrottle(db: Database, clock: Clock): LoginThrottle {
  const repository = createLoginThrottleRepository(db, rule);

  return {
    async reserve(attempt) {
      const all = ceilings(attempt);
      const keys = all.map(({ key }) => key);
      const now = clock.now();
      const refuse = (lockEnd: Date | undefined) => {
        const left = ((lockEnd ?? now).getTime() - now.getTime()) / 1000;
        throw new DomainError('too_many_attempts', { seconds: Math.max(1, Math.ceil(left)) });
      };
      // A refused attempt counts nowhere: one address that goes on and on fills neither the table nor the
      // account's own ceiling.
      const lockEnd = await repository.getLockEnd(keys, now);
      if (lockEnd) refuse(lockEnd);
      for (const each of all) {
        if (!(await repository.count(each, now))) refuse(await repository.getLockEnd(keys, now));
      }
    },

    async release(attempt) {
      const [own, ...shared] = ceilings(attempt);
      await repository.forget(own.key);
      // Just this attempt: whoever owns one account may not wipe what is counted of others.
      for (const each of shared) await repository.uncount(each);
    },

    deleteForgotten: () => repository.deleteForgotten(clock.now()),
  };
}
