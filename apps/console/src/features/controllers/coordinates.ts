import type { Locale } from '@pult/contract';

export interface Coordinates {
  latitude: number | null;
  longitude: number | null;
}

export type CoordinateError = 'latitudeRange' | 'longitudeRange' | 'together';

const ranges = { latitude: 90, longitude: 180 } as const;

/** What is wrong with a pair, by its field. The API takes both or neither. */
export function checkCoordinates(pair: Coordinates): Partial<Record<keyof Coordinates, CoordinateError>> {
  const errors: Partial<Record<keyof Coordinates, CoordinateError>> = {};
  for (const field of ['latitude', 'longitude'] as const) {
    const value = pair[field];
    if (value !== null && Math.abs(value) > ranges[field]) errors[field] = `${field}Range`;
  }
  if ((pair.latitude === null) !== (pair.longitude === null)) {
    errors[pair.latitude === null ? 'latitude' : 'longitude'] = 'together';
  }
  return errors;
}

type Field = keyof Coordinates;
interface Reading {
  value: number;
  /** Where a letter says which of the two it is. */
  field: Field | undefined;
}

/** What people and maps copy is short. */
const maxLength = 200;

/** Signs of one meaning as one: dashes, primes and quotes, names of the hemispheres in Russian. In capitals, spaces single. */
function unify(text: string): string {
  return text
    .slice(0, maxLength)
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase()
    .replace(/[\u2010-\u2015\u2212\ufe63\uff0d]/g, '-')
    .replace(/[\u00ba\u02da]/g, '°')
    .replace(/[\u2018\u2019\u02b9\u00b4\u2032`]/g, "'")
    .replace(/''|[\u201c-\u201e\u02ba\u2033]/g, '"')
    .replace(/[СЮ]\.? ?Ш\.?|[ВЗ]\.? ?Д\.?/g, ([letter = '']) => letter)
    .replace(/[СЮВЗЕ]/g, (letter) => hemispheres[letter] ?? letter)
    .replace(/ ([°'":,])/g, '$1')
    .replace(/([°:]) /g, '$1');
}

const hemispheres: Readonly<Record<string, string>> = { С: 'N', Ю: 'S', В: 'E', З: 'W', Е: 'E' };

/** Degrees, or with minutes, or with seconds as well, each after its sign, a colon or a space; a fraction of the last alone. */
const single =
  /^([NSEW])? ?([+-])?(\d{1,3}(?:[.,]\d+)?)(?:[°: ](?:(\d{1,2}(?:[.,]\d+)?)(?:(?:' ?|[: ])(?:(\d{1,2}(?:[.,]\d+)?)"?)?)?)?)? ?([NSEW])?$/;

function readSingle(unified: string): Reading | undefined {
  const match = single.exec(unified);
  if (!match) return undefined;
  const [, before, sign, ...rest] = match;
  const after = rest.pop();
  const parts = rest.filter((part) => part !== undefined);
  const numbers = parts.map((part) => Number(part.replace(',', '.')));
  const letter = before ?? after;
  if ((before && after) || (letter && sign)) return undefined;
  if (parts.slice(0, -1).some((part) => /[.,]/.test(part))) return undefined;
  if (numbers.slice(1).some((number) => number >= 60)) return undefined;
  const [degrees = 0, minutes = 0, seconds = 0] = numbers;
  // To a centimetre: a fraction of a degree that seconds make has no end.
  const value = parts.length === 1 ? degrees : Number((degrees + minutes / 60 + seconds / 3600).toFixed(7));
  const isNegative = sign === '-' || letter === 'S' || letter === 'W';
  const field = letter === 'N' || letter === 'S' ? 'latitude' : 'longitude';
  return { value: isNegative ? -value : value, field: letter === undefined ? undefined : field };
}

/** Where one may end and the other begin, the surest first. A comma with nothing behind it may be a decimal one. */
const borders = [/ ?[;/] ?/g, /, /g, /,/g, /(?<=[NSEW]),? ?/g, /,? ?(?=[NSEW])/g, / /g];

function readPair(unified: string): [Reading, Reading] | undefined {
  for (const border of borders) {
    const found = [...unified.matchAll(border)].flatMap(({ 0: { length }, index }) => {
      const halves = [unified.slice(0, index), unified.slice(index + length)].map(readSingle);
      const [first, second] = halves;
      return first && second ? [[first, second] as [Reading, Reading]] : [];
    });
    const isNumber = border.source === ',' && (unified.split(',').length > 2 || readSingle(unified));
    if (found.length === 1 && !isNumber) return found[0];
  }
  return undefined;
}

/** RFC 5870; `q` is what Android puts there beside 0,0. Undefined for any other text. */
function readGeoUri(unified: string): string | undefined {
  if (!unified.startsWith('GEO:')) return undefined;
  const [place = '', query = ''] = unified.slice('GEO:'.length).replaceAll('%2C', ',').split('?');
  const asked = /(?:^|&)Q=(-?[\d.]+,-?[\d.]+)/.exec(query)?.[1];
  const [latitude, longitude] = (asked ?? place.split(';', 1)[0] ?? '').split(',');
  return `${latitude}; ${longitude}`;
}

/**
 * Two numbers as map services give them to copy, "55.7558, 37.6173" or "55°45′21″N 37°37′02″E", or as we show them in Russian,
 * "55,7558; 37,6173". Undefined for anything else.
 */
export function readCoordinatePair(text: string): { latitude: number; longitude: number } | undefined {
  if (text.trim().length > maxLength) return undefined;
  const unified = unify(text).replace(/^[([](.*)[)\]]$/, '$1');
  const pair = readPair(readGeoUri(unified) ?? unified);
  if (!pair) return undefined;
  const [first, second] = pair;
  const [latitude, longitude] = first.field === 'longitude' ? [second, first] : [first, second];
  // Letters say it of both, or of none.
  const isClear =
    latitude.field === undefined ? longitude.field === undefined : longitude.field === 'longitude';
  return isClear && latitude.field !== 'longitude'
    ? { latitude: latitude.value, longitude: longitude.value }
    : undefined;
}

function readOne(text: string): Reading | undefined {
  return text.trim().length > maxLength ? undefined : readSingle(unify(text));
}

/**
 * One number of degrees, with a point or a comma whatever the language: maps give points to copy. Undefined for anything
 * else, and for what says that it is not of this field.
 */
export function readCoordinate(text: string, field?: Field): number | undefined {
  const one = readOne(text);
  return one?.field === undefined || one.field === field || field === undefined ? one?.value : undefined;
}

/** What a text in one field says: both, or one, which is another field's where it says so. Undefined where that is nothing. */
export function readCoordinates(text: string, field: Field): Partial<Coordinates> | undefined {
  const whole = readCoordinatePair(text);
  if (whole) return whole;
  const one = readOne(text);
  return one && { [one.field ?? field]: one.value };
}

/** As a field shows one to be changed: without groups of digits, and to ten centimetres. */
export function writeCoordinate(value: number | null, locale: Locale): string {
  if (value === null) return '';
  const digits = String(Number(value.toFixed(6)));
  return locale === 'ru' ? digits.replace('.', ',') : digits;
}
