import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { createTokenBuckets } from '../../platform/token-buckets.ts';
import { finest, hour, hourOf, keptSince } from './core/resolutions.ts';
import {
  controlKey,
  encodeTold,
  kindOfControl,
  readTold,
  type SeriesKind,
  type ToldValue,
} from './core/told-values.ts';
import { createHistoryRepository } from './history.repository.ts';
import { type ControlKey, createSeriesRepository } from './series.repository.ts';

/** What one device told in a batch. */
export interface Told {
  /** The same object for as long as the device is heard without a break: what is known of its controls is remembered with it. */
  source: object;
  controllerId: string;
  /** What was before belonged to somebody else. */
  activatedAt: Date;
  values: readonly { device: string; control: string; value: string; at: Date }[];
  /** Controls whose description has come or gone. */
  changed: readonly { device: string; control: string }[];
}

/** Keeps what controls were told to be. */
export interface HistoryRecorder {
  /**
   * In the transaction that stores how far the devices were heard, after their controls. The answer is called once that is committed.
   */
  record(transaction: DatabaseTransaction, batches: readonly Told[], now: Date): Promise<() => void>;
  /** Values since the start that were one too many. */
  readonly leftOut: number;
}

/** Series of a controller that are heard: what a device invents is no history, and takes room for years. */
const seriesPerController = 500;

/** Values of a controller: 500 controls every ten seconds, as agents tell them, and every second while somebody looks. An hour is closed in memory. */
const valueRate = { burst: 30_000, perSecond: 50 };

interface Series {
  id: number;
  kind: SeriesKind;
}
/** By control; null of one that is not kept. */
type Known = Map<string, Series | null>;

/** Controls of a device that are remembered: more than it can have stored, as some of them may be gone. */
const mostKnown = 20_000;

export function createHistoryRecorder(db: Database): HistoryRecorder {
  const series = createSeriesRepository(db);
  const history = createHistoryRepository(db);
  const knownOf = new WeakMap<object, Known>();
  let current = new Date(0);
  const budget = createTokenBuckets({ now: () => current }, valueRate);
  let leftOut = 0;

  /** What is not known yet of these controls, with series for those that are new. */
  async function learn(
    transaction: DatabaseTransaction,
    wanted: readonly ControlKey[],
    now: Date,
  ): Promise<Map<string, Series | null>> {
    const learnt = new Map<string, Series | null>();
    if (wanted.length === 0) return learnt;
    const fresh: { key: ControlKey; kind: SeriesKind }[] = [];
    for (const { type, hasTitles, seriesId, ...key } of await series.listKnown(transaction, wanted)) {
      const kind = kindOfControl(type, hasTitles);
      if (kind && seriesId === null) fresh.push({ key, kind });
      learnt.set(
        key.controllerId + controlKey(key),
        kind && seriesId !== null ? { id: seriesId, kind } : null,
      );
    }
    if (fresh.length === 0) return learnt;
    const ids = [...new Set(fresh.map(({ key }) => key.controllerId))];
    const counts = new Map(await series.countActive(transaction, ids, new Date(now.getTime() - finest.keep)));
    const admitted = fresh.filter(({ key: { controllerId } }) => {
      const count = (counts.get(controllerId) ?? 0) + 1;
      counts.set(controllerId, count);
      return count <= seriesPerController;
    });
    const made = await series.createSeries(
      transaction,
      admitted.map(({ key }) => key),
      now,
    );
    admitted.forEach(({ key, kind }, index) => {
      learnt.set(key.controllerId + controlKey(key), { id: made[index] ?? 0, kind });
    });
    return learnt;
  }

  return {
    get leftOut() {
      return leftOut;
    },
    async record(transaction, batches, now) {
      current = now;
      const oldest = keptSince(0, now.getTime());
      const read = batches.map((batch) => {
        const { source, controllerId, activatedAt, values, changed } = batch;
        const since = Math.max(oldest, activatedAt.getTime());
        const kept = values.flatMap(({ device, control, value, at }) => {
          const told = at.getTime() < since ? undefined : readTold(value);
          const key = controlKey({ device, control });
          return told === undefined ? [] : [{ key, device, control, value: told, at: at.getTime() }];
        });
        const stale = new Set(changed.map(controlKey));
        const known = knownOf.get(source);
        const find = (key: string) => (stale.has(key) ? undefined : known?.get(key));
        return { source, controllerId, kept, stale, find };
      });
      const wanted = read.flatMap(({ controllerId, kept, find }) => {
        const missing = new Map(
          kept.filter(({ key }) => find(key) === undefined).map((each) => [each.key, each]),
        );
        return Array.from(missing.values(), ({ device, control }) => ({ controllerId, device, control }));
      });
      const learnt = await learn(transaction, wanted, now);
      const rows: { controllerId: string; hour: number; data: Buffer }[] = [];
      const spent = new Map<string, number>();
      let over = 0;
      for (const { controllerId, kept, find } of read) {
        const hours = new Map<number, ToldValue[]>();
        const before = spent.get(controllerId) ?? 0;
        const room = budget.roomOf(controllerId) - before;
        let taken = 0;
        for (const { key, value, at } of kept) {
          const found = find(key) ?? learnt.get(controllerId + key);
          if (!found) continue;
          if (taken >= room) {
            over += 1;
            continue;
          }
          taken += 1;
          const told = hours.get(hourOf(at)) ?? [];
          hours.set(hourOf(at), told);
          told.push({ seriesId: found.id, kind: found.kind, at, value });
        }
        for (const [index, told] of hours)
          rows.push({ controllerId, hour: index, data: encodeTold(told, index * hour) });
        spent.set(controllerId, before + taken);
      }
      await history.insertIncoming(transaction, rows);
      return () => {
        // Of a transaction that was not committed nothing is known, as its series were never made, and nothing is charged: it comes again.
        for (const [controllerId, count] of spent) budget.spend(controllerId, count);
        leftOut += over;
        for (const { source, controllerId, kept, stale, find } of read) {
          const known = knownOf.get(source) ?? new Map<string, Series | null>();
          for (const key of stale) known.delete(key);
          // Of a control that is not stored, as one beyond the limit, nothing is remembered: a device can invent any number.
          for (const { key } of kept)
            if (find(key) === undefined && learnt.has(controllerId + key))
              known.set(key, learnt.get(controllerId + key) ?? null);
          if (known.size > mostKnown) known.clear();
          knownOf.set(source, known);
        }
      };
    },
  };
}
