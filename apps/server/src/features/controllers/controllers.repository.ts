import {
  type AgentUpdateFailure,
  type AgentUpdateStatus,
  type Controller,
  type ControllerOrdering,
  controllerFields,
  type ListedAgentUpdate,
  type OrderBy,
  type PlainField,
  plainFields,
  provingKinds,
  type StatusCounts,
  statusCountOf,
} from '@pult/contract';
import { sql } from 'kysely';
import {
  findOnlyOrganization,
  regardlessOfLogin,
  roleAtController,
  type Scope,
  visibleControllers,
  visibleGroups,
  wholeOrganizations,
} from '../../platform/access/index.ts';
import type { ControllerTable, Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import {
  type ControllerFilters,
  isListedUpdate,
  type Joins,
  type MatchingControllers,
  matchingControllers,
  mentions,
} from './controller-filters.repository.ts';
import { orderParts } from './controller-order.repository.ts';
import { createFleetCounts, isKept } from './fleet-counts.repository.ts';
import { type RankedText, serialRanks } from './search.repository.ts';
import { statusCounts } from './status-counts.repository.ts';

export interface ControllerChanges {
  description?: string | undefined;
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  group?: string | null | undefined;
}

/** How many groups are above the controller's own; null without a group. */
const groupLevel = sql<number | null>`(
  with recursive ancestors as (
    select g.parent_id, 0 as level from groups g where g.id = controllers.group_id
    union all
    select g.parent_id, level + 1 from groups g join ancestors on g.id = ancestors.parent_id
  ) select max(level) from ancestors
)`;

/** Whether another device has proven the serial number by its hardware, which that of the controller has not. */
const isContested = sql<boolean>`(
  controllers.connection_kind <> all (${[...provingKinds]}::text[]) and exists (
    select from enrolments other where other.serial_number = controllers.serial_number
      and other.id <> controllers.enrolment_id and other.connection_kind = any (${[...provingKinds]}::text[])
  )
)`;

type PlainValues = Pick<Controller, (typeof controllerFields)[PlainField]['property']>;

function plainValuesOf(
  row: {
    readonly [Name in PlainField]: Controller[(typeof controllerFields)[Name]['property']];
  },
): PlainValues {
  // Each property with the column of its field.
  return Object.fromEntries(
    plainFields.map((name) => [controllerFields[name].property, row[name]]),
  ) as PlainValues;
}

function toListedUpdate(row: {
  update_status: AgentUpdateStatus | null;
  update_reason: AgentUpdateFailure | null;
  update_version: string | null;
}): ListedAgentUpdate | null {
  const { update_status: status, update_reason: reason, update_version: toVersion } = row;
  return status === null || status === 'done' || toVersion === null ? null : { status, reason, toVersion };
}

/** SQL of claimed controllers, as the people of their organizations see them. */
export function createControllersRepository(db: Database) {
  const kept = createFleetCounts(db);
  const matching = (scope: Scope, filters: ControllerFilters, joins: Joins = {}) =>
    matchingControllers(db, scope, filters, { purpose: 'page', joins });

  /**
   * The matching controllers with what belongs to them. The page is cut out of serial numbers alone, which stand in
   * the index of every order: what comes before a page is passed over without a look at its rows.
   */
  const detailed = (scope: Scope, query: MatchingControllers) =>
    db
      .selectFrom(query.select('controllers.serial_number').as('page'))
      .innerJoin('controllers', 'controllers.serial_number', 'page.serial_number')
      .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
      .leftJoin('groups', 'groups.id', 'controllers.group_id')
      .leftJoin('month_traffic', 'month_traffic.controller_id', 'controllers.id')
      .leftJoin('agent_updates', (join) =>
        join.onRef('agent_updates.controller_id', '=', 'controllers.id').on(isListedUpdate),
      )
      .selectAll('controllers')
      .select([
        'month_traffic.bytes as month_traffic',
        'agent_updates.status as update_status',
        'agent_updates.reason as update_reason',
        'agent_updates.to_version as update_version',
        'organizations.name as organization_name',
        'groups.name as group_name',
        groupLevel.as('group_level'),
        isContested.as('is_contested'),
        roleAtController(scope).as('user_role'),
      ]);
  type Row = Awaited<ReturnType<ReturnType<typeof detailed>['executeTakeFirstOrThrow']>>;

  async function countRows(query: MatchingControllers): Promise<number> {
    const { count } = await query.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow();
    return count;
  }

  function toController(row: Row): Controller {
    const { group_id: groupId, group_name: groupName } = row;
    return {
      id: row.id,
      ...plainValuesOf(row),
      organization: { id: row.organization_id, name: row.organization_name },
      group:
        groupId && groupName !== null ? { id: groupId, name: groupName, level: row.group_level ?? 0 } : null,
      activatedAt: row.activated_at.toISOString(),
      statusReason: row.status_reason,
      statusSince: row.status_since.toISOString(),
      detachedAt: row.status_reason === 'detached' ? row.status_since.toISOString() : null,
      isContested: row.is_contested,
      userRole: row.user_role,
      lastSeenAt: row.last_seen_at?.toISOString() ?? null,
      agentUpdate: toListedUpdate(row),
      monthTraffic: Number(row.month_traffic ?? 0),
    };
  }

  /** With the one organization of a user who has no other: then its indexes give every order. */
  async function withOnlyOrganization(scope: Scope, filters: ControllerFilters): Promise<ControllerFilters> {
    if (filters.organization_id) return filters;
    const only = await findOnlyOrganization(db, scope);
    return only === undefined ? filters : { ...filters, organization_id: only };
  }

  return {
    withOnlyOrganization,

    async listControllers(
      scope: Scope,
      filters: ControllerFilters,
      page: { limit: number; offset: number; orderBy: readonly OrderBy<ControllerOrdering>[] },
    ): Promise<Controller[]> {
      const joins = {
        withGroups: page.orderBy.some(({ key }) => key === 'group_name'),
        withTraffic: page.orderBy.some(({ key }) => key === 'month_traffic'),
      };
      const rows: Row[] = [];
      let { offset } = page;
      for (const { condition, columns } of orderParts(page.orderBy)) {
        const restrict = (query: MatchingControllers) => (condition ? query.where(condition) : query);
        const limit = page.limit - rows.length;
        if (limit === 0) break;
        let query = restrict(await matching(scope, filters, joins))
          .limit(limit)
          .offset(offset);
        for (const column of columns) query = query.orderBy(column);
        let details = detailed(scope, query);
        for (const column of columns) details = details.orderBy(column);
        const found = await details.execute();
        rows.push(...found);
        // What of the offset the next part has still to skip.
        offset =
          found.length > 0 || !condition
            ? 0
            : offset - (await countRows(restrict(await matchingControllers(db, scope, filters, { joins }))));
      }
      return rows.map(toController);
    },

    /** Those whose serial numbers follow, by serial number, for reading all in parts. */
    async listControllersAfter(
      scope: Scope,
      filters: ControllerFilters,
      part: { after: string; limit: number },
    ): Promise<Controller[]> {
      const query = (await matching(scope, filters))
        .where('controllers.serial_number', '>', part.after)
        .orderBy('controllers.serial_number')
        .limit(part.limit);
      const rows = await detailed(scope, query).orderBy('controllers.serial_number').execute();
      return rows.map(toController);
    },

    /** Those that mention every word, the best ranks of serial numbers first. */
    async searchControllers(scope: Scope, text: RankedText, limit: number): Promise<Controller[]> {
      const filters = await withOnlyOrganization(scope, {});
      const rows: Row[] = [];
      for (const rank of serialRanks(text)) {
        if (rows.length === limit) break;
        let query = (await matching(scope, filters)).where(rank);
        for (const word of text.words) query = query.where(mentions(word));
        query = query.orderBy('controllers.serial_number').limit(limit - rows.length);
        rows.push(...(await detailed(scope, query).orderBy('controllers.serial_number').execute()));
      }
      return rows.map(toController);
    },

    async countControllers(scope: Scope, filters: ControllerFilters): Promise<number> {
      if (!isKept(filters)) return countRows(await matchingControllers(db, scope, filters));
      const counts = await kept.countByStatus(scope, filters);
      return [...counts.values()].reduce((sum, count) => sum + count, 0);
    },

    async countByStatus(scope: Scope, filters: ControllerFilters): Promise<StatusCounts> {
      if (!isKept(filters)) {
        const query = await matchingControllers(db, scope, filters);
        return query.select(statusCounts).executeTakeFirstOrThrow();
      }
      const counts = { count: 0, countOnline: 0, countOffline: 0, countNever: 0 };
      for (const [status, count] of await kept.countByStatus(scope, filters)) {
        counts.count += count;
        counts[statusCountOf[status]] += count;
      }
      return counts;
    },

    /** Of the whole installation: the licence's figure, no one's data. */
    countAllControllers: async () => ({ count: await kept.countAll() }),

    async getController(scope: Scope, serialNumber: string): Promise<Controller | undefined> {
      const query = db
        .selectFrom('controllers')
        .where('controllers.serial_number', '=', serialNumber)
        .where(visibleControllers(scope));
      const row = await detailed(scope, query).executeTakeFirst();
      return row && toController(row);
    },

    /** Whether any organization is in scope as a whole; how its user has logged in is not asked for. */
    async hasWholeOrganization(scope: Scope): Promise<boolean> {
      const whole = wholeOrganizations(regardlessOfLogin(scope));
      const { rows } = await sql`select from ${whole} as whole limit 1`.execute(db);
      return rows.length > 0;
    },

    /**
     * The group, if the controller's organization has it and the controller may go there; it stays until the transaction ends.
     * `isRaise`: the caller manages it, and not where the controller is.
     */
    lockGroup: (
      transaction: DatabaseTransaction,
      { attaching, managing }: { attaching: Scope; managing: Scope },
      serialNumber: string,
      groupId: string,
    ): Promise<{ isRaise: boolean } | undefined> =>
      transaction
        .selectFrom('controllers')
        .innerJoin('groups', 'groups.organization_id', 'controllers.organization_id')
        .select(
          sql<boolean>`${visibleGroups(managing)} and not ${visibleControllers(managing)}`.as('isRaise'),
        )
        .where('groups.id', '=', groupId)
        .where('controllers.serial_number', '=', serialNumber)
        .where(visibleControllers(attaching))
        .where(visibleGroups(attaching))
        .forKeyShare('groups')
        .executeTakeFirst(),

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
          .where(visibleControllers(scope))
          .returning('organization_id as organizationId')
          .executeTakeFirst()
      );
    },

    async deleteController(
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
    ): Promise<{ id: string; organizationId: string; enrolmentId: string | null } | undefined> {
      return transaction
        .deleteFrom('controllers')
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .returning(['id', 'organization_id as organizationId', 'enrolment_id as enrolmentId'])
        .executeTakeFirst();
    },
  };
}
export type ControllersRepository = ReturnType<typeof createControllersRepository>;
