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

const pointed = /^(-?\d{1,3}(?:\.\d+)?)(?:\s*[,;]\s*|\s+)(-?\d{1,3}(?:\.\d+)?)$/;
/** With decimal commas something else must stand between the two. */
const withCommas = /^(-?\d{1,3},\d+)(?:\s*;\s*|\s+)(-?\d{1,3},\d+)$/;

/**
 * Two numbers as map services give them to copy, "55.7558, 37.6173", or as we show them in Russian, "55,7558; 37,6173".
 * Undefined for anything else.
 */
export function readCoordinatePair(text: string): { latitude: number; longitude: number } | undefined {
  const trimmed = text.trim();
  const [, latitude, longitude] = pointed.exec(trimmed) ?? withCommas.exec(trimmed) ?? [];
  if (latitude === undefined || longitude === undefined) return undefined;
  return { latitude: toNumber(latitude), longitude: toNumber(longitude) };
}

/** One number, with a point or a comma whatever the language: maps give points to copy. Undefined for anything else. */
export function readCoordinate(text: string): number | undefined {
  const [, digits] = /^\s*(-?\d{1,3}(?:[.,]\d+)?)\s*$/.exec(text) ?? [];
  return digits === undefined ? undefined : toNumber(digits);
}

function toNumber(digits: string): number {
  return Number(digits.replace(',', '.'));
}
