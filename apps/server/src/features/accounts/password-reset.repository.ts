import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

export interface NewPasswordReset {
  id: string;
  email: string;
  tokenHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** SQL of links to set a new password. */
export function createPasswordResetRepository(db: Database) {
  return {
    /**
     * For the account with this email; undefined when there is none, or when it has `mostLive` links already. One
     * statement either way, so that its time tells nothing.
     */
    async add(transaction: DatabaseTransaction, reset: NewPasswordReset, mostLive: number) {
      const { rows } = await sql<{ userId: string }>`
        insert into password_resets (id, user_id, token_hash, created_at, expires_at)
        select ${reset.id}::uuid, users.id, ${reset.tokenHash}, ${reset.createdAt}, ${reset.expiresAt}
        from users
        where email = ${reset.email} and kind = 'person' and (
          select count(*) from password_resets
          where user_id = users.id and expires_at > ${reset.createdAt}
        ) < ${mostLive}
        returning user_id as "userId"`.execute(transaction);
      return rows[0]?.userId;
    },

    /**
     * Lets `work` write, and takes it back unless it is to be kept: what is done for nobody costs what is done for
     * somebody.
     */
    async writeOrUndo(transaction: DatabaseTransaction, isKept: boolean, work: () => Promise<void>) {
      await sql`savepoint before_work`.execute(transaction);
      await work();
      const end = isKept ? sql`release savepoint before_work` : sql`rollback to savepoint before_work`;
      await end.execute(transaction);
    },

    /** Whose password it may set. `userId` is whatever stood in the link. */
    findUser: ({ userId, tokenHash }: { userId: string; tokenHash: Buffer }, now: Date) =>
      db
        .selectFrom('password_resets')
        .innerJoin('users', 'users.id', 'password_resets.user_id')
        .select(['users.id', 'users.email', 'users.locale'])
        .where('password_resets.token_hash', '=', tokenHash)
        .where('password_resets.expires_at', '>', now)
        // As text: what stood in the link need not be an id at all.
        .where(sql<boolean>`users.id::text = ${userId.toLowerCase()}`)
        .executeTakeFirst(),

    /** Uses a link up; its id, or undefined when it is gone. */
    async take(transaction: DatabaseTransaction, tokenHash: Buffer, now: Date): Promise<string | undefined> {
      const row = await transaction
        .deleteFrom('password_resets')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .returning('id')
        .executeTakeFirst();
      return row?.id;
    },

    async deleteExpired(now: Date): Promise<void> {
      await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
    },
  };
}
export type PasswordResetRepository = ReturnType<typeof createPasswordResetRepository>;
