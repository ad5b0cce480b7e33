import { followRotations, type LinkState } from '@pult/link';
import type { StateDir } from '../platform/state-dir.ts';

export const UPDATE_KEY_FILE = 'update-key.json';

/** The key whose updates this machine takes: base64url of 32 bytes; undefined while it knows none. */
export function readUpdateKey(state: StateDir): string | undefined {
  const { key } = (state.read(UPDATE_KEY_FILE) ?? {}) as { key?: unknown };
  return typeof key === 'string' ? key : undefined;
}

/**
 * Keeps the first key that a server names. Later only the word of the key that is known changes it: then the one that it has
 * handed over to is kept from now on.
 */
export function pinUpdateKey(
  state: StateDir,
  { updateKey, updateKeyRotations = [] }: Pick<LinkState, 'updateKey' | 'updateKeyRotations'>,
): 'handed over' | 'forged' | undefined {
  const known = readUpdateKey(state);
  if (known === undefined) {
    if (updateKey !== undefined) writeUpdateKey(state, updateKey);
    return undefined;
  }
  const key = followRotations(updateKeyRotations, known);
  if (key === undefined) return 'forged';
  if (key === known) return undefined;
  writeUpdateKey(state, key);
  return 'handed over';
}

/** Keeps the key to which the one before it has handed over. */
export function writeUpdateKey(state: StateDir, key: string): void {
  if (readUpdateKey(state) !== key) state.write(UPDATE_KEY_FILE, { key });
}
