import { readFileSync } from 'node:fs';

/** Reads a small text file; undefined when there is none, it cannot be read, or it is empty. */
export function readText(path: string): string | undefined {
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
  return readText('/etc/machine-id') ?? readText('/var/lib/dbus/machine-id');
}
