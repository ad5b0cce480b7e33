import { limits } from '@pult/contract';

/** Where the map looks, in degrees; each is the world's own edge by default. */
export interface Bounds {
  latitude_min?: number | undefined;
  latitude_max?: number | undefined;
  longitude_min?: number | undefined;
  longitude_max?: number | undefined;
}

/** Cells of a tile of 512 pixels, along its side: of 64 pixels, so that the markers of two do not cover each other. */
const cellsPerTile = 8;

/** Web Mercator's y, as a share of the world. */
function mercatorY(latitude: number): number {
  const clamped = Math.min(85, Math.max(-85, latitude));
  return Math.log(Math.tan(((45 + clamped / 2) * Math.PI) / 180)) / (2 * Math.PI);
}

/**
 * The side of a cluster's cell as a share of the world's width. Halved with each zoom, so that cells stay where they
 * are while the map moves; larger where the bounds would have more cells than a map may get features.
 */
export function chooseCellSize(zoom: number, bounds: Bounds): number {
  const { latitude_min: south = -90, latitude_max: north = 90 } = bounds;
  const { longitude_min: west = -180, longitude_max: east = 180 } = bounds;
  const width = (west <= east ? east - west : east - west + 360) / 360;
  const height = mercatorY(north) - mercatorY(south);
  let size = 1 / cellsPerTile / 2 ** Math.floor(zoom);
  // The bounds may cut a cell on each side, and one more where they go across 180°.
  const cellsAt = (side: number) => (width / side + 3) * (height / side + 2);
  while (cellsAt(size) > limits.mapFeatures) size *= 2;
  return size;
}
