import {
  type Controller,
  type ControllersMap,
  type FleetOverview,
  limits,
  type SearchResults,
} from '@pult/contract';
import type { Principal } from '../../platform/http/principal.ts';
import { createScope, type OrganizationAccess } from '../organizations/index.ts';
import type { ControllerFilters } from './controller-filters.repository.ts';
import type { ControllersRepository } from './controllers.repository.ts';
import { summarize } from './fleet-summary.ts';
import type { MapRepository } from './map.repository.ts';
import { chooseCellSize } from './map-grid.ts';
import type { OverviewRepository } from './overview.repository.ts';
import { type SearchRepository, splitWords } from './search.repository.ts';

interface Dependencies {
  controllers: Pick<ControllersRepository, 'listControllersAfter' | 'searchControllers'>;
  search: SearchRepository;
  map: MapRepository;
  overview: OverviewRepository;
  access: OrganizationAccess;
}

/** Controllers held in memory at once by an export, however many there are. */
const partSize = 500;
/** Rows of the overview's short lists. */
const recent = 10;

/** A whole fleet at a glance: on the map, in a file, in figures. */
export function createFleetService({ controllers, search, map, overview, access }: Dependencies) {
  async function createFilterScope(principal: Principal, filters: ControllerFilters) {
    if (filters.organization_id) await access.requireSecondFactorOf(principal, filters.organization_id);
    return createScope(principal, 'controllers.read');
  }

  return {
    /** Every controller by itself up to the limit of features, and clusters of what is more. */
    async getMap(
      principal: Principal,
      query: ControllerFilters & { zoom?: number | undefined },
    ): Promise<ControllersMap> {
      const { zoom = 0, ...filters } = query;
      const scope = await createFilterScope(principal, filters);
      const markers = await map.listMarkers(scope, filters, limits.mapFeatures + 1);
      if (markers.length <= limits.mapFeatures) return { count: markers.length, features: markers };

      const cells = await map.listCells(scope, filters, chooseCellSize(zoom, filters));
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
        features: [...clusters, ...(await map.listMarkersOf(scope, filters, alone))],
      };
    },

    /**
     * All that match, by serial number, in parts. Each part looks at the membership anew: who loses it meanwhile
     * gets no more.
     */
    async exportControllers(
      principal: Principal,
      filters: ControllerFilters,
    ): Promise<AsyncIterable<Controller[]>> {
      const scope = await createFilterScope(principal, filters);
      return (async function* () {
        let after = '';
        for (;;) {
          const part = await controllers.listControllersAfter(scope, filters, { after, limit: partSize });
          yield part;
          const last = part.at(-1);
          if (!last || part.length < partSize) return;
          after = last.serialNumber;
        }
      })();
    },

    /** What fits the words best, in all organizations that the user may enter. */
    async search(principal: Principal, words: string): Promise<SearchResults> {
      const scope = createScope(principal, 'controllers.read');
      const text = splitWords(words);
      const [found, groups] = await Promise.all([
        controllers.searchControllers(scope, text, limits.foundControllers),
        search.listGroups(createScope(principal, 'groups.read'), text, limits.foundGroups),
      ]);
      return { controllers: found, groups };
    },

    async getOverview(principal: Principal, organizationId: string): Promise<FleetOverview> {
      await access.require(principal, organizationId, 'controllers.read');
      const scope = createScope(principal, 'controllers.read');
      const [firmware, groups, counts, recentlyLost, recentlyAdded] = await Promise.all([
        overview.countByFirmware(scope, organizationId),
        overview.listGroups(scope, organizationId),
        overview.countByGroup(scope, organizationId),
        overview.listRecentlyLost(scope, organizationId, recent),
        overview.listRecentlyAdded(scope, organizationId, recent),
      ]);
      return { ...summarize({ firmware, groups, counts }), recentlyLost, recentlyAdded };
    },
  };
}
export type FleetService = ReturnType<typeof createFleetService>;
