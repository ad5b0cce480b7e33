import { createPublicKey } from 'node:crypto';
import ssh2, { type ParsedKey, type PublicKeyAuthContext } from 'ssh2';

/** Those that are served. Security keys and certificates are not among them until ssh2 reads them. */
const types = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];
const minRsaBits = 2048;
/** Whatever a verification would have to chew on. */
const maxRsaBits = 16_384;
/** SHA-1 signatures are not served, nor is anything that names no hash of its own where one is needed. */
const rsaHashes = ['sha256', 'sha512'];

export function isServedType(type: string): boolean {
  return types.includes(type);
}

/** Why a public key is not served; undefined for one that is. */
export function findKeyFault(key: ParsedKey): 'unreadable' | 'unsupported' | 'weak' | undefined {
  if (!isServedType(key.type)) return 'unsupported';
  try {
    // ssh2 looks at the form only: OpenSSL tells whether it is a key, and of what kind.
    const { asymmetricKeyDetails: details } = createPublicKey(key.getPublicPEM());
    if (key.type !== 'ssh-rsa') return undefined;
    const bits = details?.modulusLength ?? 0;
    if (bits < minRsaBits) return 'weak';
    return bits > maxRsaBits ? 'unsupported' : undefined;
  } catch {
    return 'unreadable';
  }
}

/** Whether an attempt, signed yet or not, is by a key of that type and by a hash that is served. */
export function isServedAttempt({ key, hashAlgo }: PublicKeyAuthContext, type: string): boolean {
  return key.algo === type && (type !== 'ssh-rsa' || rsaHashes.includes(hashAlgo ?? ''));
}

/** Whether the attempt is signed by the key of that blob. */
export function isSignedBy(
  attempt: PublicKeyAuthContext,
  { type, blob }: { type: string; blob: Buffer },
): boolean {
  const key = ssh2.utils.parseKey(blob);
  if (key instanceof Error || !attempt.blob || !attempt.signature) return false;
  const hash = type === 'ssh-rsa' ? attempt.hashAlgo : undefined;
  // An error, which is what ssh2 answers for a malformed signature, is not true.
  return key.verify(attempt.blob, attempt.signature, hash) === true;
}
