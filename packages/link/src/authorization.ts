import { isSerialNumber } from './serial-number.ts';

/** The parts of `Authorization: Pult <serial>.<nonce>.<signature>`. */
export interface LinkAuthorization {
  serialNumber: string;
  /** base64url, at most 128 characters */
  nonce: string;
  /** 64 bytes */
  signature: Buffer;
}

// 64 bytes of signature are 86 characters of base64url.
const pattern = /^Pult ([A-Z0-9-]{1,36})\.([A-Za-z0-9_-]{1,128})\.([A-Za-z0-9_-]{86})$/;

export function formatAuthorization({ serialNumber, nonce, signature }: LinkAuthorization): string {
  return `Pult ${serialNumber}.${nonce}.${signature.toString('base64url')}`;
}

/** Null for a missing or malformed header. */
export function parseAuthorization(header: string | undefined): LinkAuthorization | null {
  const match = pattern.exec(header ?? '');
  const [, serialNumber, nonce, encoded] = match ?? [];
  if (!serialNumber || !nonce || !encoded || !isSerialNumber(serialNumber)) return null;
  const signature = Buffer.from(encoded, 'base64url');
  // The last character of base64url has spare bits: one signature has exactly one spelling here.
  if (signature.toString('base64url') !== encoded) return null;
  return { serialNumber, nonce, signature };
}
