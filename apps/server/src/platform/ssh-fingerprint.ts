import { createHash } from 'node:crypto';

/** SHA-256 of a public key's blob. */
export function digestKey(blob: Buffer): Buffer {
  return createHash('sha256').update(blob).digest();
}

/** A digest as OpenSSH shows it. */
export function formatFingerprint(digest: Buffer): string {
  return `SHA256:${digest.toString('base64').replaceAll('=', '')}`;
}

/** Of the blob of a public key. */
export function fingerprintOf(blob: Buffer): string {
  return formatFingerprint(digestKey(blob));
}
