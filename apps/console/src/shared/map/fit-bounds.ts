import type { Bounds } from './bounds.ts';
import type { MapLibreMap } from './maplibre.ts';

interface Options {
  /** Pixels, where the map is large enough for them. */
  padding: number;
  maxZoom: number;
  /** There at once. */
  isStill?: boolean;
}

/** Shows the whole box. `event` is told to whoever hears of the movement. */
export function fitBounds(
  map: MapLibreMap,
  [west, south, east, north]: Bounds,
  { padding, maxZoom, isStill = false }: Options,
  event: object = {},
): void {
  const isAtOnce = isStill || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  // Beyond 180° where the box goes across it: so the map takes the short way too.
  const box: [number, number, number, number] = [west, south, east < west ? east + 360 : east, north];
  const { clientWidth, clientHeight } = map.getContainer();
  const room = Math.min(padding, Math.min(clientWidth, clientHeight) / 4);
  map.fitBounds(box, { maxZoom, padding: room, duration: isAtOnce ? 0 : 500 }, event);
}
