import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

export interface Challenges {
  /** A nonce for this serial number, valid for 60 s and good once. Nothing is stored until it is used. */
  create(serialNumber: string): string;
  /** True for a nonce of ours that may still be used. */
  isOpen(serialNumber: string, nonce: string): boolean;
  /**
   * True once. Used nonces are remembered, so a request proves its signature first: nobody fills the memory with
   * what he cannot sign.
   */
  consume(serialNumber: string, nonce: string): boolean;
}

const lifetime = 60_000;
const expiryBytes = 6;
const randomPart = 12;
const macBytes = 16;

/**
 * The key of a server that is alone lives as long as its process: a restart ends all open challenges, and with them the need to
 * remember the used ones. Nodes share theirs, and remember the used ones together: `use` of a nonce that has passed `consume`.
 */
export function createChallenges(clock: Clock, key: Buffer = randomBytes(32)): Challenges {
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

  /** The time at which a nonce of ours for this serial number ends; undefined for any other bytes. */
  function readExpiry(serialNumber: string, bytes: Buffer): number | undefined {
    if (bytes.length !== expiryBytes + randomPart + macBytes) return undefined;
    const payload = bytes.subarray(0, expiryBytes + randomPart);
    if (!timingSafeEqual(bytes.subarray(payload.length), sign(serialNumber, payload))) return undefined;
    return payload.readUIntBE(0, expiryBytes);
  }

  /** Its end and its name, by its bytes: base64url has more than one spelling of the same ones. */
  function open(serialNumber: string, nonce: string): { name: string; expiry: number } | undefined {
    const bytes = Buffer.from(nonce, 'base64url');
    const expiry = readExpiry(serialNumber, bytes);
    const name = bytes.toString('base64');
    if (expiry === undefined || expiry <= clock.now().getTime() || used.has(name)) return undefined;
    return { name, expiry };
  }

  return {
    create(serialNumber) {
      const payload = Buffer.alloc(expiryBytes + randomPart);
      payload.writeUIntBE(clock.now().getTime() + lifetime, 0, expiryBytes);
      randomBytes(randomPart).copy(payload, expiryBytes);
      return Buffer.concat([payload, sign(serialNumber, payload)]).toString('base64url');
    },
    isOpen: (serialNumber, nonce) => open(serialNumber, nonce) !== undefined,
    consume(serialNumber, nonce) {
      forgetExpired(clock.now().getTime());
      const opened = open(serialNumber, nonce);
      if (opened) used.set(opened.name, opened.expiry);
      return opened !== undefined;
    },
  };
}
