import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../../platform/db/schema.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';

/** SQL of the old algorithms of SSH that people have taken for the devices of controllers. */
export function createOldAlgorithmsRepository(db: Database) {
  return {
    async get({ controllerId }: Pick<TunnelAccess, 'controllerId'>): Promise<string[]> {
      const row = await db
        .selectFrom('controllers')
        .select('old_ssh_algorithms')
        .where('id', '=', controllerId)
        .executeTakeFirst();
      return row?.old_ssh_algorithms ?? [];
    },

    /** Adds to them, unless the device was replaced during the login; false where all were among them. */
    async add(
      { controllerId, enrolmentId }: Pick<TunnelAccess, 'controllerId' | 'enrolmentId'>,
      names: readonly string[],
    ): Promise<boolean> {
      const added = sql`${[...names]}::text[]`;
      const { numUpdatedRows } = await db
        .updateTable('controllers')
        .set({
          old_ssh_algorithms: sql<string[]>`array(select distinct unnest(old_ssh_algorithms || ${added}))`,
        })
        .where('id', '=', controllerId)
        .where('enrolment_id', '=', enrolmentId)
        .where(sql<SqlBool>`not old_ssh_algorithms @> ${added}`)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
export type OldAlgorithmsRepository = ReturnType<typeof createOldAlgorithmsRepository>;
