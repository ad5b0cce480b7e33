import type { GrantRole, ServiceAccount } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, wholeOrganizations } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { createId } from '../../platform/ids.ts';

/** An account with the roles of its rights, by which is told who may change it. */
export interface StoredAccount {
  id: string;
  name: string;
  roles: GrantRole[];
}

export type ListedAccount = Omit<ServiceAccount, 'isManageable'> & Pick<StoredAccount, 'roles'>;

const liveGrants = sql`grants.subject_user_id = users.id and (grants.ends_at is null or grants.ends_at > now())`;
const grantedRoles = sql<GrantRole[]>`array(select distinct role from grants where ${liveGrants})`;

/** SQL of service accounts: users who are no people. What changes them holds the organization: see lockOrganization. */
export function createServiceAccountsRepository(db: Database) {
  const accounts = (executor: Database, organizationId: string) =>
    executor
      .selectFrom('users')
      .where('users.kind', '=', 'service')
      .where('users.belongs_to', '=', organizationId)
      .where('users.ended_at', 'is', null);

  return {
    async list(scope: Scope, organizationId: string, now: Date): Promise<ListedAccount[]> {
      const rows = await accounts(db, organizationId)
        .where('users.belongs_to', 'in', wholeOrganizations(scope, organizationId))
        .leftJoin('users as makers', 'makers.id', 'users.created_by')
        .select(['users.id', 'users.email as name', 'users.created_at', 'makers.email as createdBy'])
        .select([
          sql<number>`(select count(*)::int from sessions
            where sessions.user_id = users.id and sessions.expires_at > ${now})`.as('tokens'),
          sql<number>`(select count(*)::int from ssh_keys
            where ssh_keys.user_id = users.id and ssh_keys.session_id is null)`.as('sshKeys'),
          sql<number>`(select count(*)::int from grants where ${liveGrants})`.as('grants'),
          sql<Date | null>`greatest(
            (select max(token.last_used_at) from access_tokens token join sessions on sessions.id = token.id
              where sessions.user_id = users.id),
            (select max(last_used_at) from ssh_keys where ssh_keys.user_id = users.id))`.as('lastUsedAt'),
          grantedRoles.as('roles'),
        ])
        .orderBy(sql`lower(users.email)`)
        .execute();
      return rows.map(({ created_at, lastUsedAt, ...row }) => ({
        ...row,
        createdAt: created_at.toISOString(),
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      }));
    },

    async find(
      scope: Scope,
      organizationId: string,
      id: string,
      transaction?: DatabaseTransaction,
    ): Promise<StoredAccount | undefined> {
      return accounts(transaction ?? db, organizationId)
        .where('users.belongs_to', 'in', wholeOrganizations(scope, organizationId))
        .where('users.id', '=', id)
        .select(['users.id', 'users.email as name', grantedRoles.as('roles')])
        .executeTakeFirst();
    },

    /** Names differ by more than their case. */
    async findByName(
      transaction: DatabaseTransaction,
      organizationId: string,
      name: string,
    ): Promise<StoredAccount | undefined> {
      return accounts(transaction, organizationId)
        .where(sql`lower(users.email)`, '=', sql`lower(${name})`)
        .select(['users.id', 'users.email as name', grantedRoles.as('roles')])
        .executeTakeFirst();
    },

    async count(transaction: DatabaseTransaction, organizationId: string): Promise<number> {
      const { count } = await accounts(transaction, organizationId)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    async create(
      transaction: DatabaseTransaction,
      account: {
        id: string;
        organizationId: string;
        name: string;
        createdBy: string | null;
        createdAt: Date;
      },
    ): Promise<void> {
      await transaction
        .insertInto('users')
        .values({
          id: account.id,
          kind: 'service',
          email: account.name,
          belongs_to: account.organizationId,
          created_by: account.createdBy,
          created_at: account.createdAt,
          // What nothing has the hash of.
          password_hash: '',
          locale: 'en',
        })
        .execute();
    },

    /** Of a command on the server's machine. The name of the organization; undefined where there is none. */
    async holdOrganization(transaction: DatabaseTransaction, id: string): Promise<string | undefined> {
      const row = await transaction
        .selectFrom('organizations')
        .select('name')
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      return row?.name;
    },

    /** On the whole organization, in place of what it had there; given by nobody. */
    async grantAtRoot(
      transaction: DatabaseTransaction,
      grant: { accountId: string; organizationId: string; role: GrantRole; createdAt: Date },
    ): Promise<void> {
      await transaction
        .deleteFrom('grants')
        .where('subject_user_id', '=', grant.accountId)
        .where('group_id', 'is', null)
        .where('controller_id', 'is', null)
        .execute();
      await transaction
        .insertInto('grants')
        .values({
          ...{ id: createId(), organization_id: grant.organizationId, subject_user_id: grant.accountId },
          ...{ group_id: null, controller_id: null, role: grant.role, ends_at: null, granted_by: null },
          created_at: grant.createdAt,
        })
        .execute();
    },

    /** Its name stays, for what it has done. */
    async end(transaction: DatabaseTransaction, id: string, now: Date): Promise<void> {
      await transaction.deleteFrom('sessions').where('user_id', '=', id).execute();
      await transaction.deleteFrom('ssh_keys').where('user_id', '=', id).execute();
      await transaction.deleteFrom('grants').where('subject_user_id', '=', id).execute();
      await transaction.updateTable('users').set({ ended_at: now }).where('id', '=', id).execute();
    },
  };
}
export type ServiceAccountsRepository = ReturnType<typeof createServiceAccountsRepository>;
