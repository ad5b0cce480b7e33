import { type Locale, limits } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { closedOrganizations } from './required-sign-ins.repository.ts';

export interface NewSshKey {
  id: string;
  userId: string;
  name: string;
  type: string;
  blob: Buffer;
  digest: Buffer;
  createdAt: Date;
  /** Of a key that counts for minutes. */
  short?: { sessionId: string; expiresAt: Date };
}

/** A registered key with whom it belongs to. */
export interface SshKeyOwner {
  keyId: string;
  keyName: string;
  type: string;
  blob: Buffer;
  userId: string;
  /** The name of a service account. */
  email: string;
  locale: Locale;
  hasTotp: boolean;
  isService: boolean;
  /** Changes with the owner's password and second factor; see `sshCredentials`. */
  credentials: string;
  /** The session or token for which a key that counts for minutes was made; null for all others. */
  sessionId: string | null;
  /** Of that session, where a provider has opened it: see Principal. */
  signedInto: string | null;
  hasProvidersFactor: boolean;
  closed: string[];
  /** Of that token; null where there is none. */
  tokenName: string | null;
  networks: string[] | null;
}

/**
 * A mark of a user's password and second factor. What was opened before one of them changed is told by it, however
 * they were changed: by a page, by a mailed link, or by hand on the server.
 */
export const sshCredentials = sql<string>`encode(sha256(convert_to(users.password_hash, 'UTF8')
  || coalesce(users.totp_secret, '')), 'hex')`;

/** SQL of the keys for the SSH jump host. */
export function createSshKeysRepository(db: Database) {
  return {
    list: (userId: string) =>
      db
        .selectFrom('ssh_keys')
        .selectAll()
        .where('user_id', '=', userId)
        .where('session_id', 'is', null)
        .orderBy('id')
        .execute(),

    /** `full` when the user has as many as allowed, `taken` when somebody has this one, or a device that comes by SSH. */
    async add(transaction: DatabaseTransaction, key: NewSshKey): Promise<'added' | 'full' | 'taken'> {
      // The user's row makes parallel calls wait, so that the count is exact.
      await transaction
        .selectFrom('users')
        .select('id')
        .where('id', '=', key.userId)
        .forNoKeyUpdate()
        .execute();
      const { count } = await transaction
        .selectFrom('ssh_keys')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('user_id', '=', key.userId)
        .where('session_id', 'is', null)
        .executeTakeFirstOrThrow();
      if (!key.short && Number(count) >= limits.sshKeysPerUser) return 'full';
      // One that has counted its minutes keeps nobody from registering it.
      await transaction
        .deleteFrom('ssh_keys')
        .where('digest', '=', key.digest)
        .where('expires_at', '<=', key.createdAt)
        .execute();
      const device = await transaction
        .selectFrom('enrolments')
        .select('id')
        .where('public_key', '=', key.blob)
        .where('connection_kind', '=', 'ssh')
        .limit(1)
        .executeTakeFirst();
      if (device) return 'taken';
      const row = await transaction
        .insertInto('ssh_keys')
        .values({
          id: key.id,
          user_id: key.userId,
          name: key.name,
          type: key.type,
          blob: key.blob,
          digest: key.digest,
          created_at: key.createdAt,
          session_id: key.short?.sessionId ?? null,
          expires_at: key.short?.expiresAt ?? null,
        })
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .returning('id')
        .executeTakeFirst();
      return row ? 'added' : 'taken';
    },

    /** Undefined when the user has no such key. */
    delete: (transaction: DatabaseTransaction, userId: string, id: string) =>
      transaction
        .deleteFrom('ssh_keys')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .where('session_id', 'is', null)
        .returning(['name', 'digest'])
        .executeTakeFirst(),

    getOwner: (digest: Buffer, now: Date): Promise<SshKeyOwner | undefined> =>
      db
        .selectFrom('ssh_keys')
        .innerJoin('users', 'users.id', 'ssh_keys.user_id')
        .leftJoin('sessions', (join) =>
          join.onRef('sessions.id', '=', 'ssh_keys.session_id').on('sessions.expires_at', '>', now),
        )
        .leftJoin('access_tokens', 'access_tokens.id', 'sessions.id')
        .leftJoin('identities', 'identities.id', 'sessions.identity_id')
        .select([
          'ssh_keys.id as keyId',
          'ssh_keys.name as keyName',
          'ssh_keys.type',
          'ssh_keys.blob',
          'users.id as userId',
          'users.email',
          'users.locale',
          sql<boolean>`users.totp_secret is not null`.as('hasTotp'),
          sql<boolean>`users.kind = 'service'`.as('isService'),
          sshCredentials.as('credentials'),
          'ssh_keys.session_id as sessionId',
          'identities.organization_id as signedInto',
          sql<boolean>`coalesce(sessions.has_second_factor, false)`.as('hasProvidersFactor'),
          closedOrganizations(sql.ref('ssh_keys.session_id')).as('closed'),
          'access_tokens.name as tokenName',
          'access_tokens.networks',
        ])
        .where('ssh_keys.digest', '=', digest)
        .where(({ eb, or, and }) =>
          or([
            eb('ssh_keys.session_id', 'is', null),
            and([eb('ssh_keys.expires_at', '>', now), eb('sessions.id', 'is not', null)]),
          ]),
        )
        .executeTakeFirst(),

    /** The organizations that are closed by now to what has logged in with a key of this owner. */
    async getClosed({ userId, sessionId }: Pick<SshKeyOwner, 'userId' | 'sessionId'>): Promise<string[]> {
      const row = await db
        .selectFrom('users')
        .select(closedOrganizations(sql`${sessionId}::uuid`).as('closed'))
        .where('id', '=', userId)
        .executeTakeFirst();
      return row?.closed ?? [];
    },

    /** Those that have counted their minutes; what they have opened rests on the session. */
    async deleteExpired(now: Date): Promise<void> {
      await db.deleteFrom('ssh_keys').where('expires_at', '<=', now).execute();
    },

    async touch(id: string, usedAt: Date): Promise<void> {
      await db.updateTable('ssh_keys').set({ last_used_at: usedAt }).where('id', '=', id).execute();
    },
  };
}
export type SshKeysRepository = ReturnType<typeof createSshKeysRepository>;
