import { normalizeEmail } from '@pult/contract';
import type { AuthContext } from 'ssh2';
import { isServedAttempt, isSignedBy } from '../../../platform/ssh/public-keys.ts';
import { digestKey } from '../../../platform/ssh-fingerprint.ts';
import type { SshKeyOwner, SshKeysService } from '../../accounts/index.ts';

/** Keys offered and signatures given on one connection: an agent may hold a dozen. */
const maxOffers = 20;
/** Why the key of an attempt does not let in: for the log. */
export const jumpLoginReasons = [
  'key_unknown',
  'algorithm_refused',
  'signature_wrong',
  'wrong_user',
  'too_many_keys',
  'not_by_key',
] as const;
type Reason = (typeof jumpLoginReasons)[number];

export type LoginOutcome =
  | { kind: 'accept'; owner: SshKeyOwner }
  /** A good signature of a registered key, for another's name. */
  | { kind: 'wrong_user'; owner: SshKeyOwner; reason: Reason }
  | { kind: 'offer' }
  | { kind: 'reject'; reason?: Reason }
  | { kind: 'disconnect'; reason: Reason };

/** `you@example.com` or the name of a service account, or with its @ as %40, as people write it in an address. */
function readUserName(name: string): string {
  return normalizeEmail(name.includes('@') ? name : name.replace(/%40/g, '@'));
}

/**
 * Evaluates the attempts of one connection. What is answered to an offered key depends on the key alone and never on
 * the name, so that nobody learns which accounts exist; the name is compared only once the key's owner has signed.
 */
export function createJumpLogin(sshKeys: Pick<SshKeysService, 'getOwner'>, address: string) {
  let offers = 0;

  return async (attempt: AuthContext): Promise<LoginOutcome> => {
    // With `none` a client asks which methods there are.
    if (attempt.method === 'none') return { kind: 'reject' };
    if (attempt.method !== 'publickey') return { kind: 'reject', reason: 'not_by_key' };
    offers += 1;
    if (offers > maxOffers) return { kind: 'disconnect', reason: 'too_many_keys' };
    const owner = await sshKeys.getOwner(digestKey(attempt.key.data), address);
    if (!owner) return { kind: 'reject', reason: 'key_unknown' };
    if (!isServedAttempt(attempt, owner.type)) return { kind: 'reject', reason: 'algorithm_refused' };
    if (!attempt.signature) return { kind: 'offer' };
    if (!isSignedBy(attempt, owner)) return { kind: 'reject', reason: 'signature_wrong' };
    if (readUserName(attempt.username) !== normalizeEmail(owner.email))
      return { kind: 'wrong_user', owner, reason: 'wrong_user' };
    return { kind: 'accept', owner };
  };
}
