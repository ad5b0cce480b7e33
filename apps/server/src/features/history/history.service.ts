import { setImmediate } from 'node:timers/promises';
import {
  type ControllerHistory,
  type ControllerHistoryRequest,
  limits,
  type OrganizationHistory,
  type OrganizationHistoryRequest,
} from '@pult/contract';
import type { ControllerCaller, OrganizationCaller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { rollBuckets } from './core/buckets.ts';
import { type Change, makeLog, readNumbers } from './core/change-log.ts';
import { joinFinest, type Piece, rollPieces } from './core/contents.ts';
import { decodeContent, decodeHour } from './core/hour-row.ts';
import { type NextSpans, planReading } from './core/reading-plan.ts';
import { chooseLength, day, finest, hour, keptSince, resolutions } from './core/resolutions.ts';
import { controlKey, decodeTold, gatherTold } from './core/told-values.ts';
import type { HistoryRepository, Stored } from './history.repository.ts';
import { createReadOr } from './read-or.ts';
import type { SeriesRepository } from './series.repository.ts';

interface Dependencies {
  series: SeriesRepository;
  history: Pick<HistoryRepository, 'read'>;
}

interface Period {
  start: number;
  stop: number;
}

type Points = ControllerHistory['series'][number]['points'];

/** What the controls of a controller were. */
export function createHistoryService({ clock, log }: Core, { series, history }: Dependencies) {
  // The rest of a chart is worth more than none.
  const readOr = createReadOr(log);

  /** What has no chunks yet; those of a series are read when it is its turn. */
  function readRecent({ hours, incoming }: Stored, only: ReadonlySet<number>): Map<number, Piece[]> {
    const pieces = new Map<number, Piece[]>(Array.from(only, (id) => [id, []]));
    for (const { data } of hours)
      for (const [id, content] of readOr(() => decodeHour(data, only)) ?? [])
        pieces.get(id)?.push({ ...content, length: finest.length });
    const told = incoming.flatMap(({ hour: at, data }) => readOr(() => decodeTold(data, at * hour)) ?? []);
    const wanted = told.filter(({ seriesId }) => only.has(seriesId));
    for (const [id, content] of gatherTold(wanted, finest.length))
      pieces.get(id)?.push({ ...content, length: finest.length });
    return pieces;
  }

  /** Each change as it was, with what was before the first one where the period begins; undefined where there are too many. */
  function showLog(changes: readonly Change[], { start, stop }: Period): Points | undefined {
    const numbers = readNumbers(makeLog(changes));
    const before = numbers.findLast(({ at }) => at < start);
    const within = numbers.filter(({ at }) => at >= start && at < stop);
    const shown = [
      ...(before && within[0]?.at !== start ? [{ at: start, value: before.value }] : []),
      ...within,
    ];
    if (shown.length > limits.historyPoints) return undefined;
    return shown.map(({ at, value }) => ({
      timestamp: new Date(at).toISOString(),
      min: value,
      mean: value,
      max: value,
      last: value,
    }));
  }

  function show(
    pieces: readonly Piece[],
    { start, stop }: Period,
    { length, place }: { length: number; place: number },
  ): Points {
    if (place === 0) {
      const { buckets, log: changes } = joinFinest(pieces);
      const points = buckets.length === 0 ? showLog(changes, { start, stop }) : undefined;
      if (points) return points;
    }
    const buckets = rollPieces(pieces, place, stop);
    return rollBuckets(buckets, resolutions[place]?.length ?? length, length)
      .filter(({ at }) => at + length > start && at < stop)
      .map(({ at, mean, ...figures }) => ({
        timestamp: new Date(at).toISOString(),
        ...figures,
        // Without what divisions leave in the last digits.
        mean: Number(mean.toPrecision(12)),
      }));
  }

  /** The part of what is asked for in which something may be, and the parts it is shown by. */
  function choosePeriod(asked: { start: string; stop: string }): Period & { length: number; place: number } {
    const now = clock.now().getTime();
    const oldest = keptSince(resolutions.length - 1, now);
    // Beyond what is kept there is nothing, nor is there in the future.
    const start = Math.min(now, Math.max(oldest, Date.parse(asked.start)));
    const stop = Math.max(start + 1, Math.min(now + 1, Date.parse(asked.stop)));
    return { start, stop, ...chooseLength({ start, stop }, { now, most: limits.historyPoints }) };
  }

  /** Points by the series of one controller. */
  async function readPoints(
    controllerId: string,
    seriesIds: readonly number[],
    period: ReturnType<typeof choosePeriod>,
  ): Promise<Map<number, Points>> {
    if (seriesIds.length === 0) return new Map();
    const { start, stop, place } = period;
    // A switch is what it became before.
    const from = place === 0 ? start - day : start;
    const plan = (nextSpans: NextSpans) => planReading({ start: from, stop }, place, nextSpans);
    const stored = await history.read({ controllerId, seriesIds, plan });
    const shown = new Map<number, Points>();
    for (const [id, recent] of readRecent(stored, new Set(seriesIds))) {
      const chunks = stored.chunks.flatMap(({ seriesId, length, data }): Piece[] => {
        const content = seriesId === id ? readOr(() => decodeContent(data)) : undefined;
        return content ? [{ ...content, length }] : [];
      });
      shown.set(id, show([...chunks, ...recent], period, period));
      // One series in memory at a time, and others are answered in between.
      await setImmediate();
    }
    return shown;
  }

  return {
    async queryController(
      { scope, controller }: ControllerCaller,
      { controls, ...asked }: ControllerHistoryRequest,
    ): Promise<ControllerHistory> {
      const period = choosePeriod(asked);
      const found = await series.findSeries(scope, controller.id, controls);
      const ids = found.map(({ id }) => id);
      const points = await readPoints(controller.id, ids, period);
      const idOf = new Map(found.map((each) => [controlKey(each), each.id]));
      return {
        resolution: period.length / 1000,
        series: controls.map(({ device, control }) => {
          const id = idOf.get(controlKey({ device, control }));
          return { device, control, points: (id === undefined ? undefined : points.get(id)) ?? [] };
        }),
      };
    },

    /** One control of several controllers; one that the caller does not see has no points, as one that has no such control. */
    async queryOrganization(
      { scope, organization }: OrganizationCaller,
      { controllers, device, control, ...asked }: OrganizationHistoryRequest,
    ): Promise<OrganizationHistory> {
      const period = choosePeriod(asked);
      const found = await series.findSeriesOf(scope, organization.id, controllers, { device, control });
      const points = new Map<string, Points>();
      // One after another: a reader holds one connection of the database at a time.
      for (const { id, controllerId, serialNumber } of found)
        points.set(serialNumber, (await readPoints(controllerId, [id], period)).get(id) ?? []);
      return {
        resolution: period.length / 1000,
        series: controllers.map((serialNumber) => ({ serialNumber, points: points.get(serialNumber) ?? [] })),
      };
    },
  };
}
export type HistoryService = ReturnType<typeof createHistoryService>;
