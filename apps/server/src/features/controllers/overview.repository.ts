import { type FleetOverview, type StatusCounts, statusCountOf } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleGroups } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { type MatchingControllers, matchingControllers } from './controller-filters.repository.ts';
import { createFleetCounts } from './fleet-counts.repository.ts';
import { statusCounts } from './status-counts.repository.ts';

export interface GroupCounts extends StatusCounts {
  groupId: string | null;
}
export interface FirmwareCounts extends StatusCounts {
  firmwareVersion: string;
}
export interface GroupNode {
  id: string;
  parentId: string | null;
  name: string;
}
type Recent = FleetOverview['recentlyLost'];

/** SQL of an organization's figures. */
export function createOverviewRepository(db: Database) {
  const kept = createFleetCounts(db);
  const pageOf = (scope: Scope, organizationId: string) =>
    matchingControllers(db, scope, { organization_id: organizationId }, { purpose: 'page' });

  async function readRecent(query: MatchingControllers, limit: number): Promise<Recent> {
    const rows = await query
      .select([
        'controllers.serial_number as serialNumber',
        'controllers.description',
        'controllers.status',
        'controllers.last_seen_at',
        'controllers.activated_at',
      ])
      .limit(limit)
      .execute();
    return rows.map(({ last_seen_at: lastSeenAt, activated_at: activatedAt, ...row }) => ({
      ...row,
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
      activatedAt: activatedAt.toISOString(),
    }));
  }

  return {
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

    /** Of each group by itself, and of no group. */
    async countByGroup(scope: Scope, organizationId: string): Promise<GroupCounts[]> {
      const kinds = await kept.countByGroupAndStatus(scope, { organization_id: organizationId });
      const groups = new Map<string | null, GroupCounts>();
      for (const { groupId, status, count } of kinds) {
        const counts = groups.get(groupId) ?? {
          groupId,
          count: 0,
          countOnline: 0,
          countOffline: 0,
          countNever: 0,
        };
        counts.count += count;
        counts[statusCountOf[status]] += count;
        groups.set(groupId, counts);
      }
      return [...groups.values()];
    },

    /** With those on the way to a part: a tree has its roots. */
    listGroups: (scope: Scope, organizationId: string): Promise<GroupNode[]> =>
      db
        .selectFrom('groups')
        .select(['id', 'parent_id as parentId', 'name'])
        .where('organization_id', '=', organizationId)
        .where(visibleGroups(scope, { organizationId, withWay: true }))
        .orderBy(sql`translate(lower(name), 'ё', 'е') collate "C"`)
        .orderBy('id')
        .execute(),

    /** Offline ones, by when they were last seen, latest first. */
    listRecentlyLost: async (scope: Scope, organizationId: string, limit: number): Promise<Recent> =>
      readRecent(
        (await pageOf(scope, organizationId))
          .where('controllers.seen_rank', '<', sql<Date>`'infinity'::timestamptz`)
          .orderBy('controllers.seen_rank', 'desc')
          .orderBy('controllers.serial_number', 'desc'),
        limit,
      ),

    listRecentlyAdded: async (scope: Scope, organizationId: string, limit: number): Promise<Recent> =>
      readRecent(
        (await pageOf(scope, organizationId))
          .orderBy('controllers.activated_at', 'desc')
          .orderBy('controllers.serial_number', 'desc'),
        limit,
      ),
  };
}
export type OverviewRepository = ReturnType<typeof createOverviewRepository>;
