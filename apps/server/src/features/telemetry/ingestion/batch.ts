import type { TelemetryEntry } from '../../devices/index.ts';
import { controlKey } from '../../history/index.ts';
import type { MetricSample } from '../metrics/metrics-store.ts';

/** The device that entries come from, as long as they are taken from it. */
export interface Source {
  readonly controllerId: string;
  readonly serialNumber: string;
  readonly organizationId: string;
  /** What was before belonged to somebody else, or nobody. */
  readonly activatedAt: Date;
  readonly streamId: string;
}

/** An entry with the server's own time of what it tells. */
export interface TimedEntry {
  entry: TelemetryEntry;
  at: Date;
}

/** All that is to be stored of one device at once: of each subject the newest. */
export interface Changes {
  values: Map<string, { device: string; control: string; value: string; at: Date }>;
  /** Each value that was told, in its order. */
  told: { device: string; control: string; value: string; at: Date }[];
  metas: Map<
    string,
    { device: string; control: string; meta: Extract<TelemetryEntry, { meta: unknown }>['meta'] }
  >;
  gone: Map<string, { device: string; control: string }>;
  titles: Map<string, Extract<TelemetryEntry, { title: unknown }>>;
  samples: MetricSample[];
  /** The highest one. */
  offset: number;
}

/** Entries after `offset`, in their order, brought together by subject. */
export function collectChanges(source: Source, entries: readonly TimedEntry[], offset: number): Changes {
  const changes: Changes = {
    values: new Map(),
    told: [],
    metas: new Map(),
    gone: new Map(),
    titles: new Map(),
    samples: [],
    offset,
  };
  for (const { entry, at } of entries) {
    if (entry.offset <= changes.offset) continue;
    changes.offset = entry.offset;
    if ('metrics' in entry) {
      const { controllerId, serialNumber, organizationId } = source;
      // One that was left out has its number alone.
      if (at >= source.activatedAt && Object.keys(entry.metrics).length > 0) {
        changes.samples.push({ controllerId, serialNumber, organizationId, at, values: entry.metrics });
      }
    } else if ('control' in entry) {
      const { device, control } = entry;
      const key = controlKey(entry);
      if ('value' in entry) {
        const told = { device, control, value: entry.value, at };
        changes.values.set(key, told);
        changes.told.push(told);
      } else if ('meta' in entry) changes.metas.set(key, { device, control, meta: entry.meta });
      else {
        changes.values.delete(key);
        changes.metas.delete(key);
        changes.gone.set(key, { device, control });
      }
    } else {
      changes.titles.set(entry.device, entry);
    }
  }
  return changes;
}
