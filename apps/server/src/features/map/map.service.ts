import { type ControllersMap, limits } from '@pult/contract';
import type { ScopedCaller } from '../../platform/access/index.ts';
import type { ControllerFilters } from '../controllers/index.ts';
import type { MapRepository } from './map.repository.ts';
import { chooseCellSize } from './map-grid.ts';

/** The controllers that match, where they are. */
export function createMapService({ repository }: { repository: MapRepository }) {
  return {
    /** Every controller by itself up to the limit of features, and clusters of what is more. */
    async getMap(
      { scope }: ScopedCaller,
      query: ControllerFilters & { zoom?: number | undefined },
    ): Promise<ControllersMap> {
      const { zoom = 0, ...filters } = query;
      const markers = await repository.listMarkers(scope, filters, limits.mapFeatures + 1);
      if (markers.length <= limits.mapFeatures) return { count: markers.length, features: markers };

      const cells = await repository.listCells(scope, filters, chooseCellSize(zoom, filters));
      const alone = cells.filter((cell) => cell.count === 1).map((cell) => cell.serialNumber);
      const clusters = cells
        .filter((cell) => cell.count > 1)
        .map(({ west, south, east, north, serialNumber: _, ...cluster }) => ({
          type: 'cluster' as const,
          ...cluster,
          bounds: [west, south, east, north] as [number, number, number, number],
        }));
      return {
        count: cells.reduce((sum, cell) => sum + cell.count, 0),
        features: [...clusters, ...(await repository.listMarkersOf(scope, filters, alone))],
      };
    },
  };
}
export type MapService = ReturnType<typeof createMapService>;
