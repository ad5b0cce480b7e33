import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../clock.ts';
import { ReplayWindow } from './replay-window.ts';

/** Why a message is dropped. `foreign`: no node of this installation has written it. */
export const dropReasons = ['oversized', 'foreign', 'stale', 'replayed'] as const;
export type DropReason = (typeof dropReasons)[number];

/** Whoever is more than that off is not believed; nodes keep their clocks by NTP. */
const maxAgeMs = 30_000;
/** A sender of which nothing was heard for so long is forgotten: whatever it said is stale by then. */
const forgottenAfterMs = 4 * maxAgeMs;
const maxSenders = 1000;

export const maxMessageBytes = 256 * 1024;
const algorithm = 'aes-256-gcm';
const nonceBytes = 24;
const tagBytes = 16;
const headBytes = 1 + nonceBytes + tagBytes;
/** Raised when the envelope changes; what a message says has its own rules. */
const envelopeVersion = 2;

const envelope = z.object({
  from: z.string().min(1).max(64),
  /** Milliseconds. */
  at: z.number(),
  counter: z.number(),
  body: z.unknown(),
});

export interface EncryptedMessages {
  /** Undefined for a message that is too long for any node. */
  encrypt(where: string, body: unknown): Buffer | undefined;
  open(where: string, bytes: Uint8Array): { from: string; body: unknown } | DropReason;
}

/**
 * Messages between nodes as they pass a broker that is not believed: each carries its sender, time and counter, and is encrypted and
 * authenticated together with where it was sent, so that without the key none can be read, made, changed, moved to another subject or
 * told twice.
 */
export function createEncryptedMessages(dependencies: {
  key: Buffer;
  getSender: () => string;
  clock: Clock;
}): EncryptedMessages {
  const { key, getSender, clock } = dependencies;
  const senders = new Map<string, ReplayWindow>();
  let counter = 0;

  // A key for each message: all nodes share one for ever, under which random nonces of AES-GCM run out after 2^32 messages (NIST SP
  // 800-38D, section 8.3). One that is used once may have any nonce.
  const keyOf = (nonce: Uint8Array) => createHmac('sha256', key).update(nonce).digest();
  const noNonce = Buffer.alloc(12);
  const placeOf = (where: string) => Buffer.from(`${envelopeVersion}\0${where}`);

  function decrypt(where: string, bytes: Uint8Array): string | undefined {
    const nonce = bytes.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv(algorithm, keyOf(nonce), noNonce, { authTagLength: tagBytes })
      .setAAD(placeOf(where))
      .setAuthTag(bytes.subarray(1 + nonceBytes, headBytes));
    const text = decipher.update(bytes.subarray(headBytes));
    try {
      return Buffer.concat([text, decipher.final()]).toString();
    } catch {
      return undefined; // the tag is another one
    }
  }

  function windowOf(sender: string, now: number): ReplayWindow {
    const known = senders.get(sender);
    if (known) return known;
    if (senders.size >= maxSenders) {
      for (const [id, { usedAt }] of senders) if (now - usedAt > forgottenAfterMs) senders.delete(id);
    }
    const window = new ReplayWindow();
    senders.set(sender, window);
    return window;
  }

  return {
    encrypt(where, body) {
      counter += 1;
      const text = Buffer.from(
        JSON.stringify({ from: getSender(), at: clock.now().getTime(), counter, body }),
      );
      if (text.length + headBytes > maxMessageBytes) return undefined;
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, keyOf(nonce), noNonce).setAAD(placeOf(where));
      const encrypted = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([Buffer.of(envelopeVersion), nonce, cipher.getAuthTag(), encrypted]);
    },

    open(where, bytes) {
      if (bytes.length > maxMessageBytes) return 'oversized';
      if (bytes.length <= headBytes || bytes[0] !== envelopeVersion) return 'foreign';
      const text = decrypt(where, bytes);
      if (text === undefined) return 'foreign';
      const read = envelope.safeParse(JSON.parse(text));
      if (!read.success) return 'foreign';
      const { from, at, counter: number, body } = read.data;
      const now = clock.now().getTime();
      if (Math.abs(now - at) > maxAgeMs) return 'stale';
      return windowOf(from, now).take(number, now) ? { from, body } : 'replayed';
    },
  };
}
