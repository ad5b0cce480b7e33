import { confirmationLifetime, type TotpScope } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { ConfirmationsRepository } from './confirmations.repository.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { AcceptSecondFactor, SecondFactorProof } from './second-factor.ts';
import type { TotpRepository } from './totp.repository.ts';

interface Dependencies {
  db: Database;
  repository: ConfirmationsRepository;
  totp: TotpRepository;
  throttle: LoginThrottle;
  acceptSecondFactor: AcceptSecondFactor;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

/** A user with TOTP confirms one scope for one session before what the scope guards is done. */
export function createConfirmations(dependencies: Dependencies) {
  const { db, repository, totp, throttle, acceptSecondFactor, recordAudit, clock } = dependencies;
  const endOf = (time: Date, scope: TotpScope) =>
    new Date(time.getTime() + confirmationLifetime(scope) * 1000);

  return {
    /** Throws `totp_required` or `totp_expired`. Users without TOTP are not asked. */
    async require({ hasTotp, sessionId }: Principal, scope: TotpScope): Promise<void> {
      if (!hasTotp) return;
      const confirmedAt = await repository.getTime(sessionId, scope);
      if (!confirmedAt) throw new DomainError('totp_required');
      if (endOf(confirmedAt, scope) <= clock.now()) throw new DomainError('totp_expired');
    },

    async verify(
      { userId, sessionId, email, signedInto }: Principal,
      { scope, ...proof }: SecondFactorProof & { scope: TotpScope },
      address: string,
    ): Promise<{ scope: TotpScope; expiresAt: string }> {
      const secret = await totp.getSecret(userId);
      if (!secret) throw new DomainError('totp_not_enabled');
      const attempt = await throttle.countCode({ userId, signedInto });
      const at = clock.now();
      const event = { userId, subject: email, address, details: { scope } };
      const isRight = await db.transaction().execute(async (transaction) => {
        const claimant = { userId, email, address, secret };
        if (!(await acceptSecondFactor(transaction, claimant, proof))) return false;
        if (!(await repository.save(transaction, { sessionId, scope, at }))) {
          throw new DomainError('not_authenticated', 'ended_meanwhile');
        }
        await recordAudit({ action: 'totp.confirmed', ...event }, transaction);
        return true;
      });
      if (!isRight) {
        await recordAudit({ action: 'totp.refused', ...event });
        if (proof.passkey) throw new FieldError('passkey', 'passkey_refused');
        throw new FieldError(proof.code === undefined ? 'recoveryCode' : 'code', 'code_wrong');
      }
      await attempt.succeed();
      return { scope, expiresAt: endOf(at, scope).toISOString() };
    },
  };
}
export type Confirmations = ReturnType<typeof createConfirmations>;
