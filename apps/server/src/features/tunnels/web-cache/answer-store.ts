import { LRUCache } from 'lru-cache';
import type { KeptHead } from './cache-rules.ts';

/** Bytes: of bodies, and of what is known of them. */
export interface StoreLimits {
  inAll: number;
  perClaim: number;
  perAnswer: number;
}

/** Parts of what the cache may take in all: nobody's device takes it from the others, no answer from its own device. */
export const storeLimits = (inAll: number): StoreLimits => ({
  inAll,
  perClaim: Math.floor(inAll / 4),
  perAnswer: Math.floor(inAll / 16),
});

/** Whose device answers: entries end with it. */
export interface ClaimName {
  organizationId: string;
  controllerId: string;
  enrolmentId: string;
}

/** What is kept of one claim. */
export interface Claim extends ClaimName {
  readonly name: string;
  /** Sizes by keys, the one used longest ago first. */
  readonly sizes: Map<string, number>;
  /** With which anything of it was kept. */
  readonly codings: Set<string>;
  bytes: number;
  /** Of bodies that are still coming. */
  pending: number;
  /** What is still coming for it is not kept. */
  hasEnded: boolean;
}

/** One address of a claim's devices. */
export interface Resource {
  claim: Claim;
  /** Endpoint, scheme, host and path with its query. */
  name: string;
}

export interface Entry {
  head: KeptHead;
  readonly body: Buffer;
  isKept: boolean;
}

/** Of the maps, the policy and the objects of an entry; measured 1.1 kB (Node.js 20). */
const entryBytes = 2048;
/** Of the array and the strings of one header besides their letters. */
const headerBytes = 64;

const keyOf = ({ claim, name }: Resource, codings: string) => `${claim.name}\n${codings}\n${name}`;

function sizeOf(key: string, { head, body }: Entry): number {
  const letters = head.headers.reduce((sum, text) => sum + text.length, 0);
  return entryBytes + 2 * (key.length + letters) + headerBytes * head.headers.length + body.length;
}

export type AnswerStore = ReturnType<typeof createAnswerStore>;

/** Answers of devices, bounded in all and by claim; the one used longest ago goes first. */
export function createAnswerStore({ inAll, perClaim, perAnswer }: StoreLimits) {
  const claims = new Map<string, Claim>();
  /** A quarter is for bodies that are still coming. */
  const maxPending = { inAll: Math.floor(inAll / 4), perClaim: Math.floor(perClaim / 2) };
  let pending = 0;
  const entries = new LRUCache<string, Entry, unknown>({
    maxSize: inAll - maxPending.inAll,
    maxEntrySize: perClaim,
    sizeCalculation: (entry, key) => sizeOf(key, entry),
    dispose: (entry, key) => {
      entry.isKept = false;
      const claim = claims.get(key.slice(0, key.indexOf('\n')));
      const size = claim?.sizes.get(key);
      if (!claim || size === undefined) return;
      claim.sizes.delete(key);
      claim.bytes -= size;
    },
  });

  return {
    limits: { inAll, perClaim, perAnswer },
    /** Of all that is kept and still coming. */
    get bytes() {
      return entries.calculatedSize + pending;
    },

    claim({ organizationId, controllerId, enrolmentId }: ClaimName): Claim {
      const name = `${organizationId} ${controllerId} ${enrolmentId}`;
      const known = claims.get(name);
      if (known) return known;
      const claim: Claim = {
        ...{ name, organizationId, controllerId, enrolmentId },
        ...{ sizes: new Map(), codings: new Set(), bytes: 0, pending: 0, hasEnded: false },
      };
      claims.set(name, claim);
      return claim;
    },

    get(resource: Resource, codings: string): Entry | undefined {
      const key = keyOf(resource, codings);
      const entry = entries.get(key);
      const { sizes } = resource.claim;
      const size = sizes.get(key);
      if (entry && size !== undefined) {
        sizes.delete(key);
        sizes.set(key, size);
      }
      return entry;
    },

    /** In place of what was there. It is not kept where it is too large, or its claim has ended. */
    set(resource: Resource, codings: string, kept: { head: KeptHead; body: Buffer }): Entry {
      const { claim } = resource;
      const key = keyOf(resource, codings);
      entries.delete(key);
      const entry: Entry = { ...kept, isKept: false };
      const size = sizeOf(key, entry);
      if (claim.hasEnded || size > perClaim) return entry;
      entry.isKept = true;
      claim.sizes.set(key, size);
      claim.codings.add(codings);
      claim.bytes += size;
      entries.set(key, entry);
      for (const oldest of claim.sizes.keys()) {
        if (claim.bytes <= perClaim) break;
        entries.delete(oldest);
      }
      return entry;
    },

    /** With whatever codings. */
    delete(resource: Resource): void {
      // The claim of that name as it is now: it may have begun anew since.
      const { codings = [] } = claims.get(resource.claim.name) ?? {};
      for (const each of codings) entries.delete(keyOf(resource, each));
    },

    /** Makes room for a body that is coming; false where there is none. */
    reserve(claim: Claim, bytes: number): boolean {
      if (claim.hasEnded) return false;
      if (pending + bytes > maxPending.inAll || claim.pending + bytes > maxPending.perClaim) return false;
      pending += bytes;
      claim.pending += bytes;
      return true;
    },

    release(claim: Claim, bytes: number): void {
      pending -= bytes;
      claim.pending -= bytes;
    },

    /** Ends all that is kept, and still coming, of these claims. */
    end(isEnded: (claim: ClaimName) => boolean): void {
      for (const claim of [...claims.values()]) {
        if (!isEnded(claim)) continue;
        claim.hasEnded = true;
        for (const key of [...claim.sizes.keys()]) entries.delete(key);
        claims.delete(claim.name);
      }
    },
  };
}
