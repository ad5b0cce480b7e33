import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeBase32 } from '@pult/link';

/** What an activation token proves to have been shown: one device, by serial number and key. */
export interface TokenSubject {
  /** 5 random bytes that name the enrolment inside the token. */
  handle: Buffer;
  serialNumber: string;
  publicKey: Buffer;
  /** Grows when the tokens so far must die. */
  epoch: number;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const handleBytes = 5;
const macBytes = 10;
/** A token made at the very end of a period lives through the next one: 7 to 14 days. */
export const tokenPeriodMs = 7 * 24 * 3600 * 1000;

function periodOf(time: Date): number {
  return Math.floor(time.getTime() / tokenPeriodMs);
}

function macOf(key: Buffer, subject: TokenSubject, period: number): Buffer {
  const { serialNumber, publicKey, epoch } = subject;
  return createHmac('sha256', key)
    .update(`activation-token\n${serialNumber}\n${publicKey.toString('base64')}\n${epoch}\n${period}`)
    .digest()
    .subarray(0, macBytes);
}

/**
 * An HMAC over what it stands for, so that it can be shown again and is stored nowhere. 24 letters and digits
 * in groups of six, to be typed off a screen if need be; 80 bits of it are secret.
 */
export function createActivationToken(key: Buffer, subject: TokenSubject, now: Date): string {
  const text = encodeBase32(Buffer.concat([subject.handle, macOf(key, subject, periodOf(now))]));
  return text.replace(/(.{6})(?=.)/g, '$1-');
}

/** Reads a token in any case, with or without its hyphens; undefined when it cannot be one. */
export function parseActivationToken(token: string): { handle: Buffer; mac: Buffer } | undefined {
  const text = token.toUpperCase().replace(/[\s-]/g, '');
  if (!/^[A-Z2-7]{24}$/.test(text)) return undefined;
  let bits = 0n;
  for (const letter of text) bits = (bits << 5n) | BigInt(alphabet.indexOf(letter));
  const bytes = Buffer.from(bits.toString(16).padStart((handleBytes + macBytes) * 2, '0'), 'hex');
  return { handle: bytes.subarray(0, handleBytes), mac: bytes.subarray(handleBytes) };
}

/** True for a token of this period or the one before. */
export function isActivationMac(key: Buffer, subject: TokenSubject, mac: Buffer, now: Date): boolean {
  const period = periodOf(now);
  return [period, period - 1].some((candidate) => timingSafeEqual(macOf(key, subject, candidate), mac));
}
