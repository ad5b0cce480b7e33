import type { OrganizationEvent } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Events, EventTopics } from '../../platform/events/events.ts';
import type { Stored } from './ingestion/batch-writer.ts';

/** How long a reader of the values is told of changes, in milliseconds. */
const watchMs = 90_000;
/** How late that may be noticed to be over. */
const expiryMs = 10_000;
/** Shortest time between two events of a controller. */
const intervalMs = 1_000;
/** Controls in one event; a stream that is behind is cut, so events stay small. */
const maxControls = 200;
/** Of one event as text. */
const maxEventBytes = 64 * 1024;

type ValuesEvent = Extract<OrganizationEvent, { type: 'controller.values' }>;

/** How often other nodes are told that somebody looks. */
const publishEveryMs = 10_000;

interface Watched {
  until: number;
  publishedAt: number;
  organizationId: string;
  serialNumber: string;
  controls: Map<string, ValuesEvent['controls'][number]>;
  isPartial: boolean;
  timer: NodeJS.Timeout | undefined;
}

type Listener = (controllerId: string, isWatched: boolean) => void;

/** Tells of changed values of the controllers that somebody looks at; of all others nobody wants to know. */
export function createLiveValues({ events, clock }: { events: Events; clock: Clock }) {
  const watched = new Map<string, Watched>();
  const listeners: Listener[] = [];
  let expiry: NodeJS.Timeout | undefined;

  const tell = (controllerId: string, isWatched: boolean) => {
    for (const listener of listeners) listener(controllerId, isWatched);
  };

  /** Forgets whom nobody has read for long, and looks again as long as there are others. */
  function expire(): void {
    expiry = undefined;
    const now = clock.now().getTime();
    for (const [id, { until, timer }] of watched) {
      if (until > now) continue;
      clearTimeout(timer);
      watched.delete(id);
      tell(id, false);
    }
    if (watched.size > 0) expiry = setTimeout(expire, expiryMs).unref();
  }

  function publish(controllerId: string): void {
    const held = watched.get(controllerId);
    if (!held) return;
    held.timer = undefined;
    if (held.until <= clock.now().getTime()) return;
    if (held.controls.size === 0 && !held.isPartial) return;
    const { organizationId, serialNumber } = held;
    const controls = [...held.controls.values()];
    const isTooLong = Buffer.byteLength(JSON.stringify(controls)) > maxEventBytes;
    const event: ValuesEvent = {
      type: 'controller.values',
      serialNumber,
      receivedAt: clock.now().toISOString(),
      controls: isTooLong ? [] : controls,
      isPartial: held.isPartial || isTooLong,
    };
    held.controls.clear();
    held.isPartial = false;
    events.publish('organization', { organizationId, event });
    held.timer = setTimeout(() => publish(controllerId), intervalMs).unref();
  }

  function noteWatched({ controllerId, organizationId, serialNumber }: EventTopics['valuesWatched']): void {
    const now = clock.now().getTime();
    const seen = { organizationId, serialNumber, until: now + watchMs, publishedAt: now };
    const held = watched.get(controllerId);
    if (held) {
      Object.assign(held, seen);
      return;
    }
    watched.set(controllerId, { ...seen, controls: new Map(), isPartial: false, timer: undefined });
    expiry ??= setTimeout(expire, expiryMs).unref();
    tell(controllerId, true);
  }
  // Whoever reads them may be at another node than their device.
  events.subscribe('valuesWatched', noteWatched);

  return {
    /** Somebody reads the values of that controller now. */
    watch(controllerId: string, organizationId: string, serialNumber: string): void {
      const now = clock.now().getTime();
      const held = watched.get(controllerId);
      if (held && now - held.publishedAt < publishEveryMs) held.until = now + watchMs;
      else events.publish('valuesWatched', { controllerId, organizationId, serialNumber });
    },

    /** Whether somebody has read the values of that controller of late. */
    isWatched: (controllerId: string) => watched.has(controllerId),

    /** Called when that changes. */
    onChange(listener: Listener): void {
      listeners.push(listener);
    },

    take({ source, changes }: Stored): void {
      const held = watched.get(source.controllerId);
      if (!held) return;
      // What an event does not carry is to be read anew.
      if (changes.metas.size + changes.gone.size + changes.titles.size > 0) held.isPartial = true;
      for (const [key, { device, control, value, at }] of changes.values) {
        held.controls.set(key, { device, control, value, updatedAt: at.toISOString() });
      }
      if (held.controls.size > maxControls) {
        held.controls.clear();
        held.isPartial = true;
      }
      if (!held.timer) publish(source.controllerId);
    },

    stop(): void {
      clearTimeout(expiry);
      for (const { timer } of watched.values()) clearTimeout(timer);
      watched.clear();
    },
  };
}
export type LiveValues = ReturnType<typeof createLiveValues>;
