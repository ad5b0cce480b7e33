import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { hashToken } from '../../platform/ids.ts';
import { toNetwork } from '../../platform/network.ts';
import { type AttemptLimit, createLoginThrottleRepository } from './login-throttle.repository.ts';

export interface LoginAttempt {
  email: string;
  address: string;
  /** This browser has logged in to this account before: others' guesses do not lock it. */
  browserId: string | undefined;
  /**
   * The organization by whose provider it is, without a proof of the account's own login: such a provider may say of anybody
   * that they have signed in, so this proves nothing of them elsewhere.
   */
  signedInto?: string | undefined;
}

/** An attempt that is counted and may be evaluated; left alone it stays counted, as a wrong one does. */
export interface CountedAttempt {
  /** Forgets the attempts of one who proved to be who they say. */
  succeed(): Promise<void>;
  /** Takes this attempt back, and no other: nothing wrong was given, and nothing proved. */
  refund(): Promise<void>;
}

/**
 * Counts attempts before they are evaluated; throws `too_many_attempts` when locked. It writes on a connection of
 * its own, so that no transaction which fails takes the counting back: never call it within one.
 */
export interface LoginThrottle {
  countLogin(attempt: LoginAttempt): Promise<CountedAttempt>;
  /**
   * A code of the second factor, typed by one who is logged in. Those of sessions that an organization’s provider has opened are
   * counted together, apart from all others: whoever runs it opens as many as they like, and must not lock the account.
   */
  countCode(principal: Pick<Principal, 'userId' | 'signedInto'>): Promise<CountedAttempt>;
  deleteForgotten(): Promise<void>;
}

const rule = { window: 24 * 3600, firstLock: 30, longestLock: 15 * 60 };

/** A hash: people type passwords into the field of the email, and it is stored for a day. */
function attemptLimit(limit: number, ...parts: string[]): AttemptLimit {
  return { key: hashToken(parts.join('\n')).toString('base64url'), limit };
}

/**
 * Five wrong passwords or codes of a day lock an account from that address for 30 s, growing to 15 min. The limits of
 * an address and of an account alone are far higher: an office or a fleet behind one address must get in, and a
 * stranger must not lock someone out. The first is the attempt's own, the others are shared.
 */
function attemptLimits(attempt: LoginAttempt): [AttemptLimit, ...AttemptLimit[]] {
  const { email, address, browserId, signedInto } = attempt;
  const network = toNetwork(address);
  if (signedInto !== undefined) {
    return [attemptLimit(5, 'provider', signedInto, email), attemptLimit(100, 'address', network)];
  }
  if (browserId !== undefined) return [attemptLimit(5, 'browser', email, browserId)];
  return [
    attemptLimit(5, 'account and address', email, network),
    attemptLimit(100, 'address', network),
    attemptLimit(200, 'account', email),
  ];
}

export function createLoginThrottle(db: Database, clock: Clock): LoginThrottle {
  const repository = createLoginThrottleRepository(db, rule);

  async function count(
    what: 'login' | 'second factor',
    all: [AttemptLimit, ...AttemptLimit[]],
  ): Promise<CountedAttempt> {
    const now = clock.now();
    const counted = await repository.count(all, now);
    if (counted.length < all.length) {
      // A refused attempt counts nowhere: one address that goes on and on fills neither the table nor the
      // account's own limit.
      if (counted.length > 0) await repository.refund(counted);
      const keys = all.map(({ key }) => key);
      const lockEnd = (await repository.getLockEnd(keys, now)) ?? now;
      const left = (lockEnd.getTime() - now.getTime()) / 1000;
      throw new DomainError('too_many_attempts', what, { seconds: Math.max(1, Math.ceil(left)) });
    }
    const [own] = all;
    return {
      // Of the shared ones just this attempt: whoever owns one account may not wipe what is counted of others.
      succeed: () => repository.refund(counted, own.key),
      refund: () => repository.refund(counted),
    };
  }

  return {
    countLogin: (attempt) => count('login', attemptLimits(attempt)),
    countCode: ({ userId, signedInto }) =>
      count('second factor', [
        attemptLimit(5, 'code', userId, ...(signedInto === undefined ? [] : [signedInto])),
      ]),
    deleteForgotten: () => repository.deleteForgotten(clock.now()),
  };
}
