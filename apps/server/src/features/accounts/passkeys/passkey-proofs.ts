import type { PasskeyProof } from '@pult/contract';
import type { Core } from '../../../platform/core.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';
import type { PasskeysRepository } from './passkeys.repository.ts';
import type { RelyingParty } from './relying-party.ts';

/** Of challenges that anybody may answer who has a passkey. */
export const proofPurpose = 'proof';

/** The challenge that a browser says it has answered; checked with the signature. */
function readChallenge(clientDataJson: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

/** Accepts a proof of one of the user's passkeys once; false for any other. */
export type AcceptPasskey = (
  transaction: DatabaseTransaction,
  userId: string,
  proof: PasskeyProof,
  /** Whether its authenticator must have verified the user, by a finger or a PIN. */
  requireUserVerification: boolean,
) => Promise<boolean>;

/** Within a transaction that is rolled back a proof stays good. */
export function createPasskeyProofs(
  { clock }: Core,
  {
    repository,
    challenges,
    relyingParty,
  }: {
    repository: PasskeysRepository;
    challenges: PasskeyChallenges;
    relyingParty: RelyingParty | undefined;
  },
): AcceptPasskey {
  return async (transaction, userId, proof, requireUserVerification) => {
    if (!relyingParty) return false;
    const passkey = await repository.hold(transaction, userId, Buffer.from(proof.id, 'base64url'));
    if (!passkey || passkey.relying_party !== relyingParty.id) return false;
    const challenge = readChallenge(proof.response.clientDataJSON);
    if (!challenges.isOpen(proofPurpose, challenge)) return false;
    const { userHandle, ...response } = proof.response;
    const { authenticatorAttachment, ...credential } = proof;
    // Loaded when the first one comes: a start would wait for it.
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: {
          ...credential,
          ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
          response: { ...response, ...(userHandle ? { userHandle } : {}) },
        },
        expectedChallenge: challenge,
        expectedOrigin: relyingParty.origin,
        expectedRPID: relyingParty.id,
        credential: {
          id: proof.id,
          publicKey: new Uint8Array(passkey.public_key),
          counter: Number(passkey.counter),
        },
        requireUserVerification,
      });
      if (!verified) return false;
      if (!(await challenges.consume(transaction, proofPurpose, challenge))) return false;
      const { newCounter: counter, credentialBackedUp: isSynced } = authenticationInfo;
      await repository.noteUse(transaction, passkey.id, { counter, isSynced, at: clock.now() });
      return true;
    } catch {
      // The library says by errors what of a proof is wrong.
      return false;
    }
  };
}
