import type { Alert, AlertKind, AlertState } from '@pult/contract';
import { type SqlBool, sql } from 'kysely';
import { type Scope, visibleControllers, wholeOrganizations } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { type CountAt, groupRoots, idsOfGroupsUnder } from '../controllers/index.ts';

export interface AlertFilters {
  /** The serial number contains it. */
  serialNumber?: string | undefined;
  kinds?: readonly AlertKind[] | undefined;
  /** With all groups under them. */
  groupIds?: readonly string[] | undefined;
  states?: readonly AlertState[] | undefined;
}

/** SQL of alerts, as people see them. */
export function createAlertsRepository(db: Database) {
  const matching = (scope: Scope, organizationId: string, filters: AlertFilters) => {
    const { serialNumber, kinds, groupIds, states } = filters;
    let query = db
      .selectFrom('alerts')
      .innerJoin('controllers', 'controllers.id', 'alerts.controller_id')
      .where(
        'alerts.organization_id',
        '=',
        // One value, so that an index gives the order of a page.
        scope.hasGrants ? organizationId : wholeOrganizations(scope, organizationId),
      );
    if (scope.hasGrants) query = query.where(visibleControllers(scope, { organizationId }));
    if (serialNumber) {
      const pattern = `%${serialNumber.replace(/[\\%_]/g, '\\$&')}%`;
      query = query.where(sql<SqlBool>`controllers.serial_number ilike ${pattern}`);
    }
    if (kinds) query = query.where('alerts.kind', 'in', kinds);
    if (groupIds)
      query = query.where(sql<SqlBool>`controllers.group_id = any(${idsOfGroupsUnder(groupIds)})`);
    if (states?.length === 1) {
      query = query.where('alerts.resolved_at', states[0] === 'firing' ? 'is' : 'is not', null);
    }
    return query;
  };

  return {
    /** Newest first. */
    async list(
      scope: Scope,
      organizationId: string,
      filters: AlertFilters,
      page: { limit: number; offset: number },
    ): Promise<Alert[]> {
      const rows = await matching(scope, organizationId, filters)
        .leftJoin('groups', 'groups.id', 'controllers.group_id')
        .select([
          'alerts.id',
          'alerts.kind',
          'alerts.offline_since',
          'alerts.bytes',
          'alerts.budget',
          'alerts.fired_at',
          'alerts.notified_at',
          'alerts.is_kept',
          'alerts.resolved_at',
          'controllers.serial_number',
          'controllers.description',
          'groups.id as groupId',
          'groups.name as groupName',
        ])
        .orderBy('alerts.fired_at', 'desc')
        .orderBy('alerts.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        controller: { serialNumber: row.serial_number, description: row.description },
        group: row.groupId === null ? null : { id: row.groupId, name: row.groupName ?? '' },
        kind: row.kind,
        offlineSince: row.offline_since?.toISOString() ?? null,
        traffic: row.kind === 'offline' ? null : { bytes: Number(row.bytes), budget: Number(row.budget) },
        firedAt: row.fired_at.toISOString(),
        notifiedAt: row.is_kept ? null : (row.notified_at?.toISOString() ?? null),
        isKept: row.is_kept,
        resolvedAt: row.resolved_at?.toISOString() ?? null,
      }));
    },

    /** Most first. */
    async countFiring(scope: Scope, organizationId: string): Promise<CountAt<AlertKind>[]> {
      const firing = matching(scope, organizationId, { states: ['firing'] })
        .select(['alerts.kind', 'controllers.group_id', sql<number>`count(*)`.as('count')])
        .groupBy(['alerts.kind', 'controllers.group_id']);
      const { rows } = await sql<CountAt<AlertKind>>`
        with recursive ${groupRoots(organizationId)}
        select firing.kind as what, roots.root as "groupId", roots.name as "groupName", sum(firing.count)::int as count
        from ${firing} as firing left join roots on roots.id = firing.group_id
        group by 1, 2, 3 order by count desc, 3`.execute(db);
      return rows;
    },

    async count(scope: Scope, organizationId: string, filters: AlertFilters): Promise<number> {
      const { count } = await matching(scope, organizationId, filters)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}
export type AlertsRepository = ReturnType<typeof createAlertsRepository>;
