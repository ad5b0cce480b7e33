import { type Bucket, makeBuckets, type Point } from './buckets.ts';
import { ByteReader, ByteWriter, ChunkFormatError } from './bytes.ts';
import { type Change, makeLog } from './change-log.ts';
import { tick } from './resolutions.ts';

/** How a control is kept: its buckets, or when it changed. */
export type SeriesKind = 'buckets' | 'log';

/** A value as it was told, of a series. */
export interface ToldValue {
  seriesId: number;
  kind: SeriesKind;
  /** In milliseconds. */
  at: number;
  value: string;
}

const form = 1;

/** What one batch told of one hour, in its order. Ids of a controller are close to each other, and so are times. */
export function encodeTold(told: readonly ToldValue[], hourStart: number): Buffer {
  const writer = new ByteWriter();
  writer.byte(form);
  writer.unsigned(told.length);
  let [lastId, lastTime] = [0, 0];
  for (const { seriesId, kind, at, value } of told) {
    const time = Math.floor((at - hourStart) / tick);
    writer.signed(seriesId - lastId);
    writer.signed(time - lastTime);
    writer.byte(kind === 'log' ? 1 : 0);
    writer.text(value);
    [lastId, lastTime] = [seriesId, time];
  }
  return writer.finish();
}

/** Throws `ChunkFormatError` for what `encodeTold` has not written. */
export function decodeTold(bytes: Uint8Array, hourStart: number): ToldValue[] {
  const reader = new ByteReader(bytes);
  if (reader.byte() !== form) throw new ChunkFormatError('told values of another form');
  let [seriesId, time] = [0, 0];
  const told = Array.from({ length: reader.count(4) }, (): ToldValue => {
    seriesId += reader.signed();
    time += reader.signed();
    const kind = reader.byte() === 1 ? 'log' : 'buckets';
    return { seriesId, kind, at: hourStart + time * tick, value: reader.text() };
  });
  reader.end();
  return told;
}

/** What is known of a series in some time. One whose type has changed has both. */
export interface Content {
  buckets: Bucket[];
  log: Change[];
}

/** Told values by series, as buckets of `length` and logs. */
export function gatherTold(told: readonly ToldValue[], length: number): Map<number, Content> {
  const parts = new Map<number, { points: Point[]; changes: Change[] }>();
  for (const { seriesId, kind, at, value } of told) {
    const part = parts.get(seriesId) ?? { points: [], changes: [] };
    parts.set(seriesId, part);
    if (kind === 'log') part.changes.push({ at, value });
    else part.points.push({ at, value: Number(value) });
  }
  return new Map(
    Array.from(parts, ([id, { points, changes }]) => [
      id,
      { buckets: makeBuckets(points, length), log: makeLog(changes) },
    ]),
  );
}

/** Types of the Wiren Board convention whose values are states: what counts is when they change. */
const states: ReadonlySet<string> = new Set(['switch', 'alarm', 'pushbutton']);
/** Types whose values are no numbers. */
const texts: ReadonlySet<string> = new Set(['text', 'rgb']);

/** How a control of this type is kept; undefined of one that is not. One whose values have titles is an enumeration. */
export function kindOfControl(type: string | null, hasTitles: boolean): SeriesKind | undefined {
  if (type === null || texts.has(type)) return undefined;
  return hasTitles || states.has(type) ? 'log' : 'buckets';
}

const number = /^[-+]?\d{1,20}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,3})?$/;
/** Digits that a measurement has: what is beyond is how a meter writes a binary number. */
const digits = 6;
const leastDecimals = 3;

/** The value as it is kept; undefined of what is no number. */
export function readTold(value: string): string | undefined {
  if (value.length > 40 || !number.test(value)) return undefined;
  const read = Number(value);
  if (!Number.isFinite(read)) return undefined;
  const decimals = value.split('.')[1]?.length ?? 0;
  if (decimals <= leastDecimals || Math.abs(read) >= 1e15) return value;
  const whole = Math.abs(read) < 1 ? 0 : Math.floor(Math.log10(Math.abs(read))) + 1;
  return decimals <= digits - whole
    ? value
    : String(Number(read.toFixed(Math.max(leastDecimals, digits - whole))));
}

/** No text of a device has this character, so no two controls have one key. */
export const controlKey = ({ device, control }: { device: string; control: string }) =>
  `${device}\u0000${control}`;
