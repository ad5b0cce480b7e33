import type { Overview, StatusCounts } from '@pult/contract';
import { sql } from 'kysely';
import type { Scope } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import {
  createFleetCounts,
  type MatchingControllers,
  matchingControllers,
  statusCounts,
} from '../controllers/index.ts';

export interface FirmwareCounts extends StatusCounts {
  firmwareVersion: string;
}
type Recent = Overview['recentlyLost'];

/** SQL of an organization's fleet in figures. */
export function createFleetFiguresRepository(db: Database) {
  const kept = createFleetCounts(db);
  const ordered = (scope: Scope, organizationId: string) =>
    matchingControllers(
      db,
      scope,
      { organization_id: organizationId },
      { purpose: 'page', joins: { withGroups: true } },
    );

  async function readRecent(query: MatchingControllers, limit: number): Promise<Recent> {
    const rows = await query
      .select([
        'controllers.serial_number as serialNumber',
        'controllers.description',
        'controllers.status',
        'controllers.last_seen_at',
        'controllers.activated_at',
        'controllers.group_id',
        sql<string | null>`groups.name`.as('group_name'),
      ])
      .limit(limit)
      .execute();
    return rows.map(({ last_seen_at, activated_at, group_id: id, group_name: name, ...row }) => ({
      ...row,
      group: id !== null && name !== null ? { id, name } : null,
      lastSeenAt: last_seen_at?.toISOString() ?? null,
      activatedAt: activated_at.toISOString(),
    }));
  }

  return {
    countByRoot: kept.countByRoot,

    /** Most frequent first. */
    async countByFirmware(scope: Scope, organizationId: string): Promise<FirmwareCounts[]> {
      const query = await matchingControllers(db, scope, { organization_id: organizationId });
      return query
        .select('controllers.firmware_version as firmwareVersion')
        .select(statusCounts)
        .groupBy('controllers.firmware_version')
        .orderBy('count', 'desc')
        .orderBy('controllers.firmware_version')
        .execute();
    },

    /** Offline ones, by when they were last seen, latest first. */
    listRecentlyLost: async (scope: Scope, organizationId: string, limit: number): Promise<Recent> =>
      readRecent(
        (await ordered(scope, organizationId))
          .where('controllers.seen_rank', '<', sql<Date>`'infinity'::timestamptz`)
          .orderBy('controllers.seen_rank', 'desc')
          .orderBy('controllers.serial_number', 'desc'),
        limit,
      ),

    listRecentlyAdded: async (scope: Scope, organizationId: string, limit: number): Promise<Recent> =>
      readRecent(
        (await ordered(scope, organizationId))
          .orderBy('controllers.activated_at', 'desc')
          .orderBy('controllers.serial_number', 'desc'),
        limit,
      ),
  };
}
export type FleetFiguresRepository = ReturnType<typeof createFleetFiguresRepository>;
