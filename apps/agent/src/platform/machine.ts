import { readFileSync } from 'node:fs';
import type { StateDir } from './state-dir.ts';

/** Reads a small text file; undefined when there is none, it cannot be read, or it is empty. */
export function readTextFile(path: string): string | undefined {
  try {
    // A device tree ends its texts with a zero.
    return (
      readFileSync(path, 'utf8')
        .replace(/(?<![\0\s])[\0\s]+$/, '')
        .trim() || undefined
    );
  } catch {
    return undefined;
  }
}

/** systemd's or D-Bus's id of this installation; a cloned card gets a new one at its first start. */
export function getMachineId(): string | undefined {
  return readTextFile('/etc/machine-id') ?? readTextFile('/var/lib/dbus/machine-id');
}

/** Where the root cannot be written systemd makes an id for each start anew, and mounts it over the file. */
function isIdOfOneStart(): boolean {
  return /^\S+ \S+ \S+ \S+ \/etc\/machine-id /m.test(readTextFile('/proc/self/mountinfo') ?? '');
}

const MACHINE_FILE = 'machine-id.json';

/** The id that stays: where each start has another one, that of the first. */
export function keepMachineId(
  state: Pick<StateDir, 'read' | 'write'>,
  source = { read: getMachineId, isOfOneStart: isIdOfOneStart },
): string | undefined {
  const id = source.read();
  if (id === undefined || !source.isOfOneStart()) return id;
  const kept = state.read(MACHINE_FILE);
  if (typeof kept === 'string') return kept;
  state.write(MACHINE_FILE, id);
  return id;
}
