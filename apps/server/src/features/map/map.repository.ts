import type { MapFeature } from '@pult/contract';
import { sql } from 'kysely';
import type { Scope } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { type ControllerFilters, matchingControllers, statusCounts } from '../controllers/index.ts';

type MarkerCluster = Extract<MapFeature, { type: 'cluster' }>;
type Marker = Extract<MapFeature, { type: 'controller' }>;

/** A cell of the map's grid: a cluster, and the serial number of its controller if it has only one. */
export interface Cell extends Omit<MarkerCluster, 'type' | 'bounds'> {
  west: number;
  south: number;
  east: number;
  north: number;
  serialNumber: string;
}

/** Web Mercator's y of a latitude, as a share of the world from its middle; up to 0.5 at 85.05°, where maps end. */
const mercatorY = sql<number>`ln(tan(radians(45 + least(85, greatest(-85, controllers.latitude)) / 2))) / (2 * pi())`;
const mercatorX = sql<number>`controllers.longitude / 360`;

/** SQL of controllers that have coordinates. */
export function createMapRepository(db: Database) {
  async function located(scope: Scope, filters: ControllerFilters) {
    const query = await matchingControllers(db, scope, filters, { isPlanned: false });
    return query.where('controllers.latitude', 'is not', null);
  }

  const markers = (query: Awaited<ReturnType<typeof located>>): Promise<Marker[]> =>
    query
      .select(({ ref }) => [
        sql<'controller'>`'controller'`.as('type'),
        // Both are there: such are the rows.
        sql<number>`${ref('controllers.latitude')}`.as('latitude'),
        sql<number>`${ref('controllers.longitude')}`.as('longitude'),
        'controllers.serial_number as serialNumber',
        'controllers.description',
        'controllers.status',
        sql<{ id: string }>`json_build_object('id', controllers.organization_id)`.as('organization'),
      ])
      .execute();

  return {
    /** In no order; at most `limit` of them. */
    listMarkers: async (scope: Scope, filters: ControllerFilters, limit: number): Promise<Marker[]> =>
      markers((await located(scope, filters)).limit(limit)),

    listMarkersOf: async (
      scope: Scope,
      filters: ControllerFilters,
      serialNumbers: readonly string[],
    ): Promise<Marker[]> =>
      markers(
        (await located(scope, filters)).where(
          'controllers.serial_number',
          '=',
          sql<string>`any(${[...serialNumbers]}::text[])`,
        ),
      ),

    /** `cellSize`: of a cell's side, as a share of the world's width. */
    async listCells(scope: Scope, filters: ControllerFilters, cellSize: number): Promise<Cell[]> {
      const query = await located(scope, filters);
      return query
        .select(statusCounts)
        .select([
          sql<number>`avg(controllers.latitude)`.as('latitude'),
          sql<number>`avg(controllers.longitude)`.as('longitude'),
          sql<number>`min(controllers.longitude)`.as('west'),
          sql<number>`min(controllers.latitude)`.as('south'),
          sql<number>`max(controllers.longitude)`.as('east'),
          sql<number>`max(controllers.latitude)`.as('north'),
          sql<string>`min(controllers.serial_number collate "C")`.as('serialNumber'),
        ])
        .groupBy([
          sql`floor(${mercatorX} / ${cellSize}::float8)`,
          sql`floor(${mercatorY} / ${cellSize}::float8)`,
        ])
        .execute();
    },
  };
}
export type MapRepository = ReturnType<typeof createMapRepository>;
