import type { Caller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import { createSecretToken, hashToken } from '../../platform/ids.ts';
import type { CountedAttempt, LoginThrottle } from './login-throttle.ts';
import type { PasswordRepository } from './password.repository.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { requireGoodPassword } from './password-rule.ts';
import type { SessionsRepository } from './sessions.repository.ts';

interface Dependencies {
  repository: PasswordRepository;
  sessions: SessionsRepository;
  throttle: LoginThrottle;
}

/** Changing one's own password by the old one. */
export function createPasswordService(
  { db, clock, events, mail }: Core,
  { repository, sessions, throttle }: Dependencies,
) {
  /** What there is no room for now was not evaluated, or not to the end: no attempt is held against it. */
  async function orRefund<T>(attempt: CountedAttempt, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      await attempt.refund();
      throw error;
    }
  }

  async function killResets(transaction: DatabaseTransaction, userId: string): Promise<void> {
    for (const id of await repository.deleteResets(transaction, userId)) await mail.purge(id, transaction);
  }

  return {
    /**
     * Ends the user's other sessions and every link to reset the password. The session itself goes on under the
     * token that is answered. A guess at the old password counts as one at login: a session that somebody found
     * open is not a way around that.
     */
    async change(
      { principal, address, audit }: Caller,
      { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
      browserId: string | undefined,
    ): Promise<{ sessionToken: string }> {
      const { userId, sessionId, email } = principal;
      await requireGoodPassword('newPassword', newPassword, email);
      const attempt = await throttle.countLogin({ email, address, browserId });
      const seen = await repository.getHash(userId);
      if (!(await orRefund(attempt, verifyPassword(seen, oldPassword))) || seen === undefined) {
        await audit('password.change_refused');
        throw new FieldError('oldPassword', 'password_wrong');
      }
      const hash = await orRefund(attempt, hashPassword(newPassword));
      const sessionToken = createSecretToken();
      const ended = await db.transaction().execute(async (transaction) => {
        if (!(await repository.change(transaction, userId, { seen, hash }))) {
          throw new FieldError('oldPassword', 'password_wrong'); // changed meanwhile
        }
        if (!(await repository.rotateSession(transaction, sessionId, hashToken(sessionToken)))) {
          throw new DomainError('not_authenticated', 'ended_meanwhile');
        }
        const others = await sessions.deleteOthers(transaction, userId, sessionId);
        await killResets(transaction, userId);
        await mail.send('password-changed', principal, { address, time: clock.now() }, transaction);
        await audit('password.changed', { details: { endedSessions: others.length } }, transaction);
        return others;
      });
      await attempt.succeed();
      for (const other of ended) events.publish('accessEnded', { sessionId: other });
      return { sessionToken };
    },
  };
}
export type PasswordService = ReturnType<typeof createPasswordService>;
