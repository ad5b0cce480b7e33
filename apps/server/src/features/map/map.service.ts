import { type ControllersMap, limits } from '@pult/contract';
import type { Principal } from '../../platform/http/principal.ts';
import type { ControllerFilters } from '../controllers/index.ts';
import { createScope, type OrganizationAccess } from '../organizations/index.ts';
import type { MapRepository } from './map.repository.ts';
import { chooseCellSize } from './map-grid.ts';

interface Dependencies {
  repository: MapRepository;
  access: OrganizationAccess;
}

/** The controllers that match, where they are. */
export function createMapService({ repository, access }: Dependencies) {
  return {
    /** Every controller by itself up to the limit of features, and clusters of what is more. */
    async getMap(
      principal: Principal,
      query: ControllerFilters & { zoom?: number | undefined },
    ): Promise<ControllersMap> {
      const { zoom = 0, ...filters } = query;
      await access.requireEntryOf(principal, filters.organization_id);
      const scope = createScope(principal, 'controllers.read');
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
