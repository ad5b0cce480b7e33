import { type Controller, limits, type MapFeature } from '@pult/contract';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { type Filters, queryKeys } from '../../shared/api/query-keys.ts';
import { type Bounds, boundsQuery } from '../../shared/map/bounds.ts';

export const world: Bounds = [-180, -90, 180, 90];

/** The first query of every map (spec-coverage: Map markers:): so many controllers a map shows each by itself. */
export function markersQuery(filters: Filters) {
  const query = { ...filters, ...boundsQuery(world), page: 1, page_size: limits.mapFeatures };
  return queryOptions({
    queryKey: queryKeys.controllers.list(query),
    queryFn: ({ signal }) => api('listControllers', { query, signal }),
    // Begun before the map is there, which then need not ask again.
    staleTime: 1000,
    placeholderData: (previous, earlier) =>
      isSameFleet(earlier?.queryKey[2], filters) ? previous : undefined,
  });
}

export interface View {
  bounds: Bounds;
  zoom: number;
}

/** What the view shows of more controllers than that: clusters made by the server. */
export function clustersQuery(filters: Filters, { bounds, zoom }: View) {
  const query = { ...filters, ...boundsQuery(bounds), zoom: Math.floor(zoom) };
  return queryOptions({
    queryKey: queryKeys.controllers.map(query),
    queryFn: ({ signal }) => api('mapControllers', { query, signal }),
    staleTime: 1000,
    placeholderData: (previous, earlier) =>
      isSameFleet(earlier?.queryKey[3], filters) ? previous : undefined,
  });
}

function isSameFleet(earlier: Filters | undefined, now: Filters): boolean {
  return earlier?.organization_id === now.organization_id;
}

/** Those who stand within the box, as the first rows of the list. */
export function controllersAtQuery(filters: Filters, bounds: Bounds) {
  const query = { ...filters, ...boundsQuery(bounds), page: 1, page_size: 100 };
  return queryOptions({
    queryKey: queryKeys.controllers.list(query),
    queryFn: ({ signal }) => api('listControllers', { query, signal }),
  });
}

/** Controllers of a list as features of the map; those without coordinates are none. */
export function toFeatures(controllers: readonly Controller[]): MapFeature[] {
  return controllers.flatMap(({ latitude, longitude, serialNumber, description, status, organization }) =>
    latitude === null || longitude === null
      ? []
      : [
          {
            type: 'controller' as const,
            latitude,
            longitude,
            serialNumber,
            description,
            status,
            organization: { id: organization.id },
          },
        ],
  );
}
