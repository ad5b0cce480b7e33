import type { Place } from './camera.ts';

/** Side of the world at zoom 0, in pixels. */
const worldSize = 512;
/** Where web maps end, so that the world is a square. */
const latitudeMax = 85.051129;

export interface Point {
  x: number;
  y: number;
}

export function pixelsAcross(zoom: number): number {
  return worldSize * 2 ** zoom;
}

/** Shares of the world's side, from its north-western corner (Web Mercator). */
export function project({ latitude, longitude }: Place): Point {
  const clamped = Math.min(latitudeMax, Math.max(-latitudeMax, latitude));
  const north = Math.log(Math.tan(((45 + clamped / 2) * Math.PI) / 180)) / (2 * Math.PI);
  return { x: longitude / 360 + 0.5, y: 0.5 - north };
}
