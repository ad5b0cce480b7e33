import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

export interface Challenges {
  /** A nonce for this serial number, valid for 60 s and good once. Nothing is stored until it is used. */
  create(serialNumber: string): string;
  /** True the first time a valid nonce is shown. */
  consume(serialNumber: string, nonce: string): boolean;
}

const lifetime = 60_000;
const expiryBytes = 6;
const randomPart = 12;
const macBytes = 16;

/**
 * The key lives as long as the process: a restart ends all open challenges, and with them the need to remember
 * the used ones.
 */
export function createChallenges(clock: Clock): Challenges {
  const key = randomBytes(32);
  const used = new Map<string, number>();

  const sign = (serialNumber: string, payload: Buffer) =>
    createHmac('sha256', key).update(payload).update(serialNumber).digest().subarray(0, macBytes);

  function forgetExpired(now: number): void {
    // Insertion order is nearly expiry order, so the scan ends at the first one still alive.
    for (const [nonce, expiry] of used) {
      if (expiry > now) break;
      used.delete(nonce);
    }
  }

  return {
    create(serialNumber) {
      const payload = Buffer.alloc(expiryBytes + randomPart);
      payload.writeUIntBE(clock.now().getTime() + lifetime, 0, expiryBytes);
      randomBytes(randomPart).copy(payload, expiryBytes);
      return Buffer.concat([payload, sign(serialNumber, payload)]).toString('base64url');
    },
    consume(serialNumber, nonce) {
      const bytes = Buffer.from(nonce, 'base64url');
      if (bytes.length !== expiryBytes + randomPart + macBytes) return false;
      const payload = bytes.subarray(0, expiryBytes + randomPart);
      if (!timingSafeEqual(bytes.subarray(payload.length), sign(serialNumber, payload))) return false;
      const now = clock.now().getTime();
      const expiry = payload.readUIntBE(0, expiryBytes);
      // By its bytes: base64url has more than one spelling of the same ones.
      const name = bytes.toString('base64');
      forgetExpired(now);
      if (expiry <= now || used.has(name)) return false;
      used.set(name, expiry);
      return true;
    },
  };
}
