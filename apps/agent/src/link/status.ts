import { getPublicKey, keyFingerprint } from '@pult/link';
import type { StateDir } from '../platform/state-dir.ts';
import { describeActivationLink } from './activation-link.ts';
import type { Identity } from './identity.ts';

export const STATUS_FILE = 'status.json';

/** What `pult-agent status` shows. */
export interface Status {
  serialNumber: string;
  /** Of its key: an admin compares it before this machine replaces another one. */
  fingerprint: string;
  server: string;
  link: 'starting' | 'enrolling' | 'connected' | 'waiting';
  reason: string | null;
  activated: boolean | null;
  activationLink: string | null;
  /** Why the key that was sent has not claimed this machine, as a line. */
  keyRefusal: string | null;
  /** When `link` became what it is. RFC 3339. */
  since: string;
}

export interface StatusKeeper {
  readonly current: Status;
  /** Writes the file only when something changes: flash wears out. */
  update(change: Partial<Omit<Status, 'since'>>): void;
}

export function keepStatus(state: StateDir, { serialNumber, serverUrl, key }: Identity): StatusKeeper {
  let current: Status = {
    serialNumber,
    fingerprint: keyFingerprint(getPublicKey(key)),
    server: serverUrl,
    link: 'starting',
    reason: null,
    activated: null,
    activationLink: null,
    keyRefusal: null,
    since: new Date().toISOString(),
  };
  state.write(STATUS_FILE, current);
  return {
    get current() {
      return current;
    },
    update(change) {
      const next = { ...current, ...change };
      if (JSON.stringify(next) === JSON.stringify(current)) return;
      if (next.link !== current.link) next.since = new Date().toISOString();
      current = next;
      state.write(STATUS_FILE, current);
    },
  };
}

/** The lines of `pult-agent status`; null for a file that is no status. */
export function formatStatus(content: unknown): string[] | null {
  const status = (content ?? {}) as Partial<Status>;
  if (typeof status.serialNumber !== 'string' || typeof status.link !== 'string') return null;
  const lines = [
    `serial number: ${status.serialNumber}`,
    // The file of an agent that was not restarted since its update has none.
    ...(status.fingerprint ? [`key fingerprint: ${status.fingerprint}`] : []),
    `server: ${status.server}`,
    `link: ${status.link}${status.reason ? ` (${status.reason})` : ''} since ${status.since}`,
  ];
  if (status.activated) lines.push('activated: yes');
  else {
    if (status.keyRefusal) lines.push(status.keyRefusal);
    if (status.activationLink) lines.push(...describeActivationLink(status.activationLink));
  }
  return lines;
}
