import type { Locale } from '@pult/contract';
import { formatBytes, formatNumber } from '../i18n/format.ts';

/** What a value is, which decides how it is written and where its axis begins and is cut. */
export type Unit = 'number' | 'count' | 'percent' | 'bytes' | 'celsius' | 'seconds' | OwnUnit;

/** Of what a device measures: it alone knows what that is. One object for as long as the same is shown. */
export interface OwnUnit {
  write: (value: number) => string;
  /** Values of which the axis says something; where they are not given it is whatever is round. */
  marks?: readonly number[];
}

const timeUnits = [
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** The two greatest units, `3 days 4 hr`; seconds alone, as beside minutes nobody reads them. */
function formatSeconds(value: number, locale: Locale): string {
  const first = Math.max(
    0,
    timeUnits.findIndex(([, length]) => value >= length),
  );
  const start = value < 1 ? timeUnits.length - 1 : first;
  let rest = Math.max(0, Math.floor(value));
  return timeUnits
    .slice(start, start + 2)
    .map(([unit, length], index) => {
      const count = Math.floor(rest / length);
      rest -= count * length;
      if (index > 0 && (count === 0 || unit === 'second')) return '';
      return formatNumber(count, locale, { style: 'unit', unit, unitDisplay: 'short' });
    })
    .filter((text) => text !== '')
    .join(' ');
}

/** A value as people write it in that language. */
export function formatValue(value: number, unit: Unit, locale: Locale): string {
  if (typeof unit === 'object') return unit.write(value);
  switch (unit) {
    case 'count':
      return formatNumber(value, locale, { maximumFractionDigits: 0 });
    case 'percent':
      return formatNumber(value / 100, locale, { style: 'percent', maximumFractionDigits: 1 });
    case 'celsius':
      return formatNumber(value, locale, { style: 'unit', unit: 'celsius', maximumFractionDigits: 1 });
    case 'bytes':
      return formatBytes(value, locale);
    case 'seconds':
      return formatSeconds(value, locale);
    case 'number':
      return formatNumber(value, locale, { maximumFractionDigits: 2 });
  }
}

const kibi = [1, 1024, 1024 ** 2, 1024 ** 3, 1024 ** 4];

/** Steps of an axis that give round numbers in the unit; undefined where the usual ones do. */
const axisSteps: Readonly<Partial<Record<Exclude<Unit, OwnUnit>, readonly number[]>>> = {
  count: [1, 2, 5]
    .flatMap((digit) => [1, 10, 100, 1000, 10_000, 100_000].map((power) => digit * power))
    .toSorted((a, b) => a - b),
  bytes: kibi.flatMap((power) => [1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * power)),
  seconds: [
    ...[1, 10, 30, 60, 600, 1800, 3600],
    ...[2, 6, 12, 24, 48, 24 * 7, 24 * 14, 24 * 30, 24 * 90, 24 * 365].map((hours) => hours * 3600),
  ],
};

export function stepsOf(unit: Unit): readonly number[] | undefined {
  return typeof unit === 'object' ? undefined : axisSteps[unit];
}

/** From where to where the axis of values goes. Amounts begin at nothing, so that half the height is half of it. */
export function chooseScale(unit: Unit, lowest: number | null, highest: number | null): [number, number] {
  if (unit === 'percent') return [0, 100];
  if (lowest === null || highest === null) return [0, 1];
  if (typeof unit === 'object') {
    const all = [...(unit.marks ?? []), lowest, highest];
    const [least, most] = [Math.min(...all), Math.max(...all)];
    const room = (most - least) * 0.12 || Math.max(Math.abs(most) * 0.05, 0.5);
    return [least - room, most + room];
  }
  if (unit === 'celsius') {
    const room = Math.max(2, (highest - lowest) * 0.15);
    return [lowest - room, highest + room];
  }
  return [Math.min(0, lowest), highest <= 0 ? 1 : highest * 1.12];
}
