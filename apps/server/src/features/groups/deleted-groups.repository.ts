import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { type KeptRules, keptRulesRepository } from '../alerts/index.ts';
import { type Place, returnControllers } from './return-controllers.repository.ts';
import type { UndosRepository } from './undos.repository.ts';

/** A deleted group and all that went with it. */
export interface DeletedGroup {
  /** Rows of the table, itself among them. */
  groups: { id: string; parent_id: string | null; name: string }[];
  controllers: Place[];
  rules: KeptRules;
}

/**
 * SQL of what deleted groups leave behind for those who want them back. The groups themselves are gone, so that
 * nothing else has to know of it. Writers run in `Access.change`.
 */
export function createDeletedGroupsRepository(undos: UndosRepository) {
  return {
    /** Writes down the tree before it is deleted, and how many controllers it has. Its groups are locked already. */
    async keep(
      transaction: DatabaseTransaction,
      { organizationId, id, tree }: { organizationId: string; id: string; tree: string[] },
    ): Promise<number> {
      const { rows: groups } = await sql<{ row: DeletedGroup['groups'][number] }>`
        select to_jsonb(groups) as row from groups where id = any(${tree}::uuid[])`.execute(transaction);
      // Locked: one that is taken out at this moment is either kept and then stays, or has gone and is not kept.
      const { rows: controllers } = await sql<{ id: string; group_id: string }>`
        select id, group_id from controllers
        where organization_id = ${organizationId} and group_id = any(${tree}::uuid[])
        order by id for no key update`.execute(transaction);
      const content: DeletedGroup = {
        groups: groups.map(({ row }) => row),
        controllers: controllers.map((row) => [row.id, row.group_id]),
        rules: await keptRulesRepository.read(transaction, organizationId, tree),
      };
      await undos.keep(transaction, { id, organizationId, kind: 'deletion', content });
      return controllers.length;
    },

    /** What was kept of it, within its time; whoever takes it is the only one. */
    async take(
      transaction: DatabaseTransaction,
      organizationId: string,
      id: string,
    ): Promise<DeletedGroup | undefined> {
      const content = await undos.take(transaction, organizationId, { id, kind: 'deletion' });
      return content as DeletedGroup | undefined; // Only `keep` writes them.
    },

    /** Puts all of it back; of the controllers those that have gone nowhere else meanwhile. How many these are. */
    async restore(
      transaction: DatabaseTransaction,
      organizationId: string,
      { groups, controllers, rules }: DeletedGroup,
    ): Promise<number> {
      await sql`insert into groups
        select * from jsonb_populate_recordset(null::groups, ${JSON.stringify(groups)}::jsonb)`.execute(
        transaction,
      );
      await keptRulesRepository.restore(transaction, rules);
      return returnControllers(transaction, organizationId, { to: null, from: controllers });
    },
  };
}
export type DeletedGroupsRepository = ReturnType<typeof createDeletedGroupsRepository>;
