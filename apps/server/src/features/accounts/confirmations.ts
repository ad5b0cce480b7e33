import { confirmationLifetime, type TotpScope } from '@pult/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { ConfirmationsRepository } from './confirmations.repository.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { AcceptSecondFactor, SecondFactorProof } from './second-factor.ts';
import type { TotpRepository } from './totp.repository.ts';

interface Dependencies {
  repository: ConfirmationsRepository;
  totp: TotpRepository;
  throttle: LoginThrottle;
  acceptSecondFactor: AcceptSecondFactor;
}

/** A user with TOTP confirms one scope for one session before what the scope guards is done. */
export function createConfirmations(
  { db, clock }: Core,
  { repository, totp, throttle, acceptSecondFactor }: Dependencies,
) {
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
      caller: Caller,
      { scope, ...proof }: SecondFactorProof & { scope: TotpScope },
    ): Promise<{ scope: TotpScope; expiresAt: string }> {
      const { userId, sessionId, email, signedInto } = caller.principal;
      const secret = await totp.getSecret(userId);
      if (!secret) throw new DomainError('totp_not_enabled');
      const attempt = await throttle.countCode({ userId, signedInto });
      const at = clock.now();
      const isRight = await db.transaction().execute(async (transaction) => {
        const claimant = { userId, email, secret };
        if (!(await acceptSecondFactor(transaction, caller, claimant, proof))) return false;
        if (!(await repository.save(transaction, { sessionId, scope, at }))) {
          throw new DomainError('not_authenticated', 'ended_meanwhile');
        }
        await caller.audit('totp.confirmed', { details: { scope } }, transaction);
        return true;
      });
      if (!isRight) {
        await caller.audit('totp.refused', { details: { scope } });
        if (proof.passkey) throw new FieldError('passkey', 'passkey_refused');
        throw new FieldError(proof.code === undefined ? 'recoveryCode' : 'code', 'code_wrong');
      }
      await attempt.succeed();
      return { scope, expiresAt: endOf(at, scope).toISOString() };
    },
  };
}
export type Confirmations = ReturnType<typeof createConfirmations>;
