import * as z from 'zod';
import { type KeyRotations, keyRotationsSchema, serialNumberSchema } from './messages.ts';
import { verifyManifest, verifyRotation } from './signature.ts';

/** More than any agent has; what is longer is not taken, whoever has signed it. */
export const MAX_AGENT_BYTES = 16 * 1024 * 1024;

const signatureSchema = z.string().regex(/^[A-Za-z0-9_-]{86}$/);

/** What is signed of an update. It is for one device alone, so that what one was allowed is worth nothing to another. */
const updateManifestSchema = z.object({
  id: z.uuid(),
  serialNumber: serialNumberSchema,
  version: z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.+-]{0,63}$/),
  /** Bytes. */
  size: z.int().min(1).max(MAX_AGENT_BYTES),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Somebody asked for it although the version is older than the one that runs. */
  mayDowngrade: z.boolean(),
});
export type UpdateManifest = z.infer<typeof updateManifestSchema>;

/** The first line of POST /v1/update on the link. */
export const updateOfferSchema = z.object({
  /** JSON of a manifest, exactly as it was signed. */
  manifest: z.string().max(2048),
  signature: signatureSchema,
  rotations: keyRotationsSchema,
});
export type UpdateOffer = z.infer<typeof updateOfferSchema>;

/**
 * The key to which this one has handed over, itself where it has not; undefined where one of the words in between is not its own.
 * What was said before it got there counts no more: said again, it leads nowhere.
 */
export function followRotations(rotations: KeyRotations, pinned: string): string | undefined {
  let key = pinned;
  for (const { from, to, signature } of rotations) {
    if (from !== key) continue;
    if (!verifyRotation(Buffer.from(key, 'base64url'), to, signature)) return undefined;
    key = to;
  }
  return key;
}

/**
 * The manifest of an offer that the pinned key has signed, or one that it has handed over to, and that key; undefined for
 * any other. `pinned`: base64url of 32 bytes.
 */
export function openOffer(
  offer: UpdateOffer,
  pinned: string,
): { manifest: UpdateManifest; key: string } | undefined {
  const key = followRotations(offer.rotations, pinned);
  if (key === undefined) return undefined;
  if (!verifyManifest(Buffer.from(key, 'base64url'), offer.manifest, offer.signature)) return undefined;
  try {
    const manifest = updateManifestSchema.safeParse(JSON.parse(offer.manifest));
    return manifest.success ? { manifest: manifest.data, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Below 0 where `a` is older than `b`, by the order of semver.org; builds count as equal. */
export function compareVersions(a: string, b: string): number {
  const [coreA = '', beforeA] = splitVersion(a);
  const [coreB = '', beforeB] = splitVersion(b);
  const order = compareParts(coreA, coreB);
  if (order !== 0 || beforeA === beforeB) return order;
  // What comes before a release is older than it.
  if (beforeA === undefined || beforeB === undefined) return beforeA === undefined ? 1 : -1;
  return compareParts(beforeA, beforeB);
}

function splitVersion(version: string): [string, string?] {
  const [, core = '', before] = /^([^-+]*)(?:-([^+]*))?/.exec(version) ?? [];
  return before === undefined ? [core] : [core, before];
}

function compareParts(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index], right[index]];
    if (one === other) continue;
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const areNumbers = /^[0-9]+$/.test(one) && /^[0-9]+$/.test(other);
    const order = areNumbers ? Number(one) - Number(other) : one < other ? -1 : 1;
    if (order !== 0) return order;
  }
  return 0;
}
