import type { Place } from '../camera.ts';

type Position = readonly number[];

/** Heights of the country at which a line of text is tried, from its south to its north. */
const heights = [0.3, 0.36, 0.42, 0.46, 0.5, 0.54, 0.58, 0.64, 0.7];

interface Area extends Place {
  /** Square degrees as they lie on the ground at the equator: what is large is named first. */
  size: number;
}

/** Where a name fits best into a country: in the middle of the longest line from west to east through its largest part. */
export function findLabelPlace(polygons: readonly (readonly (readonly Position[])[])[]): Area | undefined {
  let largest: { ring: readonly Position[]; size: number } | undefined;
  for (const [ring] of polygons) {
    const size = ring ? measure(ring) : 0;
    if (ring && size > (largest?.size ?? 0)) largest = { ring, size };
  }
  if (!largest) return undefined;
  const { ring, size } = largest;
  const latitudes = ring.map((position) => position[1] ?? 0);
  const south = Math.min(...latitudes);
  const north = Math.max(...latitudes);
  let best = { width: 0, latitude: south, longitude: 0 };
  for (const height of heights) {
    const latitude = south + (north - south) * height;
    const shrink = Math.cos((latitude * Math.PI) / 180);
    const crossings = findCrossings(ring, latitude);
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      const [west = 0, east = 0] = crossings.slice(index, index + 2);
      // The middle wins over an edge that is a little longer.
      const width = (east - west) * shrink * (1 - Math.abs(height - 0.5));
      if (width > best.width) best = { width, latitude, longitude: (west + east) / 2 };
    }
  }
  return { latitude: best.latitude, longitude: best.longitude, size };
}

/** Longitudes at which the ring crosses a latitude, from west to east. */
function findCrossings(ring: readonly Position[], latitude: number): number[] {
  const crossings: number[] = [];
  for (let index = 1; index < ring.length; index += 1) {
    const [x1 = 0, y1 = 0] = ring[index - 1] ?? [];
    const [x2 = 0, y2 = 0] = ring[index] ?? [];
    if (y1 > latitude !== y2 > latitude) crossings.push(x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1));
  }
  return crossings.sort((one, other) => one - other);
}

function measure(ring: readonly Position[]): number {
  let doubled = 0;
  for (let index = 1; index < ring.length; index += 1) {
    const [x1 = 0, y1 = 0] = ring[index - 1] ?? [];
    const [x2 = 0, y2 = 0] = ring[index] ?? [];
    doubled += (x2 - x1) * (sinOf(y1) + sinOf(y2));
  }
  return Math.abs(doubled) / 2;
}

function sinOf(degrees: number): number {
  return (Math.sin((degrees * Math.PI) / 180) * 180) / Math.PI;
}
