import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

export type UndoKind = 'deletion' | 'move';

interface NewUndo {
  id: string;
  organizationId: string;
  kind: UndoKind;
  content: unknown;
  at: Date;
}

/** SQL of what it takes to undo a change of groups, for a short while. Writers run in `OrganizationAccess.change`. */
export function createUndosRepository(db: Database) {
  return {
    async keep(
      transaction: DatabaseTransaction,
      { id, organizationId, kind, content, at }: NewUndo,
    ): Promise<void> {
      await transaction
        .insertInto('group_undos')
        .values({ id, organization_id: organizationId, kind, made_at: at, content: JSON.stringify(content) })
        .execute();
    },

    /** Its organization, where the user is a member; whether they may enter it is not asked here. */
    async getOrganizationId(userId: string, id: string, kind: UndoKind): Promise<string | undefined> {
      const row = await db
        .selectFrom('group_undos')
        .innerJoin('memberships', 'memberships.organization_id', 'group_undos.organization_id')
        .select('group_undos.organization_id as organizationId')
        .where('group_undos.id', '=', id)
        .where('group_undos.kind', '=', kind)
        .where('memberships.user_id', '=', userId)
        .executeTakeFirst();
      return row?.organizationId;
    },

    /** What was kept since then; whoever takes it is the only one. */
    async take(
      transaction: DatabaseTransaction,
      organizationId: string,
      { id, kind, since }: { id: string; kind: UndoKind; since: Date },
    ): Promise<unknown> {
      const row = await transaction
        .deleteFrom('group_undos')
        .where('id', '=', id)
        .where('kind', '=', kind)
        .where('organization_id', '=', organizationId)
        .where('made_at', '>=', since)
        .returning('content')
        .executeTakeFirst();
      return row?.content;
    },

    /** Of all organizations: what nobody can undo any more. */
    async deleteBefore(time: Date): Promise<void> {
      await db.deleteFrom('group_undos').where('made_at', '<', time).execute();
    },
  };
}
export type UndosRepository = ReturnType<typeof createUndosRepository>;
