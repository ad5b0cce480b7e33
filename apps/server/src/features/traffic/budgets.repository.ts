import type { GroupTrafficBudget } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleControllers } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { enrolmentOfController } from '../devices/index.ts';

type Budget = NonNullable<GroupTrafficBudget['inherited']>;

interface BudgetRow {
  bytes: string;
  groupId: string | null;
  groupName: string | null;
}

function toBudget(row: BudgetRow | undefined): Budget | null {
  if (!row) return null;
  const { groupId, groupName } = row;
  return {
    bytes: Number(row.bytes),
    group: groupId === null ? null : { id: groupId, name: groupName ?? '' },
  };
}

/** The group and those above it, with how far each of them is; to be part of a recursive statement. */
const pathFrom = (start: ReturnType<typeof sql>) => sql`
  path as (
    select groups.id, groups.parent_id, groups.name, groups.traffic_budget, 0 as distance from groups where ${start}
    union all
    select above.id, above.parent_id, above.name, above.traffic_budget, distance + 1
    from groups above join path on above.id = path.parent_id
  )`;

/** SQL of what controllers may move in a month, and which are to move little. */
export function createBudgetsRepository(db: Database) {
  return {
    /** That which counts for the controller: the nearest. */
    async getOfController(scope: Scope, serialNumber: string): Promise<Budget | null> {
      const { rows } = await sql<BudgetRow>`
        with recursive controller as (
          select group_id, traffic_budget from controllers
          where serial_number = ${serialNumber} and ${visibleControllers(scope)}
        ), ${pathFrom(sql`groups.id = (select group_id from controller)`)}
        select traffic_budget as bytes, null as "groupId", null as "groupName", -1 as distance
        from controller where traffic_budget is not null
        union all
        select traffic_budget, id::text, name, distance from path where traffic_budget is not null
        order by distance limit 1`.execute(db);
      return toBudget(rows[0]);
    },

    /** Its own, and that of the nearest above it. */
    async getOfGroup(organizationId: string, groupId: string): Promise<GroupTrafficBudget> {
      const { rows } = await sql<BudgetRow & { distance: number }>`
        with recursive ${pathFrom(sql`groups.id = ${groupId} and groups.organization_id = ${organizationId}`)}
        select traffic_budget as bytes, id::text as "groupId", name as "groupName", distance
        from path where traffic_budget is not null order by distance limit 2`.execute(db);
      const own = rows.find(({ distance }) => distance === 0);
      return {
        bytes: own ? Number(own.bytes) : null,
        inherited: toBudget(rows.find(({ distance }) => distance > 0)),
      };
    },

    /** The controller's organization; undefined when none is in scope. */
    setOfController: (
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
      bytes: number | null,
    ): Promise<{ organizationId: string } | undefined> =>
      transaction
        .updateTable('controllers')
        .set({ traffic_budget: bytes })
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .returning('organization_id as organizationId')
        .executeTakeFirst(),

    isSaving: async (scope: Scope, serialNumber: string): Promise<boolean> => {
      const row = await db
        .selectFrom('controllers')
        .select('traffic_saver')
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .executeTakeFirst();
      return row?.traffic_saver ?? false;
    },

    /** The controller's organization and its device; undefined when none is in scope. */
    setSaver: (
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
      enabled: boolean,
    ): Promise<{ organizationId: string; enrolmentId: string } | undefined> =>
      transaction
        .updateTable('controllers')
        .set({ traffic_saver: enabled })
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .returning(['organization_id as organizationId', enrolmentOfController.as('enrolmentId')])
        .executeTakeFirst(),

    /** Undefined when the organization has no such group. */
    setOfGroup: (
      transaction: DatabaseTransaction,
      organizationId: string,
      groupId: string,
      bytes: number | null,
    ): Promise<{ name: string } | undefined> =>
      transaction
        .updateTable('groups')
        .set({ traffic_budget: bytes })
        .where('id', '=', groupId)
        .where('organization_id', '=', organizationId)
        .returning('name')
        .executeTakeFirst(),
  };
}
export type BudgetsRepository = ReturnType<typeof createBudgetsRepository>;
