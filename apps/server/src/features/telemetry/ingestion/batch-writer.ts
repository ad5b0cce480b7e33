import { telemetryLimits } from '@pult/link';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { ControlsRepository } from '../controls.repository.ts';
import type { MetricsStore } from '../metrics/metrics-store.ts';
import type { LockedPosition, NewPosition, PositionsRepository } from '../positions.repository.ts';
import { type Changes, collectChanges, controlKey, type Source, type TimedEntry } from './batch.ts';

/** The controller was released while its device was heard. */
export class ReleasedError extends Error {
  override readonly name = 'ReleasedError';
}

export interface SourceBatch {
  source: Source;
  entries: readonly TimedEntry[];
}

export interface Stored {
  source: Source;
  changes: Changes;
}

interface Dependencies {
  db: Database;
  positions: PositionsRepository;
  controls: ControlsRepository;
  store: MetricsStore;
  clock: Clock;
}

/** Lists of all devices become one statement each. */
function flatten<T>(stored: readonly Stored[], list: (changes: Changes) => Iterable<T>) {
  return stored.flatMap(({ source: { controllerId }, changes }) =>
    Array.from(list(changes), (item) => ({ ...item, controllerId })),
  );
}

/**
 * Stores entries of many devices in one transaction, together with how far each was heard: both or none survive. What is
 * stored already is left out, however often it comes. One batch of a device at a time; the caller sees to that.
 */
export function createBatchWriter({ db, positions, controls, store, clock }: Dependencies) {
  /** A device that is at its limit changes the controls it has and gets no more. */
  async function dropBeyondLimit(
    transaction: DatabaseTransaction,
    stored: readonly Stored[],
    locked: ReadonlyMap<string, LockedPosition>,
  ): Promise<void> {
    const full = stored.filter(({ source, changes }) => {
      const held = locked.get(source.controllerId)?.controls ?? 0;
      return held + changes.values.size + changes.metas.size > telemetryLimits.controls;
    });
    const asked = flatten(full, ({ values, metas }) => [...values.values(), ...metas.values()]);
    if (asked.length === 0) return;
    const known = new Set(
      (await controls.listKnown(transaction, asked)).map((key) => key.controllerId + controlKey(key)),
    );
    for (const { source, changes } of full) {
      const held = locked.get(source.controllerId)?.controls ?? 0;
      let room = telemetryLimits.controls - held;
      const admitted = new Set<string>();
      for (const key of new Set([...changes.values.keys(), ...changes.metas.keys()])) {
        if (known.has(source.controllerId + key)) admitted.add(key);
        else if (room > 0) {
          room -= 1;
          admitted.add(key);
        }
      }
      for (const key of [...changes.values.keys()]) if (!admitted.has(key)) changes.values.delete(key);
      for (const key of [...changes.metas.keys()]) if (!admitted.has(key)) changes.metas.delete(key);
    }
  }

  return {
    /** What was stored, of the devices that are still claimed. */
    async write(batches: readonly SourceBatch[]): Promise<Stored[]> {
      const samples = batches.flatMap(({ source, entries }) => collectChanges(source, entries, 0).samples);
      await store.prepare(samples);
      return db.transaction().execute(async (transaction) => {
        const rows = await positions.lockPositions(
          transaction,
          batches.map(({ source }) => source.controllerId),
        );
        const locked = new Map(rows.map((row) => [row.controllerId, row]));
        const stored = batches.flatMap(({ source, entries }) => {
          const held = locked.get(source.controllerId);
          if (!held) return [];
          // Another ring is another numbering.
          const changes = collectChanges(source, entries, held.ring === source.ring ? held.seq : 0);
          return [{ source, changes }];
        });
        await dropBeyondLimit(transaction, stored, locked);

        const now = clock.now();
        const lost = await controls.deleteControls(
          transaction,
          flatten(stored, ({ gone }) => gone.values()),
        );
        const added = [
          ...(await controls.saveDescriptions(
            transaction,
            flatten(stored, ({ metas }) => metas.values()),
            now,
          )),
          ...(await controls.saveValues(
            transaction,
            flatten(stored, ({ values }) => values.values()),
            now,
          )),
        ];
        const titles = flatten(stored, (changes) => changes.titles.values());
        await controls.saveTitles(transaction, titles, now, telemetryLimits.devices);
        await store.write(
          transaction,
          stored.flatMap(({ changes }) => changes.samples),
        );

        const counts = new Map(rows.map((row) => [row.controllerId, row.controls]));
        for (const id of added) counts.set(id, (counts.get(id) ?? 0) + 1);
        for (const id of lost) counts.set(id, (counts.get(id) ?? 0) - 1);
        await positions.savePositions(
          transaction,
          stored.map(({ source: { controllerId, ring }, changes }): NewPosition => {
            const { values, metas, gone, titles } = changes;
            const isMqtt = values.size + metas.size + gone.size + titles.size > 0;
            const controls = counts.get(controllerId) ?? 0;
            return { controllerId, ring, seq: changes.seq, controls, receivedAt: isMqtt ? now : null };
          }),
        );
        return stored;
      });
    },
  };
}
export type BatchWriter = ReturnType<typeof createBatchWriter>;
