import type { Core } from '../../platform/core.ts';
import { finerSpans, type StoredChunk } from './chunk-rows.repository.ts';
import { thinLog } from './core/change-log.ts';
import { rollPieces } from './core/contents.ts';
import { decodeContent, decodeHour, encodeContent, encodeHour, mergeContents } from './core/hour-row.ts';
import { day, finest, hour, hourOf, resolutions, spanOf } from './core/resolutions.ts';
import { type Content, decodeTold, gatherTold } from './core/told-values.ts';
import type { KeepingRepository } from './keeping.repository.ts';
import { createReadOr } from './read-or.ts';

/** After its end an hour is waited for so long: what an agent keeps together comes at once. */
const hourGrace = 5 * 60_000;
/** A day is closed when all its hours are, and for some time nothing has come. */
const dayGrace = hour;
/** What is looked up, and what is moved in one transaction. */
const [stepsPerLook, seriesPerStep] = [500, 200];

/**
 * Closes hours and days, rolls what is closed, and forgets what is old. Each step is a transaction: a run that is killed is gone on
 * with by the next one. What came late takes the same way, and has what was made of its time made anew.
 */
export function createHistoryKeeper(
  { clock, log }: Pick<Core, 'clock' | 'log'>,
  { repository }: { repository: KeepingRepository },
) {
  /** One after another, as long as there are some; those that fail are left for the next run. */
  async function each<T extends object>(
    list: (limit: number) => Promise<T[]>,
    step: (item: T) => Promise<void>,
  ): Promise<void> {
    for (let failed = 0; ; ) {
      const items = await list(stepsPerLook + failed);
      let failedNow = 0;
      for (const item of items) {
        try {
          await step(item);
        } catch (error) {
          log.error({ err: error, piece: item }, 'a piece of the history of values cannot be moved');
          failedNow += 1;
        }
      }
      if (items.length <= failedNow || items.length < stepsPerLook) return;
      failed = failedNow;
    }
  }

  const readOr = createReadOr(log);

  const thin = ({ buckets, log: changes }: Content, hours: number): Content => ({
    buckets,
    log: [...thinLog(changes, hours)],
  });

  const closeHour = ({ controllerId, hour: index }: { controllerId: string; hour: number }) =>
    repository.closeHour(controllerId, index, (known, told) => {
      // What cannot be read gives way to what came: kept, it would be in the way of all that follows.
      const series = (known && readOr(() => decodeHour(known))) ?? new Map<number, Content>();
      const values = told.flatMap((data) => readOr(() => decodeTold(data, index * hour)) ?? []);
      for (const [id, content] of gatherTold(values, finest.length))
        series.set(id, thin(mergeContents(series.get(id), content), 1));
      return encodeHour(series, finest.length);
    });

  const closeDay = ({ controllerId, day: index }: { controllerId: string; day: number }) =>
    repository.closeDay(controllerId, index, (hours) => {
      const series = new Map<number, Content>();
      for (const data of hours)
        for (const [id, content] of readOr(() => decodeHour(data)) ?? [])
          series.set(id, mergeContents(series.get(id), content));
      return new Map(
        Array.from(series, ([id, content]) => [
          id,
          (known: Buffer | undefined) => {
            const earlier = known && readOr(() => decodeContent(known));
            return encodeContent(thin(mergeContents(earlier, content), day / hour), finest.length);
          },
        ]),
      );
    });

  /** One series of a span, of the finer chunks that it has. */
  function writeRolled(place: number, span: number, finer: readonly StoredChunk[]): Buffer | undefined {
    const resolution = resolutions[place];
    if (!resolution) return undefined;
    const pieces = finer.flatMap(({ length, data }) => {
      const content = readOr(() => decodeContent(data));
      return content ? [{ ...content, length }] : [];
    });
    const buckets = rollPieces(pieces, place, (span + 1) * resolution.span);
    const [start, stop] = [span * resolution.span, (span + 1) * resolution.span];
    const within = buckets.filter(({ at }) => at >= start && at < stop);
    return within.length === 0 ? undefined : encodeContent({ buckets: within, log: [] }, resolution.length);
  }

  /** One series that cannot be rolled does not keep the others of all organizations from it; what is finer stays. */
  const rolling = (place: number, span: number) => (finer: readonly StoredChunk[]) => {
    try {
      return writeRolled(place, span, finer);
    } catch (error) {
      log.error(
        { err: error, seriesId: finer[0]?.seriesId },
        'a series of the history of values cannot be rolled',
      );
      return undefined;
    }
  };

  async function rollSpan(place: number, span: number): Promise<void> {
    const ids = await repository.listSeriesOf(place - 1, finerSpans(place, span));
    for (let first = 0; first < ids.length; first += seriesPerStep)
      await repository.roll(
        { place, span, seriesIds: ids.slice(first, first + seriesPerStep) },
        rolling(place, span),
      );
    await repository.saveNextSpan(place, span + 1);
  }

  /** Where nothing was rolled yet: it begins with the first that was told, so that all before has been rolled or is read as it is. */
  async function begin(closed: number): Promise<void> {
    const nextSpans = await repository.readNextSpans();
    if (nextSpans.slice(1).every((next) => next !== undefined)) return;
    const first = Math.min(closed, ((await repository.findOldestHour()) ?? hourOf(closed)) * hour);
    for (const [place, resolution] of resolutions.entries())
      if (place > 0 && nextSpans[place] === undefined)
        await repository.saveNextSpan(place, spanOf(first, resolution));
  }

  /** Spans that are over, in their order, and those of which something came late. */
  async function roll(place: number, closed: number): Promise<void> {
    const resolution = resolutions[place];
    if (!resolution) return;
    const nextSpans = await repository.readNextSpans();
    const end = spanOf(closed, resolution);
    for (let span = nextSpans[place] ?? end; span < end; span += 1) await rollSpan(place, span);
    for (;;) {
      const dirty = await repository.listDirty(place, seriesPerStep);
      for (const { span, seriesIds } of dirty)
        await repository.roll({ place, span, seriesIds }, rolling(place, span));
      if (dirty.length === 0) return;
    }
  }

  return {
    async run(): Promise<void> {
      const now = clock.now().getTime();
      const closed = Math.floor((now - dayGrace) / day) * day;
      await begin(closed);
      await each((limit) => repository.listOpenHours(hourOf(now - hourGrace), limit), closeHour);
      await each((limit) => repository.listOpenDays(hourOf(closed), limit), closeDay);
      for (let place = 1; place < resolutions.length; place += 1) await roll(place, closed);
      await repository.forget(now);
    },
  };
}
