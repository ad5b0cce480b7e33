import { sql } from 'kysely';
import { listGivenRoles, type Scope, visibleGroups } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import {
  type ControllerFilters,
  createFleetCounts,
  isKept,
  matchingControllers,
} from '../controllers/index.ts';
import type { GroupRow, ShownGroup } from './group-tree.ts';

const columns = ['id', 'name', 'parent_id as parentId', 'organization_id as organizationId'] as const;

/** Two siblings of one name; roots are siblings too. */
interface SiblingName {
  parentId: string | null;
  name: string;
}

/**
 * SQL of the trees. Writers run in `Access.change`, one at a time in an organization: what they read
 * there stays true until they are done.
 */
export function createGroupsRepository(db: Database) {
  const kept = createFleetCounts(db);
  return {
    /**
     * All groups in scope, or of one organization if it is, and those on the way to them; siblings in the order in which
     * people sort.
     */
    listGroups: (scope: Scope, organizationId?: string): Promise<ShownGroup[]> =>
      db
        .selectFrom('groups')
        .select(columns)
        .select(visibleGroups(scope, { organizationId }).as('isInScope'))
        .$if(organizationId !== undefined, (query) =>
          query.where('organization_id', '=', organizationId ?? ''),
        )
        .where(visibleGroups(scope, { organizationId, withWay: true }))
        .orderBy('organization_id')
        .orderBy(sql`translate(lower(name), 'ё', 'е') collate "C"`)
        .orderBy('id')
        .execute(),

    /** The caller's roles, by which a tree tells theirs at each group. */
    listGivenRoles: (scope: Scope) => listGivenRoles(db, scope),

    /** How many matching controllers each group has, its subgroups not included. */
    async countControllers(scope: Scope, filters: ControllerFilters): Promise<Map<string, number>> {
      if (isKept(filters)) return kept.countByGroup(scope, filters);
      const query = await matchingControllers(db, scope, filters);
      const rows = await query
        .select(['controllers.group_id', sql<number>`count(*)::int`.as('count')])
        .where('controllers.group_id', 'is not', null)
        .groupBy('controllers.group_id')
        .execute();
      return new Map(rows.map(({ group_id: id, count }) => [id ?? '', count]));
    },

    getGroup: (
      transaction: DatabaseTransaction,
      organizationId: string,
      id: string,
    ): Promise<GroupRow | undefined> =>
      transaction
        .selectFrom('groups')
        .select(columns)
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst(),

    async countGroups(transaction: DatabaseTransaction, organizationId: string): Promise<number> {
      const { count } = await transaction
        .selectFrom('groups')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** The group and all above it, itself first. */
    async listPath(transaction: DatabaseTransaction, organizationId: string, id: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        with recursive path as (
          select id, parent_id, 0 as distance from groups
          where organization_id = ${organizationId} and id = ${id}
          union all
          select above.id, above.parent_id, distance + 1 from groups above join path on above.id = path.parent_id
        ) select id from path order by distance`.execute(transaction);
      return rows.map((row) => row.id);
    },

    /** How many levels the group has with all under it: 1 without subgroups. */
    async countLevels(transaction: DatabaseTransaction, organizationId: string, id: string): Promise<number> {
      const { rows } = await sql<{ levels: number }>`
        with recursive tree as (
          select id, 1 as level from groups where organization_id = ${organizationId} and id = ${id}
          union all
          select below.id, level + 1 from groups below
          join tree on below.organization_id = ${organizationId} and below.parent_id = tree.id
        ) select max(level) as levels from tree`.execute(transaction);
      return rows[0]?.levels ?? 0;
    },

    async isNameTaken(
      transaction: DatabaseTransaction,
      organizationId: string,
      { parentId, name }: SiblingName,
      exceptId?: string,
    ): Promise<boolean> {
      const row = await transaction
        .selectFrom('groups')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('name', '=', name)
        .where('parent_id', parentId === null ? 'is' : '=', parentId)
        .$if(exceptId !== undefined, (query) => query.where('id', '!=', exceptId ?? ''))
        .executeTakeFirst();
      return row !== undefined;
    },

    async createGroup(
      transaction: DatabaseTransaction,
      group: GroupRow & { createdAt: Date },
    ): Promise<void> {
      const { id, name, parentId, organizationId, createdAt } = group;
      await transaction
        .insertInto('groups')
        .values({ id, name, parent_id: parentId, organization_id: organizationId, created_at: createdAt })
        .execute();
    },

    async updateGroup(
      transaction: DatabaseTransaction,
      organizationId: string,
      id: string,
      { parentId, name }: SiblingName,
    ): Promise<void> {
      await transaction
        .updateTable('groups')
        .set({ parent_id: parentId, name })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute();
    },

    /**
     * The ids of the group and all under it. All of them are locked before any controller is: whoever puts a
     * controller into one of them locks the group first, so the two cannot wait for each other.
     */
    async lockTree(transaction: DatabaseTransaction, organizationId: string, id: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        with recursive tree as (
          select id from groups where organization_id = ${organizationId} and id = ${id}
          union all
          select below.id from groups below
          join tree on below.organization_id = ${organizationId} and below.parent_id = tree.id
        ) select id from groups where id = any(array(select id from tree)) order by id for update`.execute(
        transaction,
      );
      return rows.map((row) => row.id);
    },

    /** With all under it. */
    async deleteGroup(transaction: DatabaseTransaction, organizationId: string, id: string): Promise<void> {
      await transaction
        .deleteFrom('groups')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute();
    },
  };
}
export type GroupsRepository = ReturnType<typeof createGroupsRepository>;
