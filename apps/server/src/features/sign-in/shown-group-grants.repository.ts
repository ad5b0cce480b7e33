import type { GrantRole, ShownGroupGrant, ShownPlace } from '@pult/contract';
import { type SqlBool, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { placeColumns, placeGroup, toShownPlace } from '../grants/index.ts';

/** What somebody has by a group at a provider. */
export interface GivenGrant {
  identityId: string | null;
  scope: ShownPlace;
  role: GrantRole;
}

/** SQL that shows the table of groups and rights, and what came of it. */
export const shownGroupGrantsRepository = {
  async listRules(
    executor: Database | DatabaseTransaction,
    organizationId: string,
  ): Promise<ShownGroupGrant[]> {
    const rows = await executor
      .selectFrom('group_grants')
      .leftJoin('groups as places', (join) => join.on(placeGroup('group_grants')))
      .select(['group_grants.group_name as group', 'group_grants.role'])
      .select(placeColumns('group_grants'))
      .where('group_grants.organization_id', '=', organizationId)
      // Of a group that was deleted: as good as none.
      .where(sql<SqlBool>`(group_grants.group_id is null or places.id is not null)`)
      .orderBy('group_grants.group_name')
      .orderBy('group_grants.id')
      .execute();
    return rows.map((row) => ({ group: row.group, scope: toShownPlace(row), role: row.role }));
  },

  async listGiven(executor: Database | DatabaseTransaction, organizationId: string): Promise<GivenGrant[]> {
    const rows = await executor
      .selectFrom('grants')
      .leftJoin('groups as places', (join) => join.on(placeGroup('grants')))
      .select(['grants.identity_id as identityId', 'grants.role'])
      .select(placeColumns('grants'))
      .where('grants.organization_id', '=', organizationId)
      .where('grants.identity_id', 'is not', null)
      .where(sql<SqlBool>`(grants.group_id is null or places.id is not null)`)
      .orderBy('grants.id')
      .execute();
    return rows.map((row) => ({ identityId: row.identityId, scope: toShownPlace(row), role: row.role }));
  },
};
export type ShownGroupGrantsRepository = typeof shownGroupGrantsRepository;
