import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/errors.ts';
import type { DeviceConnection, EndpointStream, OpenOptions } from './device-connection.ts';
import { createLinkCounts, type LinkCounts } from './link-counts.ts';
import { addTraffic, meterTraffic, type Traffic, type TrafficMeter } from './traffic-meter.ts';

interface Held {
  link: DeviceConnection;
  /** Drawn from the database as the device was let in: of two links the one with the higher is newer. */
  generation: number;
  meter: TrafficMeter;
  /** The last times at which a newer link took over, newest last. */
  replacements: number[];
  /** Of the last cut, in milliseconds: when the link ends unless it goes on before. */
  waitsUntil: number;
}

/** `link`: it has another one, or none. `waiting`: the one it has was cut, or goes on. */
export type LinkListener = (enrolmentId: string, change: 'link' | 'waiting') => void;

export interface LocalLinks {
  /** Takes over from an older link of the same device, which is cut; cut itself where it is the older one. Its bytes are counted from here on. */
  add(enrolmentId: string, link: DeviceConnection, generation?: number): void;
  /** Of the link that is held here, be it cut and waited for. */
  getGeneration(enrolmentId: string): number | undefined;
  /** The link that is held here goes on over another connection, with which its device was let in anew. */
  renew(enrolmentId: string, generation: number): void;
  /** Cuts a link in whose place another node has a newer one. */
  replace(enrolmentId: string): void;
  /** The last times at which a newer link took over. */
  listReplacements(enrolmentId: string): readonly number[];
  /** A node at which the device was before has seen those, and that this link took over. */
  noteReplacements(enrolmentId: string, times: readonly number[]): void;
  /** The link of a device that is reached now. */
  get(enrolmentId: string): DeviceConnection | undefined;
  /** For how many milliseconds a link that was cut will still be waited for; undefined where none is. */
  getWait(enrolmentId: string): number | undefined;
  /** Links that were cut and are still waited for. */
  countWaiting(): number;
  readonly counts: LinkCounts;
  /** Devices that are reached now. */
  listIds(): string[];
  /** Two machines with one key keep replacing each other (cloned cards). */
  isDuplicated(enrolmentId: string): boolean;
  /**
   * Bytes to an endpoint of a device, at once: what is written goes with the request for it. That the device has connected is the
   * stream's `connect`, a refusal its error, an EndpointError. Throws `controller_offline` without a link.
   */
  open(
    device: { enrolmentId: string; serialNumber: string },
    endpoint: string,
    options?: OpenOptions,
  ): EndpointStream;
  /** What went to and from each device since it was taken last, whether or not it is still linked. */
  takeTraffic(): Map<string, Traffic>;
  /** Resolves when each of the links that are there now has ended. */
  whenAllClosed(): Promise<void>;
  /** Called whenever a device can be reached or not any more, until the returned function is called. */
  onChange(listener: LinkListener): () => void;
  /** Says goodbye to all; devices come back spread over the grace period. */
  drain(graceMs: number): void;
  closeAll(): Promise<void>;
}

const duplicateWindow = 2 * 60_000;
const duplicateCount = 4;

/** The live links of this server by their devices. */
export function createLocalLinks(clock: Clock): LocalLinks {
  const held = new Map<string, Held>();
  const listeners = new Set<LinkListener>();
  const counts = createLinkCounts();
  /** Of links that have ended. */
  let ended = new Map<string, Traffic>();

  function addTo(sums: Map<string, Traffic>, enrolmentId: string, traffic: Traffic): void {
    const sum = sums.get(enrolmentId);
    if (sum) addTraffic(sum, traffic);
    else sums.set(enrolmentId, traffic);
  }

  async function whenAllClosed(): Promise<void> {
    await Promise.all([...held.values()].map(({ link }) => link.closed));
  }

  const tell: LinkListener = (enrolmentId, change) => {
    for (const listener of listeners) listener(enrolmentId, change);
  };

  function getReached(enrolmentId: string): DeviceConnection | undefined {
    const link = held.get(enrolmentId)?.link;
    return link?.isWaiting ? undefined : link;
  }

  const open: LocalLinks['open'] = ({ enrolmentId, serialNumber }, endpoint, options) => {
    const link = getReached(enrolmentId);
    if (!link) throw new DomainError('controller_offline', 'not_linked', { serialNumber });
    const stream = link.open(endpoint, options);
    // A refusal may come before anybody listens: unheard, it would end the process.
    stream.on('error', () => {});
    counts.countStream(endpoint, stream);
    return stream;
  };

  return {
    add(enrolmentId, link, generation = 0) {
      const older = held.get(enrolmentId);
      if (older && older.generation > generation) {
        link.close('replaced');
        return;
      }
      const now = clock.now().getTime();
      const meter = meterTraffic(link);
      const replacements = older ? [...older.replacements, now].slice(-duplicateCount) : [];
      // First the new one, so that the end of the old one is not taken for the end of the device.
      const current: Held = { link, generation, meter, replacements, waitsUntil: 0 };
      held.set(enrolmentId, current);
      counts.opened += 1;
      older?.link.close('replaced');
      void link.closed.then((reason) => {
        counts.countEnd(reason);
        addTo(ended, enrolmentId, meter.take());
        if (held.get(enrolmentId)?.link !== link) return;
        held.delete(enrolmentId);
        tell(enrolmentId, 'link');
      });
      link.onWaiting?.(() => {
        if (held.get(enrolmentId) !== current) return;
        if (link.isWaiting) counts.cut += 1;
        current.waitsUntil = clock.now().getTime() + (link.resumeMs ?? 0);
        tell(enrolmentId, 'waiting');
      });
      tell(enrolmentId, 'link');
    },
    getGeneration: (enrolmentId) => held.get(enrolmentId)?.generation,
    renew(enrolmentId, generation) {
      const current = held.get(enrolmentId);
      if (current) current.generation = Math.max(current.generation, generation);
    },
    replace: (enrolmentId) => held.get(enrolmentId)?.link.close('replaced'),
    listReplacements: (enrolmentId) => held.get(enrolmentId)?.replacements ?? [],
    noteReplacements(enrolmentId, times) {
      const current = held.get(enrolmentId);
      if (current) {
        const all = [...times, ...current.replacements, clock.now().getTime()];
        current.replacements = all.slice(-duplicateCount);
      }
    },
    get: getReached,
    counts,
    countWaiting: () => [...held.values()].filter(({ link }) => link.isWaiting).length,
    getWait(enrolmentId) {
      const current = held.get(enrolmentId);
      if (!current?.link.isWaiting) return undefined;
      return Math.max(0, current.waitsUntil - clock.now().getTime());
    },
    listIds: () => [...held.keys()].filter((enrolmentId) => getReached(enrolmentId) !== undefined),
    isDuplicated(enrolmentId) {
      const since = clock.now().getTime() - duplicateWindow;
      const replacements = held.get(enrolmentId)?.replacements ?? [];
      return replacements.filter((time) => time > since).length >= duplicateCount;
    },
    open,
    takeTraffic() {
      const taken = ended;
      ended = new Map();
      for (const [enrolmentId, { meter }] of held) addTo(taken, enrolmentId, meter.take());
      return taken;
    },
    whenAllClosed,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drain(graceMs) {
      for (const { link } of held.values()) link.drain(graceMs);
    },
    async closeAll() {
      const closed = whenAllClosed();
      for (const { link } of held.values()) link.close('shutdown');
      await closed;
    },
  };
}
