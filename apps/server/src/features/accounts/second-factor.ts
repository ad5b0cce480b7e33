import type { PasskeyProof } from '@pult/contract';
import type { Visitor } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import type { AcceptPasskey } from './passkeys/index.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import type { TotpRepository } from './totp.repository.ts';
import { findTotpStep, totpContext } from './totp.ts';

/** What somebody offers as their second factor; of several the first counts. */
export interface SecondFactorProof {
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: PasskeyProof | undefined;
  /** The passkey is all there is: its authenticator has to have verified the user. */
  isPasskeyAlone?: boolean | undefined;
}

/** Whose it is. `secret` is encrypted. */
interface Claimant {
  userId: string;
  email: string;
  secret: Buffer;
}

/** Accepts a proof once, however many copies of it come at the same time; false for a wrong or used one. */
export type AcceptSecondFactor = (
  transaction: DatabaseTransaction,
  by: Visitor,
  claimant: Claimant,
  proof: SecondFactorProof,
) => Promise<boolean>;

/** Within a transaction that is rolled back the proof stays good. */
export function createSecondFactor(
  { encryptor, clock }: Core,
  { repository, acceptPasskey }: { repository: TotpRepository; acceptPasskey: AcceptPasskey },
): AcceptSecondFactor {
  return async (transaction, by, { userId, email, secret }, proof) => {
    const { code, recoveryCode, passkey, isPasskeyAlone = false } = proof;
    // Someone who turns TOTP off or on anew at this moment is first or second, never in between.
    if (!(await repository.lock(transaction, userId, secret))) return false;
    if (code !== undefined) {
      const step = findTotpStep(encryptor.decrypt(secret, totpContext(userId)), code, clock.now());
      return step !== undefined && (await repository.acceptStep(transaction, userId, step));
    }
    if (recoveryCode === undefined) {
      return passkey !== undefined && acceptPasskey(transaction, userId, passkey, isPasskeyAlone);
    }
    const isUsed = await repository.useRecoveryCode(transaction, userId, hashRecoveryCode(recoveryCode));
    if (isUsed) await by.audit('recovery_code.used', { userId, subject: email }, transaction);
    return isUsed;
  };
}
