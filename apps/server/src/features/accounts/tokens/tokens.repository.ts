import { type Locale, limits, type Permission, permissionNames } from '@pult/contract';
import { sql } from 'kysely';
import { type Place, type PlaceAccessRow, selectPlaceAccess } from '../../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { closedOrganizations } from '../required-sign-ins.repository.ts';

export interface NewToken {
  id: string;
  userId: string;
  hash: Buffer;
  name: string;
  prefix: string;
  scopes: readonly Permission[];
  networks: readonly string[];
  /** Of whoever made it. */
  address: string;
  createdAt: Date;
  expiresAt: Date;
}

/** A token that is good, with whom it belongs to. */
export interface FoundToken {
  id: string;
  name: string;
  scopes: string[];
  networks: string[];
  lastUsedAt: Date | null;
  expiresAt: Date;
  userId: string;
  email: string;
  locale: Locale;
  hasTotp: boolean;
  hasGrants: boolean;
  /** Organizations that it opens nothing of: see Principal. */
  closed: string[];
  /** Of a service account. */
  serviceOf: string | null;
  /** At the place that was asked for. */
  found: PlaceAccessRow | null;
}

/** Names of the database as scopes; one that no permission has any more allows nothing. */
export function toScopes(names: readonly string[]): Permission[] {
  return permissionNames.filter((name) => names.includes(name));
}

/** SQL of the tokens of programs. */
export function createTokensRepository(db: Database) {
  return {
    getByHash: (hash: Buffer, now: Date, place?: Place): Promise<FoundToken | undefined> =>
      db
        .selectFrom('sessions')
        .innerJoin('access_tokens as token', 'token.id', 'sessions.id')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select([
          'token.id',
          'token.name',
          'token.scopes',
          'token.networks',
          'token.last_used_at as lastUsedAt',
          'sessions.expires_at as expiresAt',
          'users.id as userId',
          'users.email',
          'users.locale',
          'users.belongs_to as serviceOf',
          sql<boolean>`users.totp_secret is not null`.as('hasTotp'),
          sql<boolean>`exists (select from grants where grants.subject_user_id = users.id)`.as('hasGrants'),
          closedOrganizations(sql.ref('sessions.id')).as('closed'),
          selectPlaceAccess(sql.ref('users.id'), sql`null::uuid`, place).as('found'),
        ])
        .where('sessions.token_hash', '=', hash)
        .where('sessions.is_token', '=', true)
        .where('sessions.expires_at', '>', now)
        .executeTakeFirst(),

    async touch(id: string, { at, address }: { at: Date; address: string }): Promise<void> {
      await db
        .updateTable('access_tokens')
        .set({ last_used_at: at, last_used_from: address })
        .where('id', '=', id)
        .execute();
    },

    list: (userId: string) =>
      db
        .selectFrom('access_tokens as token')
        .innerJoin('sessions', 'sessions.id', 'token.id')
        .selectAll('token')
        .select(['sessions.created_at', 'sessions.expires_at'])
        .where('sessions.user_id', '=', userId)
        .orderBy('token.id', 'desc')
        .execute(),

    /** False when the account has as many as allowed that are not over. */
    async add(transaction: DatabaseTransaction, token: NewToken): Promise<boolean> {
      // The user's row makes parallel calls wait, so that the count is exact.
      await transaction
        .selectFrom('users')
        .select('id')
        .where('id', '=', token.userId)
        .forNoKeyUpdate()
        .execute();
      const { count } = await transaction
        .selectFrom('sessions')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('user_id', '=', token.userId)
        .where('is_token', '=', true)
        .where('expires_at', '>', token.createdAt)
        .executeTakeFirstOrThrow();
      if (Number(count) >= limits.tokensPerAccount) return false;
      await transaction
        .insertInto('sessions')
        .values({
          id: token.id,
          user_id: token.userId,
          token_hash: token.hash,
          address: token.address,
          user_agent: '',
          created_at: token.createdAt,
          last_used_at: token.createdAt,
          expires_at: token.expiresAt,
          is_token: true,
        })
        .execute();
      await transaction
        .insertInto('access_tokens')
        .values({
          id: token.id,
          name: token.name,
          prefix: token.prefix,
          scopes: [...token.scopes],
          networks: [...token.networks],
        })
        .execute();
      return true;
    },

    /** Its name; undefined when the user has no such token. */
    async delete(transaction: DatabaseTransaction, userId: string, id: string): Promise<string | undefined> {
      const token = await transaction
        .selectFrom('access_tokens as token')
        .innerJoin('sessions', 'sessions.id', 'token.id')
        .select('token.name')
        .where('token.id', '=', id)
        .where('sessions.user_id', '=', userId)
        .forUpdate()
        .executeTakeFirst();
      if (!token) return undefined;
      await transaction.deleteFrom('sessions').where('id', '=', id).execute();
      return token.name;
    },
  };
}
export type TokensRepository = ReturnType<typeof createTokensRepository>;
