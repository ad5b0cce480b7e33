import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../clock.ts';
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
const macBytes = 32;
/** Raised when the envelope changes; what a message says has its own rules. */
const envelopeVersion = 1;

const envelope = z.object({
  from: z.string().min(1).max(64),
  /** Milliseconds. */
  at: z.number(),
  counter: z.number(),
  body: z.unknown(),
});

export interface SignedMessages {
  /** Undefined for a message that is too long for any node. */
  sign(where: string, body: unknown): Buffer | undefined;
  open(where: string, bytes: Uint8Array): { from: string; body: unknown } | DropReason;
}

/**
 * Messages between nodes as they pass a broker that is not believed: each carries its sender, time and counter, and an HMAC over
 * them and over where it was sent, so that none can be made, changed, moved to another subject or told twice without the key.
 */
export function createSignedMessages(dependencies: {
  key: Buffer;
  getSender: () => string;
  clock: Clock;
}): SignedMessages {
  const { key, getSender, clock } = dependencies;
  const senders = new Map<string, ReplayWindow>();
  let counter = 0;

  const macOf = (where: string, text: Uint8Array) =>
    createHmac('sha256', key).update(`${envelopeVersion}\0${where}\0`).update(text).digest();

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
    sign(where, body) {
      counter += 1;
      const text = Buffer.from(
        JSON.stringify({ from: getSender(), at: clock.now().getTime(), counter, body }),
      );
      if (text.length + macBytes + 1 > maxMessageBytes) return undefined;
      return Buffer.concat([Buffer.of(envelopeVersion), macOf(where, text), text]);
    },

    open(where, bytes) {
      if (bytes.length > maxMessageBytes) return 'oversized';
      if (bytes.length <= macBytes + 1 || bytes[0] !== envelopeVersion) return 'foreign';
      const text = bytes.subarray(macBytes + 1);
      if (!timingSafeEqual(bytes.subarray(1, macBytes + 1), macOf(where, text))) return 'foreign';
      const read = envelope.safeParse(JSON.parse(Buffer.from(text).toString()));
      if (!read.success) return 'foreign';
      const { from, at, counter: number, body } = read.data;
      const now = clock.now().getTime();
      if (Math.abs(now - at) > maxAgeMs) return 'stale';
      return windowOf(from, now).take(number, now) ? { from, body } : 'replayed';
    },
  };
}
