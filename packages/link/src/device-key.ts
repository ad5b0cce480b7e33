import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

export const PUBLIC_KEY_BYTES = 32;

/**
 * A new Ed25519 key. Read back from its bytes: in Node.js 20 a key shares a mutex with the job that made it, and a garbage collection
 * of that job during an export of the key waits for that mutex for ever.
 */
export function createDeviceKey(): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' });
}

/** The raw 32-byte public key of an Ed25519 private key. */
export function getPublicKey(privateKey: KeyObject): Buffer {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (typeof x !== 'string') throw new TypeError('not an Ed25519 key');
  return Buffer.from(x, 'base64url');
}

/** PKCS#8 PEM, for a file only the agent can read. */
export function exportDeviceKey(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Reads what `exportDeviceKey` wrote. Throws when it is not an Ed25519 key. */
export function importDeviceKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  return key;
}

/** Short name of a key: base64url of the SHA-256 of its 32 raw bytes, 43 characters. */
export function keyId(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('base64url');
}

/** The same key as people compare it, in the form of OpenSSH's. */
export function keyFingerprint(publicKey: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKey).digest('base64').replaceAll('=', '')}`;
}
