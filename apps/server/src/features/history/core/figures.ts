import { type Bucket, findPlace, meanAt, meanPlaces } from './buckets.ts';
import { type ByteReader, type ByteWriter, ChunkFormatError, maxInteger } from './bytes.ts';

type Figures = Omit<Bucket, 'at'>;

/** In place of a number of decimals: the figures are doubles that no decimal number comes to. */
const asDoubles = 255;
const maxDecimals = 9;
const powers = Array.from({ length: maxDecimals + 1 }, (_, decimals) => 10 ** decimals);
const powerOf = (decimals: number) => powers[decimals] ?? 1;

/**
 * The whole number that is so many times as large, where it says the same: the division of two exact numbers is rounded as the text was
 * that somebody wrote. Zero with a sign is none.
 */
function toWhole(value: number, decimals: number): number | undefined {
  const scaled = Math.round(value * powerOf(decimals));
  if (Math.abs(scaled) > maxInteger || !Object.is(scaled / powerOf(decimals), value)) return undefined;
  return scaled;
}

/** How many digits behind the point say these numbers exactly; undefined where none of so few do. */
function findDecimals(values: Iterable<number>): number | undefined {
  let decimals = 0;
  for (const value of values)
    while (toWhole(value, decimals) === undefined) {
      decimals += 1;
      if (decimals > maxDecimals) return undefined;
    }
  return decimals;
}

function findDivisor(values: Iterable<number>): number {
  let divisor = 0;
  for (const value of values) {
    let [one, other] = [Math.abs(value), divisor];
    while (other > 0) [one, other] = [other, one % other];
    divisor = one;
    if (divisor === 1) break;
  }
  return Math.max(1, divisor);
}

function* flat(figures: readonly Figures[]): Generator<number> {
  for (const { min, max, last } of figures) {
    yield min;
    yield max;
    yield last;
  }
}

/** The least number of places at which all these means stand; undefined where one stands between. */
function findPlaces(figures: readonly Figures[]): number | undefined {
  return Object.values(meanPlaces).find((places) =>
    figures.every((each) => Object.is(meanAt(each, findPlace(each, places), places), each.mean)),
  );
}

/**
 * Four columns, like beside like. A decimal number is a whole one, and of steps where it moves by such: the last value as the difference
 * to the one before, the extremes by how far they are from it, the mean by its place between both. All of them are small where a value
 * walks, and nothing where it was told once.
 */
export function writeFigures(writer: ByteWriter, figures: readonly Figures[]): void {
  const decimals = findDecimals(flat(figures));
  const places = findPlaces(figures);
  if (decimals === undefined || places === undefined) {
    writer.byte(asDoubles);
    writeDoubles(writer, figures);
    return;
  }
  const wholes = Array.from(flat(figures), (value) => Math.round(value * powerOf(decimals)));
  const step = findDivisor(wholes);
  writer.byte(decimals);
  writer.unsigned(step);
  writer.unsigned(places);
  const column = (place: number) => figures.map((_, index) => (wholes[3 * index + place] ?? 0) / step);
  const [lows, highs, lasts] = [column(0), column(1), column(2)];
  lasts.forEach((last, index) => {
    writer.signed(last - (lasts[index - 1] ?? 0));
  });
  lasts.forEach((last, index) => {
    writer.signed(last - (lows[index] ?? 0));
  });
  lasts.forEach((last, index) => {
    writer.signed((highs[index] ?? 0) - last);
  });
  for (const figure of figures) writer.unsigned(findPlace(figure, places));
}

export function readFigures(reader: ByteReader, count: number): Figures[] {
  const decimals = reader.byte();
  if (decimals === asDoubles) return readDoubles(reader, count);
  if (decimals > maxDecimals) throw new ChunkFormatError('so many decimals are not written');
  const unit = reader.unsigned();
  const places = reader.unsigned();
  if (places === 0) throw new ChunkFormatError('a mean has no place');
  const column = () => Array.from({ length: count }, () => reader.signed());
  const [steps, below, above] = [column(), column(), column()];
  const read = (whole: number) => (whole * unit) / powerOf(decimals) + 0;
  let whole = 0;
  return steps.map((step, index) => {
    whole += step;
    const extremes = { min: read(whole - (below[index] ?? 0)), max: read(whole + (above[index] ?? 0)) };
    const place = reader.unsigned();
    if (place > places) throw new ChunkFormatError('a mean is beyond its extremes');
    return { ...extremes, mean: meanAt(extremes, place, places), last: read(whole) };
  });
}

const columns = ['last', 'min', 'max', 'mean'] as const;

/** Each column as what differs from the number before, bit by bit; all first bytes, then all second ones: the first ones are alike. */
function writeDoubles(writer: ByteWriter, figures: readonly Figures[]): void {
  for (const column of columns) {
    const bytes = Buffer.alloc(8 * figures.length);
    figures.forEach((figure, index) => {
      bytes.writeDoubleBE(figure[column], 8 * index);
    });
    for (let index = bytes.length - 1; index >= 8; index -= 1)
      bytes[index] = (bytes[index] ?? 0) ^ (bytes[index - 8] ?? 0);
    for (let place = 0; place < 8; place += 1)
      for (let index = place; index < bytes.length; index += 8) writer.byte(bytes[index] ?? 0);
  }
}

function readDoubles(reader: ByteReader, count: number): Figures[] {
  const figures = Array.from({ length: count }, () => ({ min: 0, mean: 0, max: 0, last: 0 }));
  for (const column of columns) {
    const planes = reader.raw(8 * count);
    const bytes = Buffer.alloc(8 * count);
    for (let place = 0; place < 8; place += 1)
      for (let index = 0; index < count; index += 1)
        bytes[8 * index + place] = planes[place * count + index] ?? 0;
    for (let index = 8; index < bytes.length; index += 1)
      bytes[index] = (bytes[index] ?? 0) ^ (bytes[index - 8] ?? 0);
    figures.forEach((figure, index) => {
      const value = bytes.readDoubleBE(8 * index);
      if (!Number.isFinite(value)) throw new ChunkFormatError('a figure is no number');
      figure[column] = value;
    });
  }
  return figures;
}
