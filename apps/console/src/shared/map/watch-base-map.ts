import type { MapLibreMap } from './maplibre.ts';

/** Tiles may be missing here and there; so many without a single one that loads are a source that is not there. */
const tilesUntilBroken = 4;

/** What the library adds to an error, and its types do not tell: the part of the style that failed. */
interface FailedPart {
  sourceId?: string;
  tile?: unknown;
}

/** Tells, at most once, that the style draws nothing: a source of it, or all of its tiles, cannot be loaded. */
export function watchBaseMap(map: MapLibreMap, onBroken: () => void): () => void {
  let isDone = false;
  let failedTiles = 0;
  const end = () => {
    isDone = true;
  };
  const errors = map.on('error', (event) => {
    if (isDone) return;
    const { sourceId, tile } = event as FailedPart;
    if (tile !== undefined) failedTiles += 1;
    const isSourceGone = sourceId !== undefined && tile === undefined;
    if (!isSourceGone && failedTiles < tilesUntilBroken) return;
    end();
    onBroken();
  });
  const tiles = map.on('sourcedata', (event) => {
    // A first tile is proof enough: what fails later is a gap, not a missing map.
    if ('tile' in event && event.tile !== undefined && event.sourceDataType !== 'metadata') end();
  });
  return () => {
    errors.unsubscribe();
    tiles.unsubscribe();
  };
}
