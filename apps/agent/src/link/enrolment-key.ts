import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { KEY_REFUSAL_HEADER, type LinkRefusal, refusalSchema } from '@pult/link';
import type { StateDir } from '../platform/state-dir.ts';

export const ENROLMENT_KEY_FILE = 'enrolment-key.json';

/** How keys of organizations begin, and ENROLLMENT_KEY of a server does not. */
const ofOrganization = 'pek_';

/**
 * Whether the settings have a key of an organization that no server has taken yet: it is for a machine that was
 * enrolled before, too. One that was taken is not shown again by a mere start: whoever deleted the controller meant it.
 */
export function isKeyNew(state: StateDir, key: string | undefined): boolean {
  if (!key?.startsWith(ofOrganization)) return false;
  const kept = (state.read(ENROLMENT_KEY_FILE) ?? {}) as { hash?: unknown };
  return kept.hash !== hashOf(key);
}

/** Keeps that a server has taken it. */
export function markKeyTaken(state: StateDir, key: string | undefined): void {
  if (isKeyNew(state, key) && key !== undefined) state.write(ENROLMENT_KEY_FILE, { hash: hashOf(key) });
}

/** Why the key of an enrolment does not count; undefined where it does, or there was none. */
export function readKeyRefusal(headers: IncomingHttpHeaders): LinkRefusal | undefined {
  const encoded = headers[KEY_REFUSAL_HEADER];
  if (typeof encoded !== 'string') return undefined;
  try {
    return refusalSchema.parse(JSON.parse(Buffer.from(encoded, 'base64url').toString()));
  } catch {
    return { code: 'unknown' }; // a newer server's words
  }
}

export function describeKeyRefusal({ code, detail }: LinkRefusal): string {
  return `enrolment key: not used (${detail ?? code})`;
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
