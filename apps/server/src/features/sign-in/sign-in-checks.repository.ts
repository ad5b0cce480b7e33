import { lifetimes } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { holdOrganizations } from './held-organizations.repository.ts';

/** A session about which its provider is to be asked. */
export interface DueSession {
  id: string;
  /** Null for the provider of the installation. */
  organizationId: string | null;
}

export interface CheckedSession {
  id: string;
  identityId: string;
  userId: string;
  organizationId: string | null;
  issuer: string;
  subject: string;
  address: string;
  refreshToken: Buffer;
}

/** SQL of sessions that rest on what a provider says. */
export function createSignInChecksRepository(db: Database) {
  return {
    /** Those that were confirmed before `checkedBefore`, the longest ago first; `limit` of each provider. */
    async listDue(checkedBefore: Date, now: Date, limit: number): Promise<DueSession[]> {
      const { rows } = await sql<DueSession>`
        select id, "organizationId" from (
          select sessions.id, identities.organization_id as "organizationId", sessions.checked_at,
            row_number() over (partition by identities.organization_id order by sessions.checked_at) as place
          from sessions join identities on identities.id = sessions.identity_id
          where sessions.refresh_token is not null and sessions.checked_at <= ${checkedBefore}
            and sessions.expires_at > ${now}) as due
        where place <= ${limit} order by checked_at`.execute(db);
      return rows;
    },

    /** Undefined: it has ended meanwhile. */
    get: (id: string, now: Date): Promise<CheckedSession | undefined> =>
      db
        .selectFrom('sessions')
        .innerJoin('identities', 'identities.id', 'sessions.identity_id')
        .select([
          'sessions.id',
          'identities.id as identityId',
          'identities.user_id as userId',
          'identities.organization_id as organizationId',
          'identities.issuer',
          'identities.subject',
          'sessions.address',
          sql<Buffer>`sessions.refresh_token`.as('refreshToken'),
        ])
        .where('sessions.id', '=', id)
        .where('sessions.refresh_token', 'is not', null)
        .where('sessions.expires_at', '>', now)
        .executeTakeFirst(),

    /** Before anything of a session changes: see holdOrganizations. */
    async hold(transaction: DatabaseTransaction, identityId: string): Promise<void> {
      const own = sql`select organization_id from identities where id = ${identityId}`;
      await holdOrganizations(transaction, own);
    },

    /** Until the next hour is over; one that has ended meanwhile stays so. */
    async confirm(
      transaction: DatabaseTransaction,
      id: string,
      { refreshToken, at }: { refreshToken: Buffer; at: Date },
    ): Promise<void> {
      const end = new Date(at.getTime() + lifetimes.signInCheck * 1000);
      await transaction
        .updateTable('sessions')
        .set({
          refresh_token: refreshToken,
          checked_at: at,
          expires_at: sql`least(${end}::timestamptz,
            created_at + make_interval(secs => ${lifetimes.sessionAbsolute}))`,
        })
        .where('id', '=', id)
        .where('expires_at', '>', at)
        .execute();
    },

    /** All that rest on this sign-in of a provider that has ended it. */
    async end(sessionId: string): Promise<void> {
      await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
    },
  };
}
export type SignInChecksRepository = ReturnType<typeof createSignInChecksRepository>;
