import type { TotpSetup } from '@pult/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createSecretToken, hashToken } from '../../platform/ids.ts';
import type { ConfirmationsRepository } from './confirmations.repository.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts';
import type { SessionsRepository } from './sessions.repository.ts';
import type { TotpRepository } from './totp.repository.ts';
import { createTotpSecret, describeTotpSetup, findTotpStep, totpContext } from './totp.ts';

interface Dependencies {
  repository: TotpRepository;
  sessions: SessionsRepository;
  confirmations: ConfirmationsRepository;
  throttle: LoginThrottle;
}

/** Turning one's own second factor on and off. */
export function createTotpService(
  { db, clock, events, encryptor, config, mail }: Core,
  { repository, sessions, confirmations, throttle }: Dependencies,
) {
  // Whether one may turn it on. Who has it keeps it.
  const { serviceName, totpAuthEnabled: isAvailable } = config.settings;

  function requireNone({ hasTotp }: Principal): void {
    if (!isAvailable) throw new DomainError('totp_unavailable');
    if (hasTotp) throw new DomainError('totp_already_enabled');
  }

  async function replaceRecoveryCodes(transaction: DatabaseTransaction, userId: string): Promise<string[]> {
    const codes = createRecoveryCodes();
    await repository.setRecoveryCodes(transaction, userId, codes.map(hashRecoveryCode));
    return codes;
  }

  return {
    /** A secret for this session alone to activate: another session that began a setup has another one. */
    async setUp(principal: Principal): Promise<TotpSetup> {
      requireNone(principal);
      const secret = createTotpSecret();
      const encrypted = encryptor.encrypt(secret, totpContext(principal.userId));
      if (!(await repository.keepSetupSecret(principal.sessionId, encrypted))) {
        throw new DomainError('not_authenticated', 'ended_meanwhile');
      }
      return describeTotpSetup(secret, { serviceName, email: principal.email });
    },

    /**
     * Turns TOTP on with the secret that this session has set up, and ends the user's other sessions. The session
     * itself goes on under another token.
     */
    async activate(
      { principal, address, audit }: Caller,
      code: string,
    ): Promise<{ recoveryCodes: string[]; sessionToken: string }> {
      requireNone(principal);
      const { userId, sessionId } = principal;
      const setupSecret = await repository.getSetupSecret(sessionId);
      if (!setupSecret) throw new DomainError('totp_setup_missing');
      const attempt = await throttle.countCode(principal);
      const now = clock.now();
      const step = findTotpStep(encryptor.decrypt(setupSecret, totpContext(userId)), code, now);
      if (step === undefined) {
        await audit('totp.refused', { details: { scope: 'setup' } });
        throw new FieldError('code', 'code_wrong');
      }
      const sessionToken = createSecretToken();
      const done = await db.transaction().execute(async (transaction) => {
        if (!(await repository.enable(transaction, { id: userId, secret: setupSecret, step }))) {
          throw new DomainError('totp_already_enabled');
        }
        const session = { id: sessionId, setupSecret, tokenHash: hashToken(sessionToken) };
        if (!(await repository.finishSetup(transaction, session))) {
          throw new DomainError('totp_setup_missing');
        }
        await confirmations.deleteOfUser(transaction, userId);
        const ended = await sessions.deleteOthers(transaction, userId, sessionId);
        const recoveryCodes = await replaceRecoveryCodes(transaction, userId);
        const details = { endedSessions: ended.length };
        await audit('totp.enabled', { details }, transaction);
        await mail.send('totp-enabled', principal, { time: now, address }, transaction);
        return { ended, recoveryCodes };
      });
      await attempt.succeed();
      for (const ended of done.ended) events.publish('accessEnded', { sessionId: ended });
      return { recoveryCodes: done.recoveryCodes, sessionToken };
    },

    async disable({ principal, userId, address, audit }: Caller): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        if (!(await repository.disable(transaction, userId))) throw new DomainError('totp_not_enabled');
        await repository.setRecoveryCodes(transaction, userId, []);
        await confirmations.deleteOfUser(transaction, userId);
        await audit('totp.disabled', {}, transaction);
        await mail.send('totp-disabled', principal, { time: clock.now(), address }, transaction);
      });
      // Organizations that require TOTP are closed to the user from now on.
      events.publish('accessEnded', { userId });
    },

    async regenerateRecoveryCodes(caller: Caller): Promise<string[]> {
      const { userId } = caller;
      return db.transaction().execute(async (transaction) => {
        if (!(await repository.lock(transaction, userId))) throw new DomainError('totp_not_enabled');
        const codes = await replaceRecoveryCodes(transaction, userId);
        await caller.audit('recovery_codes.regenerated', {}, transaction);
        return codes;
      });
    },
  };
}
export type TotpService = ReturnType<typeof createTotpService>;
