import { getPublicKey, keyId } from '@pult/link';
import type { StateDir } from '../platform/state-dir.ts';
import type { Identity } from './identity.ts';

export const RETURN_TOKEN_FILE = 'return-token.json';

/** The nonce that the server handed out for the next link; undefined where it has not, or to another identity. */
export function readReturnToken(state: StateDir, identity: Identity): string | undefined {
  const kept = (state.read(RETURN_TOKEN_FILE) ?? {}) as { for?: unknown; token?: unknown };
  if (kept.for !== describe(identity) || typeof kept.token !== 'string') return undefined;
  return /^[A-Za-z0-9_-]{16,128}$/.test(kept.token) ? kept.token : undefined;
}

/** Keeps it until the next link, over a restart too. Without its key it is worth nothing. */
export function writeReturnToken(state: StateDir, identity: Identity, token: string): void {
  state.write(RETURN_TOKEN_FILE, { for: describe(identity), token });
}

export function forgetReturnToken(state: StateDir): void {
  state.remove(RETURN_TOKEN_FILE);
}

function describe({ serverUrl, serialNumber, key }: Identity): string {
  return `${serverUrl} ${serialNumber} ${keyId(getPublicKey(key))}`;
}
