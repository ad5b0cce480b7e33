import type { Locale } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

export interface NewUser {
  id: string;
  email: string;
  passwordHash: string;
  locale: Locale;
  createdAt: Date;
}

/** What a login has been checked against. */
interface SeenUser {
  id: string;
  password_hash: string;
  totp_secret: Buffer | null;
}

/** SQL of users. */
export function createAccountsRepository(db: Database) {
  return {
    getUserByEmail: (email: string) =>
      db
        .selectFrom('users')
        .selectAll()
        .where('email', '=', email)
        .where('kind', '=', 'person')
        .executeTakeFirst(),

    /** Of an administrator who has never logged in: whoever has keeps a known device. */
    async getHashBeforeFirstLogin(email: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('users')
        .select('password_hash')
        .where('email', '=', email)
        .where('is_administrator', '=', true)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('known_devices').select('user_id').whereRef('user_id', '=', 'users.id'))),
        )
        .executeTakeFirst();
      return row?.password_hash;
    },

    /** Stays true until the transaction ends: nobody else can add one meanwhile. */
    async hasUsers(transaction: DatabaseTransaction): Promise<boolean> {
      await sql`lock table users in share row exclusive mode`.execute(transaction);
      return (await transaction.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
    },

    async createUser(transaction: DatabaseTransaction, user: NewUser): Promise<void> {
      await transaction
        .insertInto('users')
        .values({
          id: user.id,
          email: user.email,
          password_hash: user.passwordHash,
          locale: user.locale,
          created_at: user.createdAt,
        })
        .execute();
    },

    /**
     * Notes the language of a login, if it has one, and keeps the user as they are until the transaction ends. False when password
     * or TOTP secret are no longer those that were seen.
     */
    async admit(
      transaction: DatabaseTransaction,
      seen: SeenUser,
      locale: Locale | undefined,
    ): Promise<boolean> {
      const row = await transaction
        .updateTable('users')
        .set((eb) => ({ locale: locale ?? eb.ref('locale') }))
        .where('id', '=', seen.id)
        .where('password_hash', '=', seen.password_hash)
        .where('totp_secret', 'is not distinct from', seen.totp_secret)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async setLocale(id: string, locale: Locale): Promise<void> {
      await db.updateTable('users').set({ locale }).where('id', '=', id).execute();
    },

    async isInTotpOrganization(userId: string): Promise<boolean> {
      const { rows } = await sql`
        select from organizations
        where totp_required and (
          id in (select organization_id from memberships where user_id = ${userId})
          or id in (select organization_id from grants where subject_user_id = ${userId}))
        limit 1`.execute(db);
      return rows.length > 0;
    },
  };
}
export type AccountsRepository = ReturnType<typeof createAccountsRepository>;
