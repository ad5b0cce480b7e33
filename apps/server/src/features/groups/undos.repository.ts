import { lifetimes } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

export type UndoKind = 'deletion' | 'move';

interface NewUndo {
  id: string;
  organizationId: string;
  kind: UndoKind;
  content: unknown;
}

/** SQL of what it takes to undo a change of groups, for a short while. Writers run in `Access.change`. */
export function createUndosRepository(db: Database, clock: Clock) {
  const keptSince = () => new Date(clock.now().getTime() - lifetimes.groupUndo * 1000);

  return {
    async keep(
      transaction: DatabaseTransaction,
      { id, organizationId, kind, content }: NewUndo,
    ): Promise<void> {
      await transaction
        .insertInto('group_undos')
        .values({
          id,
          organization_id: organizationId,
          kind,
          made_at: clock.now(),
          content: JSON.stringify(content),
        })
        .execute();
    },

    /** What was kept, within its time; whoever takes it is the only one. */
    async take(
      transaction: DatabaseTransaction,
      organizationId: string,
      { id, kind }: { id: string; kind: UndoKind },
    ): Promise<unknown> {
      const row = await transaction
        .deleteFrom('group_undos')
        .where('id', '=', id)
        .where('kind', '=', kind)
        .where('organization_id', '=', organizationId)
        .where('made_at', '>=', keptSince())
        .returning('content')
        .executeTakeFirst();
      return row?.content;
    },

    /** Of all organizations: what nobody can undo any more, also what an earlier run of the server has left. */
    async deleteForgotten(): Promise<void> {
      await db.deleteFrom('group_undos').where('made_at', '<', keptSince()).execute();
    },
  };
}
export type UndosRepository = ReturnType<typeof createUndosRepository>;
