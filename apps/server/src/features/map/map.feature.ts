import type { Core, Feature } from '../../platform/feature.ts';
import { createMapRepository } from './map.repository.ts';
import { registerMapRoutes } from './map.routes.ts';
import { createMapService } from './map.service.ts';
import { createMapTiles } from './map-tiles.ts';

export interface MapFeature extends Feature {
  /** The path of the operator's own tiles; undefined while there are none. */
  findTilesUrl(): Promise<string | undefined>;
}

/** What the console's map reads from this server: the controllers on it, and the operator's own tiles. */
export function createMapFeature({ db, config }: Core): MapFeature {
  const service = createMapService({ repository: createMapRepository(db) });
  const tiles = createMapTiles(config.data.dir);
  return {
    name: 'map',
    findTilesUrl: tiles.findUrl,
    routes({ api, app }) {
      registerMapRoutes(api, service);
      tiles.serve(app);
    },
  };
}
