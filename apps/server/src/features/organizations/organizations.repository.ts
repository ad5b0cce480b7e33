import type { Organization, Role } from '@pult/contract';
import { type SqlBool, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { Scope } from './scope.ts';

/** Subquery of the ids of the organizations in scope, for `where organization_id in …`, or of one if it is. */
export function organizationsInScope(scope: Scope, organizationId?: string) {
  const one = organizationId === undefined ? sql`` : sql`and memberships.organization_id = ${organizationId}`;
  const open = scope.withTotpOrganizations
    ? sql``
    : sql`and not exists (
        select from organizations
        where organizations.id = memberships.organization_id and organizations.totp_required)`;
  return sql<string>`(
    select memberships.organization_id from memberships
    where memberships.user_id = ${scope.userId} and memberships.role = any(${[...scope.roles]}) ${one} ${open}
  )`;
}

/**
 * Whether the organization of a row wants a second factor that its user lacks; of the tables `organizations` and `users` of
 * the query. `isTotpEnabled` is TOTP_AUTH_ENABLED: without it no organization's wish for one counts.
 */
export function lacksSecondFactor(isTotpEnabled: boolean) {
  return sql<SqlBool>`(${isTotpEnabled}::boolean and organizations.totp_required and users.totp_secret is null)`;
}

/** SQL of organizations and their members. */
export function createOrganizationsRepository(db: Database) {
  /** With the organizations that require TOTP: whoever reads one decides. */
  const inScope = (scope: Scope, executor: Database = db) =>
    executor
      .selectFrom('organizations')
      .innerJoin('memberships', 'memberships.organization_id', 'organizations.id')
      .select([
        'organizations.id',
        'organizations.name',
        'organizations.totp_required as totpRequired',
        'memberships.role as userRole',
      ])
      .where('memberships.user_id', '=', scope.userId)
      .where('memberships.role', 'in', scope.roles);

  return {
    listOrganizations: (scope: Scope): Promise<Organization[]> =>
      inScope(scope).orderBy('organizations.name').orderBy('organizations.id').execute(),

    getOrganization: (
      scope: Scope,
      id: string,
      transaction?: DatabaseTransaction,
    ): Promise<Organization | undefined> =>
      inScope(scope, transaction).where('organizations.id', '=', id).executeTakeFirst(),

    /**
     * Holds the organization until the transaction ends: members come, go and change roles one after another.
     * Whatever decides by a role reads it after this, in a statement of its own: one that waited for a lock
     * still sees the other tables as they were before.
     */
    async lockOrganization(transaction: DatabaseTransaction, id: string): Promise<boolean> {
      const row = await transaction
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Nothing may be added to it either until the transaction ends; whatever was being added is there. */
    async lockForDeletion(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().execute();
    },

    async hasControllers(transaction: DatabaseTransaction, id: string): Promise<boolean> {
      const row = await transaction
        .selectFrom('controllers')
        .select('id')
        .where('organization_id', '=', id)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async updateOrganization(
      transaction: DatabaseTransaction,
      id: string,
      { name, totpRequired }: { name: string; totpRequired: boolean },
    ): Promise<void> {
      await transaction
        .updateTable('organizations')
        .set({ name, totp_required: totpRequired })
        .where('id', '=', id)
        .execute();
    },

    /** With its members, groups and invites; its audit events stay. */
    async deleteOrganization(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction.deleteFrom('organizations').where('id', '=', id).execute();
    },

    /** Holds the user's row, so that the count stays true until the transaction ends. */
    async countOwned(transaction: DatabaseTransaction, userId: string): Promise<number> {
      await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
      const { count } = await transaction
        .selectFrom('memberships')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('user_id', '=', userId)
        .where('role', '=', 'owner')
        .executeTakeFirstOrThrow();
      return count;
    },

    async createOrganization(
      transaction: DatabaseTransaction,
      organization: { id: string; name: string; ownerId: string; createdAt: Date },
    ): Promise<void> {
      const { id, name, ownerId, createdAt } = organization;
      await transaction.insertInto('organizations').values({ id, name, created_at: createdAt }).execute();
      const role: Role = 'owner';
      await transaction
        .insertInto('memberships')
        .values({ organization_id: id, user_id: ownerId, role, joined_at: createdAt })
        .execute();
    },
  };
}
export type OrganizationsRepository = ReturnType<typeof createOrganizationsRepository>;
