import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { encodeBase32, normalizeSerialNumber } from '@pult/link';
import { getMachineId, readTextFile } from './machine.ts';

/** Where a serial can come from, the best first; undefined where a source has none. */
export interface SerialSources {
  askWirenBoard(): Promise<string | undefined>;
  readDeviceTree(): string | undefined;
  readMachineId(): string | undefined;
}

export const deviceSources: SerialSources = {
  askWirenBoard: () =>
    new Promise((resolve) => {
      // Asked by root, who alone may, before the agent was started.
      const asked = process.env.PULT_BOARD_SERIAL;
      if (asked) {
        resolve(asked);
        return;
      }
      execFile('wb-gen-serial', ['-s'], { timeout: 5000, maxBuffer: 4096 }, (error, stdout) =>
        resolve(error ? undefined : stdout.trim() || undefined),
      );
    }),
  readDeviceTree: () => readTextFile('/proc/device-tree/serial-number'),
  readMachineId: getMachineId,
};

// What makers leave in place of a serial; thousands of boards would share it.
const placeholder = /^(0+|1234567890?|none|n\/a|unknown|default string|to be filled.*|system serial.*)$/i;

/** This machine's serial number: configured, or the first source that has one. */
export async function findSerialNumber(
  configured: string | undefined,
  sources: SerialSources = deviceSources,
): Promise<string> {
  if (configured !== undefined) return normalizeSerialNumber(configured);
  const fromBoard = useful(await sources.askWirenBoard()) ?? useful(sources.readDeviceTree());
  if (fromBoard !== undefined) return normalizeSerialNumber(fromBoard);
  const id = sources.readMachineId() ?? hostname();
  return encodeBase32(createHash('sha256').update(`pult-serial ${id}`).digest()).slice(0, 8);
}

function useful(serial: string | undefined): string | undefined {
  return serial === undefined || placeholder.test(serial) ? undefined : serial;
}
