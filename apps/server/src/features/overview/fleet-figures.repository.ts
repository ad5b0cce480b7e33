import type { ConnectionKind, Overview, StatusCounts } from '@pult/contract';
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
export interface AgentCount {
  version: string;
  kind: ConnectionKind;
  count: number;
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

    /** By versions of the firmware, most frequent first, and of agents; both in one pass over the fleet. */
    async countByVersion(
      scope: Scope,
      organizationId: string,
    ): Promise<{ firmware: FirmwareCounts[]; agents: AgentCount[] }> {
      // As a page: it reads all rows of the organization, and with that as a value the database knows how many these are.
      const query = await matchingControllers(
        db,
        scope,
        { organization_id: organizationId },
        { purpose: 'page' },
      );
      const rows = await query
        .select([
          'controllers.firmware_version as firmwareVersion',
          'controllers.agent_version as agentVersion',
          'controllers.connection_kind as kind',
          sql<boolean>`grouping(controllers.firmware_version) = 0`.as('isFirmware'),
        ])
        .select(statusCounts)
        .groupBy(
          sql`grouping sets ((controllers.firmware_version), (controllers.agent_version, controllers.connection_kind))`,
        )
        .orderBy('count', 'desc')
        .orderBy('controllers.firmware_version')
        .execute();
      return {
        firmware: rows
          .filter(({ isFirmware }) => isFirmware)
          .map(({ firmwareVersion, count, countOnline, countOffline, countNever }) => ({
            ...{ firmwareVersion, count, countOnline, countOffline, countNever },
          })),
        agents: rows
          .filter(({ isFirmware }) => !isFirmware)
          .map(({ agentVersion: version, kind, count }) => ({ version, kind, count })),
      };
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
