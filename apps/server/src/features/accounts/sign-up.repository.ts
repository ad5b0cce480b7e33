import type { Locale } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { NewUser } from './accounts.repository.ts';

export interface NewSignUp {
  id: string;
  email: string;
  passwordHash: string;
  locale: Locale;
  tokenHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** SQL of accounts in the making. */
export function createSignUpRepository(db: Database) {
  return {
    /** False when the email has `mostLive` of them already. */
    async addPending(
      transaction: DatabaseTransaction,
      signUp: NewSignUp,
      mostLive: number,
    ): Promise<boolean> {
      const { rows } = await sql`
        insert into pending_sign_ups (id, email, password_hash, locale, token_hash, created_at, expires_at)
        select ${signUp.id}::uuid, ${signUp.email}, ${signUp.passwordHash}, ${signUp.locale},
          ${signUp.tokenHash}, ${signUp.createdAt}::timestamptz, ${signUp.expiresAt}::timestamptz
        where (
          select count(*) from pending_sign_ups
          where email = ${signUp.email} and expires_at > ${signUp.createdAt}
        ) < ${mostLive}
        returning 1`.execute(transaction);
      return rows.length > 0;
    },

    getPending: (tokenHash: Buffer, now: Date) =>
      db
        .selectFrom('pending_sign_ups')
        .select(['id', 'email', 'password_hash'])
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    /** Uses all up that wait for this email, in one order, so that two who do it never wait for each other. */
    takePending: (transaction: DatabaseTransaction, email: string) =>
      transaction
        .with('waiting', (db) =>
          db.selectFrom('pending_sign_ups').select('id').where('email', '=', email).orderBy('id').forUpdate(),
        )
        .deleteFrom('pending_sign_ups')
        .where('id', 'in', (eb) => eb.selectFrom('waiting').select('id'))
        .returning(['id', 'token_hash', 'password_hash', 'locale'])
        .execute(),

    async deleteExpired(now: Date): Promise<void> {
      await db.deleteFrom('pending_sign_ups').where('expires_at', '<=', now).execute();
    },

    /** False when the email has an account; of two at once the second finds the first. */
    async createUser(transaction: DatabaseTransaction, user: NewUser): Promise<boolean> {
      const row = await transaction
        .insertInto('users')
        .values({
          id: user.id,
          email: user.email,
          password_hash: user.passwordHash,
          locale: user.locale,
          created_at: user.createdAt,
        })
        .onConflict((conflict) => conflict.column('email').where('kind', '=', 'person').doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
export type SignUpRepository = ReturnType<typeof createSignUpRepository>;
