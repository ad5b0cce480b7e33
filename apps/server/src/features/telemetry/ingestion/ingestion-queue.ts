import type { Core } from '../../../platform/core.ts';
import { isDatabaseOutage } from '../../../platform/db/outage.ts';
import type { Source, TimedEntry } from './batch.ts';
import { type BatchWriter, ReleasedError, type SourceBatch, type Stored } from './batch-writer.ts';

interface Waiting extends SourceBatch {
  /** On the clock of `performance`. */
  since: number;
  resolve(samples: number): void;
  reject(error: Error): void;
}

interface Dependencies {
  writer: BatchWriter;
  onStored(stored: Stored): void;
  /** How long entries of other devices are waited for, in milliseconds. */
  batchWindowMs?: number;
}

/** Entries of one transaction; what is more waits for the next, each device after those before it. */
const entriesPerWrite = 10_000;

/** Brings together what devices tell at the same time, and writes one batch after another. */
export function createIngestionQueue({ log }: Core, { writer, onStored, batchWindowMs = 100 }: Dependencies) {
  let waiting: Waiting[] = [];
  let running: Promise<void> | undefined;
  /** Waiting or being written, the oldest first. */
  const unstored = new Set<Waiting>();
  const counts = { stored: 0, failed: 0 };

  /** One batch of a device: what an older link of it told is to be stored before the newer one is compared with it. */
  function take(): Waiting[] {
    const taken = new Map<string, Waiting>();
    let size = 0;
    for (const each of waiting) {
      const { controllerId } = each.source;
      if (taken.has(controllerId)) continue;
      size += each.entries.length;
      if (size > entriesPerWrite && taken.size > 0) break;
      taken.set(controllerId, each);
    }
    waiting = waiting.filter((each) => taken.get(each.source.controllerId) !== each);
    return [...taken.values()];
  }

  async function store(batches: readonly Waiting[]): Promise<void> {
    const stored = await writer.write(batches);
    const changesOf = new Map(stored.map(({ source, changes }) => [source, changes]));
    for (const { source, entries, resolve, reject } of batches) {
      const changes = changesOf.get(source);
      if (changes) {
        counts.stored += entries.length;
        resolve(changes.samples.length);
      } else reject(new ReleasedError(`controller ${source.serialNumber} was released`));
    }
    for (const each of stored) onStored(each);
  }

  async function storeOrReject(batches: readonly Waiting[]): Promise<void> {
    try {
      await store(batches);
    } catch (error) {
      // Of the database's driver, or the store's own refusal.
      const failure = error as Error;
      if (batches.length === 1 || isDatabaseOutage(failure)) {
        counts.failed += batches.length;
        for (const { reject } of batches) reject(failure);
        return;
      }
      log.warn({ err: failure, devices: batches.length }, 'telemetry batch not stored as a whole');
      // What one device says must not keep the others' from being stored.
      for (const batch of batches) await storeOrReject([batch]);
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, batchWindowMs));
      while (waiting.length > 0) await storeOrReject(take());
    }
  }

  function start(): void {
    running ??= run().finally(() => {
      running = undefined;
      // Something may have come since the last look.
      if (waiting.length > 0) start();
    });
  }

  return {
    /**
     * Resolves when these are stored, to how many of the measurements among them were not stored before. Rejects with
     * `ReleasedError`, or with what kept them from being stored. One call of a link at a time.
     */
    add(source: Source, entries: readonly TimedEntry[]): Promise<number> {
      return new Promise<number>((resolve, reject) => {
        const batch: Waiting = {
          source,
          entries,
          since: performance.now(),
          resolve(samples) {
            unstored.delete(batch);
            resolve(samples);
          },
          reject(error) {
            unstored.delete(batch);
            reject(error);
          },
        };
        waiting.push(batch);
        unstored.add(batch);
        start();
      });
    },
    /** Since the start, and how much waits now: entries, and the seconds that the oldest of them has waited. */
    get state() {
      const [oldest] = unstored;
      return {
        ...counts,
        waiting: [...unstored].reduce((sum, { entries }) => sum + entries.length, 0),
        oldestSeconds: oldest ? (performance.now() - oldest.since) / 1000 : 0,
      };
    },
    /** Resolves when nothing waits any more. */
    async whenIdle(): Promise<void> {
      await running;
    },
  };
}
export type IngestionQueue = ReturnType<typeof createIngestionQueue>;
