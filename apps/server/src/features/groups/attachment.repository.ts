import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { type ControllerFilters, matchingControllers } from '../controllers/index.ts';
import type { Scope } from '../organizations/index.ts';

/** The id of a controller, and the group that it was in. */
export type Place = [id: string, groupId: string | null];

/** How many controllers were meant, and where those were that were elsewhere before. */
export interface Moved {
  count: number;
  from: Place[];
}

/** Controllers that one statement moves: a hundred thousand in one could take longer than a statement may. */
const partSize = 5000;

/**
 * SQL of putting many controllers into a group or out of all. Rows are locked by their ids in order: two such
 * statements wait for each other, and never both ways.
 */
export function createAttachmentRepository(db: Database) {
  /** `locked` chooses and locks them: all at once, since what matches may depend on what is moved. */
  async function move(
    transaction: DatabaseTransaction,
    locked: RawBuilder<{ id: string; group_id: string | null }>,
    groupId: string | null,
  ): Promise<Moved> {
    const { rows } = await locked.execute(transaction);
    const elsewhere = rows
      .filter((row) => row.group_id !== groupId)
      .map(({ id, group_id }): Place => [id, group_id]);
    for (let start = 0; start < elsewhere.length; start += partSize) {
      const ids = elsewhere.slice(start, start + partSize).map(([id]) => id);
      await transaction
        .updateTable('controllers')
        .set({ group_id: groupId })
        .where('id', '=', sql<string>`any(${ids}::uuid[])`)
        .execute();
    }
    return { count: rows.length, from: elsewhere };
  }

  return {
    /** The organizations of these controllers, of those that are in scope. */
    async listOrganizations(
      scope: Scope,
      serialNumbers: readonly string[],
      transaction?: DatabaseTransaction,
    ): Promise<Map<string, string>> {
      const rows = await matchingControllers(transaction ?? db, scope, {})
        .select(['controllers.serial_number', 'controllers.organization_id'])
        .where('controllers.serial_number', '=', sql<string>`any(${[...serialNumbers]}::text[])`)
        .execute();
      return new Map(rows.map((row) => [row.serial_number, row.organization_id]));
    },

    moveNamed: (
      transaction: DatabaseTransaction,
      organizationId: string,
      serialNumbers: readonly string[],
      groupId: string | null,
    ): Promise<Moved> =>
      move(
        transaction,
        sql`select id, group_id from controllers
          where organization_id = ${organizationId} and serial_number = any(${[...serialNumbers]}::text[])
          order by id for no key update`,
        groupId,
      ),

    /** Puts those back that are still there, into groups that still are. How many these are. */
    async moveBack(
      transaction: DatabaseTransaction,
      organizationId: string,
      { to, from }: { to: string | null; from: Place[] },
    ): Promise<number> {
      const groupOf = new Map(from);
      const { rows } = await sql<{ id: string }>`
        select id from controllers
        where organization_id = ${organizationId} and group_id is not distinct from ${to}
          and id = any(${[...groupOf.keys()]}::uuid[])
        order by id for no key update`.execute(transaction);
      let count = 0n;
      for (let start = 0; start < rows.length; start += partSize) {
        const ids = rows.slice(start, start + partSize).map(({ id }) => id);
        const groupIds = ids.map((id) => groupOf.get(id) ?? null);
        const { numAffectedRows = 0n } = await sql`update controllers set group_id = back.group_id
          from unnest(${ids}::uuid[], ${groupIds}::uuid[]) as back (id, group_id)
          where controllers.id = back.id and (back.group_id is null or exists (
            select from groups where groups.id = back.group_id and groups.organization_id = ${organizationId}))`.execute(
          transaction,
        );
        count += numAffectedRows;
      }
      return Number(count);
    },

    moveMatching(
      transaction: DatabaseTransaction,
      scope: Scope,
      filters: ControllerFilters & { organization_id: string },
      groupId: string | null,
    ): Promise<Moved> {
      const matching = matchingControllers(transaction, scope, filters)
        .select(['controllers.id', 'controllers.group_id'])
        .orderBy('controllers.id')
        .forNoKeyUpdate('controllers');
      return move(transaction, sql`${matching}`, groupId);
    },
  };
}
export type AttachmentRepository = ReturnType<typeof createAttachmentRepository>;
