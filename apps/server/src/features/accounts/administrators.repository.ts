import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

/** SQL of who administers the installation. Only commands on its machine and its first start write here: no call does. */
export function createAdministratorsRepository(db: Database) {
  const set = async (transaction: DatabaseTransaction, id: string, is_administrator: boolean) => {
    const row = await transaction
      .updateTable('users')
      .set({ is_administrator })
      .where('id', '=', id)
      .where('is_administrator', '<>', is_administrator)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  };

  return {
    /** False for one who is an administrator already. */
    grant: (transaction: DatabaseTransaction, id: string): Promise<boolean> => set(transaction, id, true),

    /** False for one who is none. */
    revoke: (transaction: DatabaseTransaction, id: string): Promise<boolean> => set(transaction, id, false),

    async list(): Promise<string[]> {
      const rows = await db
        .selectFrom('users')
        .select('email')
        .where('is_administrator', '=', true)
        .orderBy('email')
        .execute();
      return rows.map(({ email }) => email);
    },
  };
}
export type AdministratorsRepository = ReturnType<typeof createAdministratorsRepository>;
