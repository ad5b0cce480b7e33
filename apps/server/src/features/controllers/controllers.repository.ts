import type { Controller, ControllerOrdering, ControllerStatus, OrderBy, Role } from '@pult/contract';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { ControllerTable, Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { organizationsInScope, type Scope } from '../organizations/index.ts';

/** The list's filters: ids match exactly, texts are a case-insensitive "contains". */
export interface ControllerFilters {
  organization_id?: string | undefined;
  serial_number?: string | undefined;
  description?: string | undefined;
  firmware_version?: string | undefined;
  search?: string | undefined;
  status?: readonly ControllerStatus[] | undefined;
}

export interface ControllerChanges {
  description?: string | undefined;
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  group?: string | null | undefined;
}

function contains(column: Expression<unknown>, value: string): Expression<SqlBool> {
  const pattern = `%${value.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`${column} ilike ${pattern}`;
}

const orderColumns: Record<ControllerOrdering, Expression<unknown>> = {
  serial_number: sql.ref('controllers.serial_number'),
  description: sql.ref('controllers.description'),
  firmware_version: sql.ref('controllers.firmware_version'),
  group_name: sql.ref('groups.name'),
  // Best first: online, offline, never seen.
  status: sql`array_position(array['online', 'offline', 'never'], controllers.status)`,
  last_seen_at: sql.ref('controllers.last_seen_at'),
  activated_at: sql.ref('controllers.activated_at'),
};

/** How many groups are above the controller's own; null without a group. */
const groupLevel = sql<number | null>`(
  with recursive ancestors as (
    select g.parent_id, 0 as level from groups g where g.id = controllers.group_id
    union all
    select g.parent_id, level + 1 from groups g join ancestors on g.id = ancestors.parent_id
  ) select max(level) from ancestors
)`;

/** SQL of claimed controllers, as the people of their organizations see them. */
export function createControllersRepository(db: Database) {
  const joined = (on: Database | DatabaseTransaction = db) =>
    on
      .selectFrom('controllers')
      .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
      .leftJoin('groups', 'groups.id', 'controllers.group_id');

  const inScope = (scope: Scope, filters: ControllerFilters) => {
    let query = joined().where('controllers.organization_id', 'in', organizationsInScope(scope));
    const texts = ['serial_number', 'description', 'firmware_version'] as const;
    if (filters.organization_id)
      query = query.where('controllers.organization_id', '=', filters.organization_id);
    if (filters.status) query = query.where('controllers.status', 'in', filters.status);
    for (const name of texts) {
      const value = filters[name];
      if (value) query = query.where(contains(sql.ref(`controllers.${name}`), value));
    }
    const { search } = filters;
    if (search) {
      query = query.where((eb) =>
        eb.or([
          ...texts.map((name) => contains(sql.ref(`controllers.${name}`), search)),
          contains(sql.ref('groups.name'), search),
        ]),
      );
    }
    return query;
  };

  const selectController = (query: ReturnType<typeof joined>) =>
    query.select([
      'controllers.id',
      'controllers.serial_number',
      'controllers.organization_id',
      'controllers.group_id',
      'controllers.description',
      'controllers.latitude',
      'controllers.longitude',
      'controllers.model',
      'controllers.firmware_version',
      'controllers.agent_version',
      'controllers.status',
      'controllers.status_reason',
      'controllers.status_since',
      'controllers.last_seen_at',
      'controllers.activated_at',
      'organizations.name as organization_name',
      'groups.name as group_name',
      groupLevel.as('group_level'),
    ]);
  type Row = Awaited<ReturnType<ReturnType<typeof selectController>['executeTakeFirstOrThrow']>>;

  function toController(row: Row): Controller {
    const { group_id: groupId, group_name: groupName } = row;
    return {
      id: row.id,
      serialNumber: row.serial_number,
      description: row.description,
      firmwareVersion: row.firmware_version,
      latitude: row.latitude,
      longitude: row.longitude,
      organization: { id: row.organization_id, name: row.organization_name },
      group:
        groupId && groupName !== null ? { id: groupId, name: groupName, level: row.group_level ?? 0 } : null,
      activatedAt: row.activated_at.toISOString(),
      status: row.status,
      statusReason: row.status_reason,
      statusSince: row.status_since.toISOString(),
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      agentVersion: row.agent_version,
      model: row.model,
    };
  }

  return {
    async listControllers(
      scope: Scope,
      filters: ControllerFilters,
      page: { limit: number; offset: number; orderBy: readonly OrderBy<ControllerOrdering>[] },
    ): Promise<Controller[]> {
      let query = selectController(inScope(scope, filters)).limit(page.limit).offset(page.offset);
      for (const { key, descending } of page.orderBy) {
        query = query.orderBy(sql`${orderColumns[key]} ${sql.raw(descending ? 'desc' : 'asc')} nulls last`);
      }
      // The last tie-breaker, so that pages never overlap.
      if (!page.orderBy.some(({ key }) => key === 'serial_number'))
        query = query.orderBy('controllers.serial_number');
      return (await query.execute()).map(toController);
    },

    countControllers: (scope: Scope, filters: ControllerFilters) =>
      inScope(scope, filters)
        .select([
          sql<number>`count(*)::int`.as('count'),
          sql<number>`(count(*) filter (where controllers.status = 'online'))::int`.as('countOnline'),
          sql<number>`(count(*) filter (where controllers.status <> 'online'))::int`.as('countOffline'),
        ])
        .executeTakeFirstOrThrow(),

    /** Of the whole installation: the licence's figure, no one's data. */
    countAllControllers: () =>
      db.selectFrom('controllers').select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow(),

    async getController(scope: Scope, serialNumber: string): Promise<Controller | undefined> {
      const row = await selectController(inScope(scope, {}))
        .where('controllers.serial_number', '=', serialNumber)
        .executeTakeFirst();
      return row && toController(row);
    },

    /** The caller's role in the controller's organization, when it is theirs at all. */
    getRole: async (scope: Scope, serialNumber: string): Promise<Role | undefined> => {
      const row = await db
        .selectFrom('controllers')
        .innerJoin('memberships', 'memberships.organization_id', 'controllers.organization_id')
        .select('memberships.role')
        .where('memberships.user_id', '=', scope.userId)
        .where('memberships.role', 'in', scope.roles)
        .where('controllers.serial_number', '=', serialNumber)
        .executeTakeFirst();
      return row?.role;
    },

    /** Whether the controller's organization has this group; it stays until the transaction ends. */
    async lockGroup(
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
      groupId: string,
    ): Promise<boolean> {
      const row = await transaction
        .selectFrom('controllers')
        .innerJoin('groups', 'groups.organization_id', 'controllers.organization_id')
        .select('groups.id')
        .where('groups.id', '=', groupId)
        .where('controllers.serial_number', '=', serialNumber)
        .where('controllers.organization_id', 'in', organizationsInScope(scope))
        .forKeyShare('groups')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The organization of the changed controller; undefined when none is in scope. */
    async updateController(
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
      changes: ControllerChanges,
    ): Promise<{ organizationId: string } | undefined> {
      const { group, ...columns } = changes;
      const values: Partial<Pick<ControllerTable, 'latitude' | 'longitude' | 'group_id'>> & {
        description?: string | undefined;
      } = { ...columns, ...(group === undefined ? {} : { group_id: group }) };
      return (
        transaction
          .updateTable('controllers')
          // Setting the serial number to itself keeps the statement whole when nothing is to change.
          .set({ serial_number: serialNumber, ...values })
          .where('serial_number', '=', serialNumber)
          .where('organization_id', 'in', organizationsInScope(scope))
          .returning('organization_id as organizationId')
          .executeTakeFirst()
      );
    },

    async deleteController(
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
    ): Promise<{ id: string; organizationId: string; enrolmentId: string } | undefined> {
      return transaction
        .deleteFrom('controllers')
        .where('serial_number', '=', serialNumber)
        .where('organization_id', 'in', organizationsInScope(scope))
        .returning(['id', 'organization_id as organizationId', 'enrolment_id as enrolmentId'])
        .executeTakeFirst();
    },
  };
}
export type ControllersRepository = ReturnType<typeof createControllersRepository>;
