import type { Core } from '../../../platform/core.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { telemetryLimits } from '../../devices/index.ts';
import type { HistoryRecorder } from '../../history/index.ts';
import { controlKey } from '../../history/index.ts';
import type { ControlsRepository } from '../controls.repository.ts';
import type { MetricsStore } from '../metrics/metrics-store.ts';
import type { NewOffset, OffsetsRepository } from '../offsets.repository.ts';
import { type Changes, collectChanges, type Source, type TimedEntry } from './batch.ts';

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
  offsets: OffsetsRepository;
  controls: ControlsRepository;
  store: MetricsStore;
  history: HistoryRecorder;
}

/** Lists of all devices become one statement each. */
function flatten<T>(stored: readonly Stored[], list: (changes: Changes) => Iterable<T>) {
  return stored.flatMap(({ source: { controllerId }, changes }) =>
    Array.from(list(changes), (item) => ({ ...item, controllerId })),
  );
}

/**
 * Stores entries of many devices in one transaction, together with how far each was heard: both or none survive. What is
 * stored already is left out, however often it comes. One batch of a controller at a time; the queue sees to that.
 */
export function createBatchWriter({ db, clock }: Core, { offsets, controls, store, history }: Dependencies) {
  /** A device that is at its limit changes the controls it has and gets no more. */
  async function dropBeyondLimit(
    transaction: DatabaseTransaction,
    stored: readonly Stored[],
    counts: ReadonlyMap<string, number>,
  ): Promise<void> {
    const roomOf = ({ source }: Stored) => telemetryLimits.controls - (counts.get(source.controllerId) ?? 0);
    const full = stored.filter((each) => roomOf(each) < each.changes.values.size + each.changes.metas.size);
    if (full.length === 0) return;
    const asked = flatten(full, ({ values, metas }) => [...values.values(), ...metas.values()]);
    const known = await controls.listKnown(transaction, asked);
    const knownKeys = new Set(known.map((key) => key.controllerId + controlKey(key)));
    for (const each of full) {
      const { values, metas } = each.changes;
      let room = roomOf(each);
      for (const key of new Set([...values.keys(), ...metas.keys()])) {
        if (knownKeys.has(each.source.controllerId + key)) continue;
        room -= 1;
        if (room >= 0) continue;
        values.delete(key);
        metas.delete(key);
      }
    }
  }

  return {
    /** What was stored, of the devices that are still claimed. */
    async write(batches: readonly SourceBatch[]): Promise<Stored[]> {
      const samples = batches.flatMap(({ source, entries }) => collectChanges(source, entries, 0).samples);
      await store.prepare(samples);
      let onCommitted = () => {};
      const written = await db.transaction().execute(async (transaction) => {
        const rows = await offsets.lockOffsets(
          transaction,
          batches.map(({ source }) => source.controllerId),
        );
        const locked = new Map(rows.map((row) => [row.controllerId, row]));
        const stored = batches.flatMap(({ source, entries }) => {
          const held = locked.get(source.controllerId);
          if (!held) return [];
          // Another stream is another numbering.
          const changes = collectChanges(
            source,
            entries,
            held.streamId === source.streamId ? held.offset : 0,
          );
          return [{ source, changes }];
        });
        const counts = new Map(rows.map((row) => [row.controllerId, row.controls]));
        const count = (ids: readonly string[], change: number) => {
          for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + change);
        };
        const now = clock.now();
        const gone = flatten(stored, (changes) => changes.gone.values());
        count(await controls.deleteControls(transaction, gone), -1);
        await dropBeyondLimit(transaction, stored, counts);
        const metas = flatten(stored, (changes) => changes.metas.values());
        count(await controls.saveDescriptions(transaction, metas, now), 1);
        const values = flatten(stored, (changes) => changes.values.values());
        count(await controls.saveValues(transaction, values, now), 1);
        const titles = flatten(stored, (changes) => changes.titles.values());
        await controls.saveTitles(transaction, titles, now, telemetryLimits.devices);
        await store.write(
          transaction,
          stored.flatMap(({ changes }) => changes.samples),
        );
        onCommitted = await history.record(
          transaction,
          stored.map(({ source, changes: { told, metas, gone } }) => ({
            source,
            controllerId: source.controllerId,
            activatedAt: source.activatedAt,
            values: told,
            changed: [...metas.values(), ...gone.values()],
          })),
          now,
        );
        await offsets.saveOffsets(
          transaction,
          stored.map(({ source: { controllerId, streamId }, changes }): NewOffset => {
            const { values, metas, gone, titles } = changes;
            const isMqtt = values.size + metas.size + gone.size + titles.size > 0;
            const held = counts.get(controllerId) ?? 0;
            return {
              controllerId,
              streamId,
              offset: changes.offset,
              controls: held,
              receivedAt: isMqtt ? now : null,
            };
          }),
        );
        return stored;
      });
      onCommitted();
      return written;
    },
  };
}
export type BatchWriter = ReturnType<typeof createBatchWriter>;
