import { createHash, type KeyObject } from 'node:crypto';
import { createDeviceKey, exportDeviceKey, importDeviceKey } from '@pult/link';
import type { StateDir } from './state-dir.ts';

export const KEY_FILE = 'device-key.json';

interface KeyFile {
  privateKey: string;
  /** SHA-256 of the machine id the key was made on. */
  machine: string | null;
}

/**
 * This machine's key, made when there is none. A key that came here with a copied card is replaced:
 * two machines with one identity would push each other off the link.
 */
export function getDeviceKey(
  state: StateDir,
  machineId: string | undefined,
  log: (line: string) => void,
): KeyObject {
  const machine = machineId ? createHash('sha256').update(machineId).digest('hex') : null;
  const kept = parseKeyFile(state.read(KEY_FILE));
  if (kept) {
    if (!machine || !kept.machine || kept.machine === machine) return kept.key;
    log('key: made for another machine (a copied card?), making a new one');
  }
  const key = createDeviceKey();
  const file: KeyFile = { privateKey: exportDeviceKey(key), machine };
  state.write(KEY_FILE, file);
  return key;
}

function parseKeyFile(content: unknown): { key: KeyObject; machine: string | null } | null {
  const { privateKey, machine } = (content ?? {}) as Partial<KeyFile>;
  if (typeof privateKey !== 'string') return null;
  try {
    return { key: importDeviceKey(privateKey), machine: machine ?? null };
  } catch {
    return null;
  }
}
