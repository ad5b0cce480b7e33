import { lifetimes } from '@pult/contract';
import { sql } from 'kysely';
import { type Place, selectPlaceAccess } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { closedOrganizations } from './required-sign-ins.repository.ts';

/** Of one login at a provider: who runs it may open them without end. */
const sessionsPerIdentity = 20;

export interface NewSession {
  id: string;
  /** Of a sign-in by a provider. */
  signIn?: (SessionSignIn & { hasSecondFactor: boolean }) | undefined;
  userId: string;
  tokenHash: Buffer;
  address: string;
  userAgent: string;
  createdAt: Date;
  expiresAt: Date;
}

/** What a session rests on besides its account. */
export interface SessionSignIn {
  identityId: string;
  /** Encrypted. */
  refreshToken: Buffer | null;
}

/** SQL of sessions. A session lives until its end, unless it was not used since `idleSince`. */
export function createSessionsRepository(db: Database) {
  const liveSessions = (now: Date, idleSince: Date, place: Place | undefined) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .leftJoin('identities', 'identities.id', 'sessions.identity_id')
      .select([
        'sessions.id as sessionId',
        // One about which a provider is asked moves on with each answer, up to there.
        sql<Date>`case when sessions.refresh_token is null then sessions.expires_at
          else sessions.created_at + make_interval(secs => ${lifetimes.sessionAbsolute}) end`.as(
          'sessionExpiresAt',
        ),
        'sessions.last_used_at as lastUsedAt',
        'users.id as userId',
        'users.email',
        'users.locale',
        'users.is_administrator as isAdministrator',
        'sessions.has_second_factor as hasProvidersFactor',
        'identities.organization_id as signedInto',
        closedOrganizations(sql.ref('sessions.id')).as('closed'),
        sql<boolean>`users.totp_secret is not null`.as('hasTotp'),
        sql<boolean>`exists (select from grants where grants.subject_user_id = users.id)`.as('hasGrants'),
        selectPlaceAccess(sql.ref('users.id'), sql.ref('identities.organization_id'), place).as('found'),
      ])
      // A token is no cookie, however it comes.
      .where('sessions.is_token', '=', false)
      .where('sessions.expires_at', '>', now)
      .where('sessions.last_used_at', '>', idleSince);
  // Tokens stay, as SSH keys do: they are ended by name.
  const deleteOfUser = (transaction: DatabaseTransaction, userId: string) =>
    transaction
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('is_token', '=', false)
      .returning('id');
  // A program that was let in and has not fetched its token yet: that stands in no list, to be ended by name.
  const forgetPrograms = (transaction: DatabaseTransaction, userId: string) =>
    transaction.deleteFrom('device_logins').where('user_id', '=', userId).execute();
  const endOldest = (transaction: DatabaseTransaction, identityId: string) =>
    transaction
      .deleteFrom('sessions')
      .where('id', 'in', (all) =>
        all
          .selectFrom('sessions')
          .select('id')
          .where('identity_id', '=', identityId)
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .offset(sessionsPerIdentity),
      )
      .execute();

  return {
    /** One that rests on what a provider says ends where nobody moves it on: whoever should ask may be held up. */
    async create(transaction: DatabaseTransaction, session: NewSession): Promise<void> {
      const checkEnd = new Date(session.createdAt.getTime() + lifetimes.signInCheck * 1000);
      const isChecked = session.signIn !== undefined && checkEnd < session.expiresAt;
      await transaction
        .insertInto('sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          token_hash: session.tokenHash,
          address: session.address,
          user_agent: session.userAgent,
          created_at: session.createdAt,
          last_used_at: session.createdAt,
          expires_at: isChecked ? checkEnd : session.expiresAt,
          ...(session.signIn
            ? {
                identity_id: session.signIn.identityId,
                has_second_factor: session.signIn.hasSecondFactor,
                refresh_token: session.signIn.refreshToken,
                checked_at: session.createdAt,
              }
            : {}),
        })
        .execute();
      if (session.signIn) await endOldest(transaction, session.signIn.identityId);
    },

    getByToken: (tokenHash: Buffer, now: Date, idleSince: Date, place?: Place) =>
      liveSessions(now, idleSince, place).where('sessions.token_hash', '=', tokenHash).executeTakeFirst(),

    getById: (id: string, now: Date, idleSince: Date, place?: Place) =>
      liveSessions(now, idleSince, place).where('sessions.id', '=', id).executeTakeFirst(),

    /** The live ones of a user, the last used first. */
    list: (userId: string, now: Date, idleSince: Date) =>
      db
        .selectFrom('sessions')
        .select(['id', 'address', 'user_agent', 'created_at', 'last_used_at'])
        .where('user_id', '=', userId)
        .where('is_token', '=', false)
        .where('expires_at', '>', now)
        .where('last_used_at', '>', idleSince)
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    async touch(id: string, usedAt: Date): Promise<void> {
      await db.updateTable('sessions').set({ last_used_at: usedAt }).where('id', '=', id).execute();
    },

    async delete(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Keeps the user as they are until the transaction ends. */
    async lockUser(transaction: DatabaseTransaction, userId: string): Promise<void> {
      await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    },

    /** Those of the ids that are the user's own; answers the ones that were there. */
    async deleteOwn(transaction: DatabaseTransaction, userId: string, ids: readonly string[]) {
      const rows = await deleteOfUser(transaction, userId)
        .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** All of the user's but one; answers their ids. */
    async deleteOthers(transaction: DatabaseTransaction, userId: string, keptId: string): Promise<string[]> {
      await forgetPrograms(transaction, userId);
      const rows = await deleteOfUser(transaction, userId).where('id', '<>', keptId).execute();
      return rows.map(({ id }) => id);
    },

    /** All of the user's; answers their ids. */
    async deleteAll(transaction: DatabaseTransaction, userId: string): Promise<string[]> {
      await forgetPrograms(transaction, userId);
      const rows = await deleteOfUser(transaction, userId).execute();
      return rows.map(({ id }) => id);
    },

    /** Tokens that ended are listed until `tokensEndedBefore`, and end by their time alone. */
    async deleteExpired(now: Date, idleSince: Date, tokensEndedBefore: Date): Promise<void> {
      await db
        .deleteFrom('sessions')
        .where((eb) =>
          eb.or([
            eb('expires_at', '<=', tokensEndedBefore),
            eb.and([
              eb('is_token', '=', false),
              eb.or([eb('expires_at', '<=', now), eb('last_used_at', '<=', idleSince)]),
            ]),
          ]),
        )
        .execute();
    },
  };
}
export type SessionsRepository = ReturnType<typeof createSessionsRepository>;
