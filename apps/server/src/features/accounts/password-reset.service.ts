import { defaultLocale, type Locale, lifetimes } from '@pult/contract';
import type { Visitor } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import { createId, createSecretToken, hashToken } from '../../platform/ids.ts';
import { toNetwork } from '../../platform/network.ts';
import type { RateLimiter, RequiredLimit } from '../../platform/rate-limit.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import type { PasswordRepository } from './password.repository.ts';
import { hashPassword } from './password.ts';
import type { PasswordResetRepository } from './password-reset.repository.ts';
import { requireGoodPassword } from './password-rule.ts';
import type { SessionsRepository } from './sessions.repository.ts';

interface Dependencies {
  repository: PasswordResetRepository;
  accounts: AccountsRepository;
  passwords: PasswordRepository;
  sessions: SessionsRepository;
  rateLimiter: RateLimiter;
}

const hour = 3600;

/**
 * No limit is of the account alone: a stranger who asks on and on would keep its owner from asking. A network has
 * one for each account and a wider one for all of them, which an office behind one address does not reach.
 */
function askLimits(email: string, network: string): RequiredLimit[] {
  return [
    { key: ['password reset', email, network], limit: 5, window: hour },
    { key: ['password resets', network], limit: 30, window: hour },
  ];
}

/**
 * Links of one account that work at a time. Whoever asks from many networks fills a mailbox no further than that,
 * and locks nobody out: the owner has this many links that work.
 */
const mostLive = 20;

/** Setting a new password by a mailed link. */
export function createPasswordResetService(
  { db, clock, events, mail }: Core,
  { repository, accounts, passwords, sessions, rateLimiter }: Dependencies,
) {
  return {
    /**
     * Mails a link to the account, where there is one. Without one it does all the same and takes the mail back,
     * so that neither the answer nor its time tells which it was.
     */
    async request({ address, audit }: Visitor, email: string): Promise<void> {
      await rateLimiter.require(askLimits(email, toNetwork(address)));
      const token = createSecretToken();
      const id = createId();
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + lifetimes.passwordReset * 1000);
      const user = await accounts.getUserByEmail(email);
      const locale: Locale = user?.locale ?? defaultLocale;
      await db.transaction().execute(async (transaction) => {
        const reset = { id, email, tokenHash: hashToken(token), createdAt, expiresAt };
        const userId = await repository.add(transaction, reset, mostLive);
        const values = { address, uid: userId ?? id, token: { token, id, expiresAt } };
        await repository.writeOrUndo(transaction, userId !== undefined, () =>
          mail.send('password-reset', { email, locale }, values, transaction),
        );
        await audit('password.reset_requested', { userId: user?.id, subject: email }, transaction);
      });
    },

    /** Uses the link up and ends every session of the user. A second factor is asked for as before. */
    async confirm(
      { address, audit }: Visitor,
      { uid, token, newPassword }: { uid: string; token: string; newPassword: string },
    ): Promise<void> {
      await rateLimiter.require([
        { key: ['password reset confirmed', toNetwork(address)], limit: 60, window: hour },
      ]);
      const tokenHash = hashToken(token);
      const now = clock.now();
      const user = await repository.findUser({ userId: uid, tokenHash }, now);
      if (!user) throw new DomainError('reset_token_invalid', 'unknown');
      await requireGoodPassword('newPassword', newPassword, user.email);
      const hash = await hashPassword(newPassword);
      await db.transaction().execute(async (transaction) => {
        await passwords.lockUser(transaction, user.id);
        const taken = await repository.take(transaction, tokenHash, now);
        if (taken === undefined) throw new DomainError('reset_token_invalid', 'used');
        await passwords.set(transaction, user.id, hash);
        for (const id of [taken, ...(await passwords.deleteResets(transaction, user.id))]) {
          await mail.purge(id, transaction);
        }
        await sessions.deleteAll(transaction, user.id);
        await mail.send('password-changed', user, { address, time: now }, transaction);
        await audit('password.reset', { userId: user.id, subject: user.email }, transaction);
      });
      events.publish('accessEnded', { userId: user.id });
    },

    deleteExpired: (): Promise<void> => repository.deleteExpired(clock.now()),
  };
}
export type PasswordResetService = ReturnType<typeof createPasswordResetService>;
