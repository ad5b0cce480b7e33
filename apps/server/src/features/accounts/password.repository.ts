import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

/** SQL of a user's password and of what dies with it. Everything locks the user first, so nothing waits in a circle. */
export function createPasswordRepository(db: Database) {
  return {
    async getHash(userId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('users')
        .select('password_hash')
        .where('id', '=', userId)
        .executeTakeFirst();
      return row?.password_hash;
    },

    /** Keeps the user as they are until the transaction ends. */
    lockUser: (transaction: DatabaseTransaction, id: string) =>
      transaction
        .selectFrom('users')
        .select(['id', 'email', 'locale'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst(),

    /** False when it is no longer the password that `seen` is the hash of. */
    async change(
      transaction: DatabaseTransaction,
      userId: string,
      { seen, hash }: { seen: string; hash: string },
    ): Promise<boolean> {
      const row = await transaction
        .updateTable('users')
        .set({ password_hash: hash })
        .where('id', '=', userId)
        .where('password_hash', '=', seen)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async set(transaction: DatabaseTransaction, userId: string, hash: string): Promise<void> {
      await transaction.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute();
    },

    /** The session goes on under another token. False when it has ended. */
    async rotateSession(transaction: DatabaseTransaction, id: string, tokenHash: Buffer): Promise<boolean> {
      const row = await transaction
        .updateTable('sessions')
        .set({ token_hash: tokenHash })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The user's outstanding resets; answers their ids, under which their mails are. */
    async deleteResets(transaction: DatabaseTransaction, userId: string): Promise<string[]> {
      const rows = await transaction
        .deleteFrom('password_resets')
        .where('user_id', '=', userId)
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
export type PasswordRepository = ReturnType<typeof createPasswordRepository>;
