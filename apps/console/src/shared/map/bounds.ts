import { type Place, wrapLongitude } from './camera.ts';

/** West, south, east, north. East is the smaller one where the box goes across 180°. */
export type Bounds = readonly [number, number, number, number];

/** Of what the server has for a map: all of a cluster's controllers, or the place of one. */
export function boundsOf(feature: Place & { bounds?: Bounds }): Bounds {
  const { latitude, longitude, bounds } = feature;
  return bounds ?? [longitude, latitude, longitude, latitude];
}

/** The smallest box around all of them, across 180° where that is the short way; undefined for none. */
export function joinBounds(boxes: readonly Bounds[]): Bounds | undefined {
  const [first, ...rest] = [...boxes].sort((one, other) => one[0] - other[0]);
  if (!first) return undefined;
  // Once round the world from west to east: the widest gap is what the box leaves out.
  let reached = eastOf(first);
  let widest = { gap: Number.NEGATIVE_INFINITY, west: first[0], east: reached };
  for (const box of rest) {
    const gap = box[0] - reached;
    if (gap > widest.gap) widest = { gap, west: box[0], east: reached };
    reached = Math.max(reached, eastOf(box));
  }
  const overSeam = first[0] + 360 - reached;
  if (overSeam >= widest.gap) widest = { gap: overSeam, west: first[0], east: reached };
  return [
    widest.west,
    Math.min(...boxes.map(([, south]) => south)),
    wrapLongitude(widest.east),
    Math.max(...boxes.map(([, , , north]) => north)),
  ];
}

function eastOf([west, , east]: Bounds): number {
  return east < west ? east + 360 : east;
}

/** A box larger on each side by a share of its size; at most the world. Takes longitudes beyond 180°, as maps have them. */
export function growBounds([west, south, east, north]: Bounds, share: number): Bounds {
  const width = east < west ? east - west + 360 : east - west;
  const [sideways, upwards] = [width * share, (north - south) * share];
  const isWorld = width + 2 * sideways >= 360;
  return [
    isWorld ? -180 : wrapLongitude(west - sideways),
    Math.max(-90, south - upwards),
    isWorld ? 180 : wrapLongitude(east + sideways),
    Math.min(90, north + upwards),
  ];
}

export function isWithin({ latitude, longitude }: Place, [west, south, east, north]: Bounds): boolean {
  if (latitude < south || latitude > north) return false;
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east;
}

/** The box in the words of the API's query. */
export function boundsQuery([west, south, east, north]: Bounds) {
  return { latitude_min: south, latitude_max: north, longitude_min: west, longitude_max: east };
}
