import type { Controller, ControllerOrdering, ControllerStatus, OrderBy } from '@pult/contract';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
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

/** Sorts as people do: without regard to case, ё as е. In step with the indexes of the same expression. */
function alphabetical(column: string): RawBuilder<unknown> {
  return sql`translate(lower(${sql.ref(column)}), 'ё', 'е') collate "C"`;
}

const orderColumns: Record<ControllerOrdering, { column: RawBuilder<unknown>; isReversed?: true }> = {
  serial_number: { column: sql.ref('controllers.serial_number') },
  description: { column: alphabetical('controllers.description') },
  firmware_version: { column: alphabetical('controllers.firmware_version') },
  group_name: { column: alphabetical('groups.name') },
  // Best first is online, offline, never seen: the alphabet backwards.
  status: { column: sql.ref('controllers.status'), isReversed: true },
  last_seen_at: { column: sql.ref('controllers.last_seen_at') },
  activated_at: { column: sql.ref('controllers.activated_at') },
};
const nullable: readonly ControllerOrdering[] = ['group_name', 'last_seen_at'];

/**
 * The serial number breaks ties, so that pages never overlap; in the direction of the last key, so that one
 * index gives both directions.
 */
function orderingOf(orderBy: readonly OrderBy<ControllerOrdering>[]): RawBuilder<unknown>[] {
  const tieBreaker = { key: 'serial_number', descending: orderBy.at(-1)?.descending ?? false } as const;
  const isTotal = orderBy.some(({ key }) => key === 'serial_number');
  return [...orderBy, ...(isTotal ? [] : [tieBreaker])].map(({ key, descending }) => {
    const { column, isReversed = false } = orderColumns[key];
    const direction = descending === isReversed ? sql`asc` : sql`desc`;
    return sql`${column} ${direction}${nullable.includes(key) ? sql` nulls last` : sql``}`;
  });
}

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
  /** Scope and filters without a join that narrows: so an index can give the order of the page. */
  const matching = (scope: Scope, filters: ControllerFilters) => {
    const { organization_id: organizationId, status, search } = filters;
    const organizations = organizationsInScope(scope, organizationId);
    let query = db
      .selectFrom('controllers')
      // Left out by the database where nothing asks for its columns.
      .leftJoin('groups', 'groups.id', 'controllers.group_id')
      .where(
        organizationId
          ? sql<SqlBool>`controllers.organization_id = ${organizations}`
          : sql<SqlBool>`controllers.organization_id = any(array${organizations})`,
      );
    const texts = ['serial_number', 'description', 'firmware_version'] as const;
    if (status) query = query.where('controllers.status', 'in', status);
    for (const name of texts) {
      const value = filters[name];
      if (value) query = query.where(contains(sql.ref(`controllers.${name}`), value));
    }
    if (search) {
      const groups = db
        .selectFrom('groups')
        .select('id')
        .where(contains(sql.ref('groups.name'), search));
      query = query.where((eb) =>
        eb.or([
          ...texts.map((name) => contains(sql.ref(`controllers.${name}`), search)),
          sql<SqlBool>`controllers.group_id = any(array(${groups}))`,
        ]),
      );
    }
    return query;
  };

  /** The matching controllers with what belongs to them, looked up after the page was cut out. */
  const detailed = (query: ReturnType<typeof matching>) =>
    db
      .selectFrom(query.selectAll('controllers').as('controllers'))
      .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
      .leftJoin('groups', 'groups.id', 'controllers.group_id')
      .selectAll('controllers')
      .select([
        'organizations.name as organization_name',
        'groups.name as group_name',
        groupLevel.as('group_level'),
      ]);
  type Row = Awaited<ReturnType<ReturnType<typeof detailed>['executeTakeFirstOrThrow']>>;

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
      let query = matching(scope, filters).limit(page.limit).offset(page.offset);
      for (const column of orderingOf(page.orderBy)) query = query.orderBy(column);
      let details = detailed(query);
      for (const column of orderingOf(page.orderBy)) details = details.orderBy(column);
      return (await details.execute()).map(toController);
    },

    async countControllers(scope: Scope, filters: ControllerFilters): Promise<number> {
      const { count } = await matching(scope, filters)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    countByStatus: (scope: Scope, filters: ControllerFilters) =>
      matching(scope, filters)
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
      const query = matching(scope, {}).where('controllers.serial_number', '=', serialNumber);
      const row = await detailed(query).executeTakeFirst();
      return row && toController(row);
    },

    /** The controller's organization and the caller's role there, when it is theirs at all; TOTP is not asked for. */
    getMembership: (scope: Scope, serialNumber: string) =>
      db
        .selectFrom('controllers')
        .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
        .innerJoin('memberships', 'memberships.organization_id', 'controllers.organization_id')
        .select(['organizations.id as organizationId', 'organizations.name', 'memberships.role'])
        .select('organizations.totp_required as totpRequired')
        .where('memberships.user_id', '=', scope.userId)
        .where('memberships.role', 'in', scope.roles)
        .where('controllers.serial_number', '=', serialNumber)
        .executeTakeFirst(),

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
