import type { IdentityProvider } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { noPassword } from '../accounts/index.ts';

export interface StoredProvider extends IdentityProvider {
  organizationId: string;
  /** Encrypted. */
  clientSecret: Buffer;
}

/** How people get into an organization. */
export interface StoredRequirement {
  isRequired: boolean;
  breakGlassOwner: { id: string; email: string } | null;
}

/** SQL of the identity providers of organizations, and of who has to come by them. */
export function createProvidersRepository(db: Database) {
  return {
    async get(
      organizationId: string,
      executor: Database | DatabaseTransaction = db,
    ): Promise<StoredProvider | undefined> {
      const row = await executor
        .selectFrom('identity_providers')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .executeTakeFirst();
      return (
        row && {
          organizationId,
          name: row.name,
          issuer: row.issuer,
          clientId: row.client_id,
          clientSecret: row.client_secret,
          scopes: row.scopes,
          groupsClaim: row.groups_claim,
          secondFactorAcr: row.second_factor_acr,
        }
      );
    },

    async getOrganizationName(organizationId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('organizations')
        .select('name')
        .where('id', '=', organizationId)
        .executeTakeFirst();
      return row?.name;
    },

    async set(transaction: DatabaseTransaction, provider: StoredProvider): Promise<void> {
      const values = {
        name: provider.name,
        issuer: provider.issuer,
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
        scopes: provider.scopes,
        groups_claim: provider.groupsClaim,
        second_factor_acr: provider.secondFactorAcr,
      };
      await transaction
        .insertInto('identity_providers')
        .values({ organization_id: provider.organizationId, ...values })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
        .execute();
    },

    async delete(transaction: DatabaseTransaction, organizationId: string): Promise<string | undefined> {
      const row = await transaction
        .deleteFrom('identity_providers')
        .where('organization_id', '=', organizationId)
        .returning('name')
        .executeTakeFirst();
      return row?.name;
    },

    async getRequirement(
      executor: Database | DatabaseTransaction,
      organizationId: string,
    ): Promise<StoredRequirement> {
      const row = await executor
        .selectFrom('organizations')
        .leftJoin('users', 'users.id', 'organizations.break_glass_user_id')
        .select(['sign_in_required as isRequired', 'users.id', 'users.email'])
        .where('organizations.id', '=', organizationId)
        .executeTakeFirst();
      const { isRequired = false, id = null, email = null } = row ?? {};
      return { isRequired, breakGlassOwner: id !== null && email !== null ? { id, email } : null };
    },

    async setRequirement(
      transaction: DatabaseTransaction,
      organizationId: string,
      { isRequired, breakGlassOwner }: { isRequired: boolean; breakGlassOwner: string | null },
    ): Promise<void> {
      await transaction
        .updateTable('organizations')
        .set({ sign_in_required: isRequired, break_glass_user_id: breakGlassOwner })
        .where('id', '=', organizationId)
        .execute();
    },

    /** An owner, and whether they have a password of their own; undefined for anybody else. */
    async findOwner(
      transaction: DatabaseTransaction,
      organizationId: string,
      userId: string,
    ): Promise<{ email: string; hasPassword: boolean } | undefined> {
      return transaction
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .select('users.email')
        .select(sql<boolean>`users.password_hash <> ${noPassword}`.as('hasPassword'))
        .where('memberships.organization_id', '=', organizationId)
        .where('memberships.user_id', '=', userId)
        .where('memberships.role', '=', 'owner')
        .executeTakeFirst();
    },

    /** Has a role, or rights by grants, right now. */
    async hasRights(
      transaction: DatabaseTransaction,
      organizationId: string,
      userId: string,
    ): Promise<boolean> {
      const { rows } = await sql`
        select from memberships where user_id = ${userId} and organization_id = ${organizationId}
        union all
        select from grants where subject_user_id = ${userId} and organization_id = ${organizationId}
          and (ends_at is null or ends_at > now())
        limit 1`.execute(transaction);
      return rows.length > 0;
    },
  };
}
export type ProvidersRepository = ReturnType<typeof createProvidersRepository>;
