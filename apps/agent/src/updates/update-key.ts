import type { StateDir } from '../platform/state-dir.ts';

export const UPDATE_KEY_FILE = 'update-key.json';

/** The key whose updates this machine takes: base64url of 32 bytes; undefined while it knows none. */
export function readUpdateKey(state: StateDir): string | undefined {
  const { key } = (state.read(UPDATE_KEY_FILE) ?? {}) as { key?: unknown };
  return typeof key === 'string' ? key : undefined;
}

/** Keeps the first key that a server names, at the enrolment: no later word of a server changes it. */
export function pinUpdateKey(state: StateDir, key: string | undefined): void {
  if (key !== undefined && readUpdateKey(state) === undefined) writeUpdateKey(state, key);
}

/** Keeps the key to which the one before it has handed over. */
export function writeUpdateKey(state: StateDir, key: string): void {
  if (readUpdateKey(state) !== key) state.write(UPDATE_KEY_FILE, { key });
}
