import type { Feature } from '../../platform/feature.ts';
import { createMapTiles } from './map-tiles.ts';

export interface MapFeature extends Feature {
  /** The path of the operator's own tiles; undefined while there are none. */
  findTilesUrl(): Promise<string | undefined>;
}

/** What the console's map reads from this server. */
export function createMapFeature({ dataDir }: { dataDir: string }): MapFeature {
  const tiles = createMapTiles(dataDir);
  return {
    name: 'map',
    findTilesUrl: tiles.findUrl,
    routes: ({ app }) => tiles.serve(app),
  };
}
