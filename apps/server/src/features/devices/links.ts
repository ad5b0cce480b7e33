import type { Duplex } from 'node:stream';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/errors.ts';
import type { DeviceConnection } from './device-connection.ts';
import { whenConnected } from './when-connected.ts';

interface Held {
  link: DeviceConnection;
  /** The last times at which a newer link took over, newest last. */
  replacements: number[];
}

export interface Links {
  /** Takes over from an older link of the same device, which is cut. */
  add(enrolmentId: string, link: DeviceConnection): void;
  get(enrolmentId: string): DeviceConnection | undefined;
  listIds(): string[];
  /** Two machines with one key keep replacing each other (cloned cards). */
  isDuplicated(enrolmentId: string): boolean;
  /**
   * Bytes to an endpoint of a device, once the device has connected it. Rejects with `controller_offline` without a link,
   * with an EndpointError, or with the signal's reason.
   */
  connect(
    device: { enrolmentId: string; serialNumber: string },
    endpoint: string,
    signal?: AbortSignal,
  ): Promise<Duplex>;
  /** Called whenever a device got its first link or lost its last. */
  onChange(listener: (enrolmentId: string) => void): void;
  /** Says goodbye to all; devices come back spread over the grace period. */
  drain(graceMs: number): void;
  closeAll(): Promise<void>;
}

const duplicateWindow = 2 * 60_000;
const duplicateCount = 4;

/** The live links of this server by their devices. */
export function createLinks(clock: Clock): Links {
  const held = new Map<string, Held>();
  const listeners: ((enrolmentId: string) => void)[] = [];

  return {
    add(enrolmentId, link) {
      const older = held.get(enrolmentId);
      const now = clock.now().getTime();
      const replacements = older ? [...older.replacements, now].slice(-duplicateCount) : [];
      // First the new one, so that the end of the old one is not taken for the end of the device.
      held.set(enrolmentId, { link, replacements });
      older?.link.close('replaced');
      void link.closed.then(() => {
        if (held.get(enrolmentId)?.link !== link) return;
        held.delete(enrolmentId);
        for (const listener of listeners) listener(enrolmentId);
      });
      for (const listener of listeners) listener(enrolmentId);
    },
    get: (enrolmentId) => held.get(enrolmentId)?.link,
    listIds: () => [...held.keys()],
    isDuplicated(enrolmentId) {
      const since = clock.now().getTime() - duplicateWindow;
      const replacements = held.get(enrolmentId)?.replacements ?? [];
      return replacements.filter((time) => time > since).length >= duplicateCount;
    },
    async connect({ enrolmentId, serialNumber }, endpoint, signal) {
      const link = held.get(enrolmentId)?.link;
      if (!link) throw new DomainError('controller_offline', { serialNumber });
      signal?.throwIfAborted();
      return whenConnected(link.open(endpoint), signal);
    },
    onChange: (listener) => void listeners.push(listener),
    drain(graceMs) {
      for (const { link } of held.values()) link.drain(graceMs);
    },
    async closeAll() {
      const links = [...held.values()].map(({ link }) => link);
      for (const link of links) link.close('shutdown');
      await Promise.all(links.map((link) => link.closed));
    },
  };
}
