import type { AuthContext, PublicKeyAuthContext } from 'ssh2';
import ssh2 from 'ssh2';
import { digestKey } from '../../../platform/ssh-fingerprint.ts';
import type { SshKeyOwner, SshKeysService } from '../../accounts/index.ts';

/** Keys offered and signatures given on one connection: an agent may hold a dozen. */
const maxOffers = 20;
/** SHA-1 signatures are not served, nor is anything that names no hash of its own where one is needed. */
const rsaHashes = ['sha256', 'sha512'];

export type LoginOutcome =
  | { kind: 'accept'; owner: SshKeyOwner }
  /** A good signature of a registered key, for another's name. */
  | { kind: 'wrong_user'; owner: SshKeyOwner }
  | { kind: 'offer' }
  | { kind: 'reject' }
  | { kind: 'disconnect' };

/** `you@example.com`, or with its @ as %40, as people write it in an address. */
function readUserName(name: string): string {
  if (name.includes('@')) return name.toLowerCase();
  return name.replace(/%40/g, '@').toLowerCase();
}

function isSigned(attempt: PublicKeyAuthContext, { type, blob }: SshKeyOwner): boolean {
  const key = ssh2.utils.parseKey(blob);
  if (key instanceof Error || !attempt.blob || !attempt.signature) return false;
  const hash = type === 'ssh-rsa' ? attempt.hashAlgo : undefined;
  // An error, which is what ssh2 answers for a malformed signature, is not true.
  return key.verify(attempt.blob, attempt.signature, hash) === true;
}

/**
 * Evaluates the attempts of one connection. What is answered to an offered key depends on the key alone and never on
 * the name, so that nobody learns which accounts exist; the name is compared only once the key's owner has signed.
 */
export function createJumpLogin(sshKeys: Pick<SshKeysService, 'getOwner'>) {
  let offers = 0;

  return async (attempt: AuthContext): Promise<LoginOutcome> => {
    if (attempt.method !== 'publickey') return { kind: 'reject' };
    offers += 1;
    if (offers > maxOffers) return { kind: 'disconnect' };
    const { algo, data } = attempt.key;
    const owner = await sshKeys.getOwner(digestKey(data));
    if (!owner || owner.type !== algo) return { kind: 'reject' };
    if (algo === 'ssh-rsa' && !rsaHashes.includes(attempt.hashAlgo ?? '')) return { kind: 'reject' };
    if (!attempt.signature) return { kind: 'offer' };
    if (!isSigned(attempt, owner)) return { kind: 'reject' };
    if (readUserName(attempt.username) !== owner.email) return { kind: 'wrong_user', owner };
    return { kind: 'accept', owner };
  };
}
