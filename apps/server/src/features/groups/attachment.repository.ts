import { type RawBuilder, sql } from 'kysely';
import { type Scope, visibleControllers } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { type ControllerFilters, matchingControllers } from '../controllers/index.ts';
import { type Place, partSize } from './return-controllers.repository.ts';

/** How many controllers were meant, and where those were that were elsewhere before. */
export interface Moved {
  count: number;
  from: Place[];
}

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
      const rows = await (transaction ?? db)
        .selectFrom('controllers')
        .select(['controllers.serial_number', 'controllers.organization_id'])
        .where(visibleControllers(scope, {}))
        .where('controllers.serial_number', '=', sql<string>`any(${[...serialNumbers]}::text[])`)
        .execute();
      return new Map(rows.map((row) => [row.serial_number, row.organization_id]));
    },

    moveNamed: (
      transaction: DatabaseTransaction,
      scope: Scope,
      organizationId: string,
      serialNumbers: readonly string[],
      groupId: string | null,
    ): Promise<Moved> =>
      move(
        transaction,
        sql`select id, group_id from controllers
          where organization_id = ${organizationId} and serial_number = any(${[...serialNumbers]}::text[])
            and ${visibleControllers(scope)}
          order by id for no key update`,
        groupId,
      ),

    async moveMatching(
      transaction: DatabaseTransaction,
      scope: Scope,
      filters: ControllerFilters & { organization_id: string },
      groupId: string | null,
    ): Promise<Moved> {
      const matching = await matchingControllers(transaction, scope, filters, { isPlanned: false });
      const locked = matching
        .select(['controllers.id', 'controllers.group_id'])
        .orderBy('controllers.id')
        .forNoKeyUpdate('controllers');
      return move(transaction, sql`${locked}`, groupId);
    },
  };
}
export type AttachmentRepository = ReturnType<typeof createAttachmentRepository>;
