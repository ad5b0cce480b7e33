import type { Place } from '../../../shared/map/camera.ts';
import type { MapLibreMap } from '../../../shared/map/maplibre.ts';

/** Pixels between a card and the edge of the map. */
const margin = 12;
/** The buttons of the map, at its right edge. */
const controls = 56;

/** Moves the map no further than needed for a card and its place to be seen together. */
export function showBeside(map: MapLibreMap, card: HTMLElement, place: Place, isSheet: boolean): void {
  const frame = map.getContainer().getBoundingClientRect();
  const { x, y } = map.project([place.longitude, place.latitude]);
  const { offsetWidth: width, offsetHeight: height } = card;
  if (isSheet) {
    const lowest = frame.height - height - 4 * margin;
    const isSeen = x >= margin && x <= frame.width - controls && y >= 2 * margin && y <= lowest;
    if (!isSeen) map.panBy([x - frame.width / 2, y - Math.max(lowest / 2, 2 * margin)]);
    return;
  }
  const left = x - width / 2 - margin;
  const right = x + width / 2 + controls - frame.width;
  const top = y - height - 2 * margin;
  const bottom = y + 2 * margin - frame.height;
  const sideways = left < 0 ? left : Math.max(0, right);
  const upwards = top < 0 ? top : Math.max(0, bottom);
  if (sideways !== 0 || upwards !== 0) map.panBy([sideways, upwards]);
}
