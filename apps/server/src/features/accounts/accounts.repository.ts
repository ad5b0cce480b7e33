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

export interface NewSession {
  id: string;
  userId: string;
  tokenHash: Buffer;
  address: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
}

/** SQL of users and their sessions. */
export function createAccountsRepository(db: Database) {
  const liveSessions = (now: Date, idleSince: Date) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select([
        'sessions.id as sessionId',
        'sessions.expires_at as sessionExpiresAt',
        'sessions.last_used_at as lastUsedAt',
        'users.id as userId',
        'users.email',
        'users.locale',
        sql<boolean>`users.totp_secret is not null`.as('hasTotp'),
      ])
      .where('sessions.expires_at', '>', now)
      .where('sessions.last_used_at', '>', idleSince);

  return {
    getUserByEmail: (email: string) =>
      db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst(),

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

    /** Ends the user's sessions too. False when there is no such user. */
    async setPassword(
      transaction: DatabaseTransaction,
      email: string,
      passwordHash: string,
    ): Promise<boolean> {
      const user = await transaction
        .updateTable('users')
        .set({ password_hash: passwordHash })
        .where('email', '=', email)
        .returning('id')
        .executeTakeFirst();
      if (!user) return false;
      await transaction.deleteFrom('sessions').where('user_id', '=', user.id).execute();
      return true;
    },

    async createSession(session: NewSession): Promise<void> {
      await db
        .insertInto('sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          token_hash: session.tokenHash,
          address: session.address,
          user_agent: session.userAgent,
          created_at: session.createdAt,
          last_used_at: session.createdAt,
          expires_at: session.expiresAt,
        })
        .execute();
    },

    getSessionByToken: (tokenHash: Buffer, now: Date, idleSince: Date) =>
      liveSessions(now, idleSince).where('sessions.token_hash', '=', tokenHash).executeTakeFirst(),

    getSessionById: (id: string, now: Date, idleSince: Date) =>
      liveSessions(now, idleSince).where('sessions.id', '=', id).executeTakeFirst(),

    async touchSession(id: string, usedAt: Date): Promise<void> {
      await db.updateTable('sessions').set({ last_used_at: usedAt }).where('id', '=', id).execute();
    },

    async deleteSession(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async deleteExpired(now: Date, idleSince: Date): Promise<void> {
      await db
        .deleteFrom('sessions')
        .where((eb) => eb.or([eb('expires_at', '<=', now), eb('last_used_at', '<=', idleSince)]))
        .execute();
    },

    async isInTotpOrganization(userId: string): Promise<boolean> {
      const row = await db
        .selectFrom('memberships')
        .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
        .select('organizations.id')
        .where('memberships.user_id', '=', userId)
        .where('organizations.totp_required', '=', true)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
export type AccountsRepository = ReturnType<typeof createAccountsRepository>;
