import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { type ControllerFilters, matchingControllers } from '../controllers/index.ts';
import type { Scope } from '../organizations/index.ts';

/** How many controllers were meant, and how many of them were elsewhere before. */
export interface Moved {
  count: number;
  moved: number;
}

/**
 * SQL of putting many controllers into a group or out of all. Rows are locked by their ids in order: two such
 * statements wait for each other, and never both ways.
 */
export function createAttachmentRepository(db: Database) {
  async function move(
    transaction: DatabaseTransaction,
    chosen: RawBuilder<unknown>,
    groupId: string | null,
  ): Promise<Moved> {
    const { rows } = await sql<Moved>`
      with chosen as materialized (${chosen}),
      moved as (
        update controllers set group_id = ${groupId}
        from chosen
        where controllers.id = chosen.id and controllers.group_id is distinct from ${groupId}
        returning 1
      )
      select (select count(*) from chosen)::int as count, (select count(*) from moved)::int as moved`.execute(
      transaction,
    );
    return rows[0] ?? { count: 0, moved: 0 };
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
        sql`select id from controllers
          where organization_id = ${organizationId} and serial_number = any(${[...serialNumbers]}::text[])
          order by id for no key update`,
        groupId,
      ),

    moveMatching(
      transaction: DatabaseTransaction,
      scope: Scope,
      filters: ControllerFilters & { organization_id: string },
      groupId: string | null,
    ): Promise<Moved> {
      const matching = matchingControllers(transaction, scope, filters)
        .select('controllers.id')
        .orderBy('controllers.id')
        .forNoKeyUpdate('controllers');
      return move(transaction, sql`${matching}`, groupId);
    },
  };
}
export type AttachmentRepository = ReturnType<typeof createAttachmentRepository>;
