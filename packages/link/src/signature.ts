import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { PUBLIC_KEY_BYTES } from './device-key.ts';

/** What a signature is bound to. `audience` is the server address the agent was given, normalized. */
export interface LinkClaim {
  audience: string;
  serialNumber: string;
  nonce: string;
}

/** An enrolment also binds the exact bytes of its request body. */
export interface EnrolmentClaim extends LinkClaim {
  body: string | Buffer;
}

const DOMAIN = 'pult-signature/1';
const SIGNATURE_BYTES = 64;

/** Returns the 64-byte Ed25519 signature. */
export function signLink(privateKey: KeyObject, claim: LinkClaim): Buffer {
  return sign(null, getMessage('link', claim, ''), privateKey);
}

/** False for anything but a right signature by this raw 32-byte key; never throws. */
export function verifyLink(publicKey: Buffer, claim: LinkClaim, signature: Buffer): boolean {
  return verifyMessage(publicKey, getMessage('link', claim, ''), signature);
}

/** Returns the 64-byte Ed25519 signature. */
export function signEnrolment(privateKey: KeyObject, claim: EnrolmentClaim): Buffer {
  return sign(null, getMessage('enrolment', claim, hashBody(claim.body)), privateKey);
}

/** False for anything but a right signature by this raw 32-byte key; never throws. */
export function verifyEnrolment(publicKey: Buffer, claim: EnrolmentClaim, signature: Buffer): boolean {
  return verifyMessage(publicKey, getMessage('enrolment', claim, hashBody(claim.body)), signature);
}

function hashBody(body: string | Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Returns base64url of the 64-byte Ed25519 signature of an update's manifest, as text. */
export function signManifest(privateKey: KeyObject, manifest: string): string {
  return sign(null, joinFields(['update', manifest]), privateKey).toString('base64url');
}

/** False for anything but a right signature by this raw 32-byte key; never throws. */
export function verifyManifest(publicKey: Buffer, manifest: string, signature: string): boolean {
  return verifyMessage(publicKey, joinFields(['update', manifest]), Buffer.from(signature, 'base64url'));
}

/** The word of a key that another one, base64url of its 32 bytes, signs updates from now on. */
export function signRotation(privateKey: KeyObject, nextKey: string): string {
  return sign(null, joinFields(['update-key', nextKey]), privateKey).toString('base64url');
}

/** False for anything but a right signature by this raw 32-byte key; never throws. */
export function verifyRotation(publicKey: Buffer, nextKey: string, signature: string): boolean {
  return verifyMessage(publicKey, joinFields(['update-key', nextKey]), Buffer.from(signature, 'base64url'));
}

function getMessage(purpose: 'link' | 'enrolment', claim: LinkClaim, bodyHash: string): Buffer {
  return joinFields([purpose, claim.audience, claim.serialNumber, claim.nonce, bodyHash]);
}

/** Every field carries its length, so no two different claims give the same bytes; the first is what it is for. */
function joinFields(fields: readonly string[]): Buffer {
  return Buffer.concat(
    [DOMAIN, ...fields].flatMap((field) => {
      const bytes = Buffer.from(field, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

function verifyMessage(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  try {
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') },
      format: 'jwk',
    });
    return verify(null, message, key, signature);
  } catch {
    // OpenSSL throws on bytes that are no point of the curve: simply not a right signature.
    return false;
  }
}
