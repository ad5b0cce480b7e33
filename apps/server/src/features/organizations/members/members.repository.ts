import type { Member, Role } from '@pult/contract';
import { sql } from 'kysely';
import type { Scope } from '../../../platform/access/index.ts';
import { isGrantLive, wholeOrganizations } from '../../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';

/** SQL of who belongs to an organization. What changes it holds the organization: see lockOrganization. */
export function createMembersRepository(db: Database) {
  const members = (executor: Database) =>
    executor
      .selectFrom('memberships')
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .select(['users.id as userId', 'users.email', 'memberships.role', 'memberships.joined_at as joinedAt'])
      .select(sql<boolean>`users.totp_secret is not null`.as('totpEnabled'));
  type Row = Awaited<ReturnType<ReturnType<typeof members>['executeTakeFirstOrThrow']>>;
  const toMember = (row: Row): Member => ({ ...row, joinedAt: row.joinedAt.toISOString() });
  const one = (organizationId: string, userId: string) =>
    ({ organization_id: organizationId, user_id: userId }) as const;

  return {
    async listMembers(scope: Scope, organizationId: string): Promise<Member[]> {
      const rows = await members(db)
        .where('memberships.organization_id', 'in', wholeOrganizations(scope, organizationId))
        .orderBy('users.email')
        .execute();
      return rows.map(toMember);
    },

    async getMember(
      transaction: DatabaseTransaction,
      organizationId: string,
      userId: string,
    ): Promise<Member | undefined> {
      const row = await members(transaction)
        .where('memberships.organization_id', '=', organizationId)
        .where('memberships.user_id', '=', userId)
        .executeTakeFirst();
      return row && toMember(row);
    },

    async count(
      transaction: DatabaseTransaction,
      organizationId: string,
    ): Promise<{ members: number; owners: number }> {
      return transaction
        .selectFrom('memberships')
        .select([
          sql<number>`count(*)::int`.as('members'),
          sql<number>`(count(*) filter (where role = 'owner'))::int`.as('owners'),
        ])
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
    },

    /** The owner who does not need the provider by which others have to sign in. */
    async isBreakGlassOwner(
      transaction: DatabaseTransaction,
      organizationId: string,
      userId: string,
    ): Promise<boolean> {
      const row = await transaction
        .selectFrom('organizations')
        .select('id')
        .where('id', '=', organizationId)
        .where('break_glass_user_id', '=', userId)
        .where('sign_in_required', '=', true)
        .executeTakeFirst();
      return row !== undefined;
    },

    async setRole(
      transaction: DatabaseTransaction,
      organizationId: string,
      userId: string,
      role: Role,
    ): Promise<void> {
      await transaction
        .updateTable('memberships')
        .set({ role })
        .where((eb) => eb.and(one(organizationId, userId)))
        .execute();
    },

    /** Of somebody who has no role in the organization as a whole, but grants in it. */
    async getPartialMember(
      transaction: DatabaseTransaction,
      organizationId: string,
      userId: string,
    ): Promise<{ userId: string; email: string; role: Role } | undefined> {
      const { rows } = await sql<{ userId: string; email: string; role: Role }>`
        select users.id as "userId", users.email, grants.role
        from grants join users on users.id = grants.subject_user_id
        where grants.organization_id = ${organizationId} and grants.subject_user_id = ${userId}
          and ${isGrantLive}
        order by array_position(array['viewer', 'member', 'admin'], grants.role) desc limit 1`.execute(
        transaction,
      );
      return rows[0];
    },

    /** All of a user's in the organization; how many there were. */
    async deleteGrants(
      transaction: DatabaseTransaction,
      organizationId: string,
      userId: string,
    ): Promise<number> {
      const { numDeletedRows } = await transaction
        .deleteFrom('grants')
        .where('organization_id', '=', organizationId)
        .where('subject_user_id', '=', userId)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },

    async deleteMember(
      transaction: DatabaseTransaction,
      organizationId: string,
      userId: string,
    ): Promise<void> {
      await transaction
        .deleteFrom('memberships')
        .where((eb) => eb.and(one(organizationId, userId)))
        .execute();
    },
  };
}
export type MembersRepository = ReturnType<typeof createMembersRepository>;
