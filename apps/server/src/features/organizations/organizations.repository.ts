import type { Organization, Role } from '@pult/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isGrantLive, lockOrganization, strongestRole, toPlaceAccess } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { Actor } from '../../platform/http/principal.ts';

/**
 * Whether the organization of a row wants a second factor that its user lacks; of the tables `organizations` and `users` of
 * the query. `isTotpEnabled` is TOTP_AUTH_ENABLED: without it no organization's wish for one counts. It is a wish about people.
 * `sessionId` names the login, for whose second factor a provider may vouch.
 */
export function lacksSecondFactor(isTotpEnabled: boolean, sessionId: RawBuilder<unknown>) {
  return sql<SqlBool>`(${isTotpEnabled}::boolean and organizations.totp_required
    and users.totp_secret is null and users.kind = 'person'
    and not exists (select from sessions as login where login.id = ${sessionId} and login.has_second_factor))`;
}

/** SQL of organizations and their members. */
export function createOrganizationsRepository(db: Database) {
  const shown = [
    'organizations.id',
    'organizations.name',
    'organizations.totp_required as totpRequired',
    'organizations.sign_in_required as signInRequired',
  ] as const;
  /** With the organizations that require TOTP: whoever reads one decides. */
  const reachedBy = ({ userId, signedInto, hasGrants = true }: Actor) => {
    const user = sql`${userId}`;
    const organizationId = sql.ref('organizations.id');
    const membership = sql<Role>`(select memberships.role from memberships
      where memberships.user_id = ${user} and memberships.organization_id = ${organizationId})`;
    const joined = sql`select memberships.organization_id from memberships where memberships.user_id = ${user}`;
    const granted = sql`union select grants.organization_id from grants
      where grants.subject_user_id = ${user} and ${isGrantLive}`;
    const roleAt = (at: 'root' | 'anywhere') =>
      hasGrants ? strongestRole(user, organizationId, at) : membership.$castTo<Role | null>();
    return db
      .selectFrom('organizations')
      .select(shown)
      .select([roleAt('root').as('rootRole'), roleAt('anywhere').as('strongestRole')])
      .where('organizations.id', 'in', sql<string>`(${joined} ${hasGrants ? granted : sql``})`)
      .$if(signedInto !== undefined, (query) => query.where('organizations.id', '=', signedInto ?? ''));
  };

  return {
    async listOrganizations(actor: Actor): Promise<Organization[]> {
      const rows = await reachedBy(actor).orderBy('organizations.name').orderBy('organizations.id').execute();
      return rows.flatMap(({ rootRole, strongestRole: strongest, ...organization }) => {
        const held = { rootRole, role: rootRole, strongestRole: strongest };
        return toPlaceAccess(actor, { organization, ...held })?.organization ?? [];
      });
    },

    lockOrganization,

    /** Nothing may be added to it either until the transaction ends; whatever was being added is there. */
    async lockForDeletion(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().execute();
    },

    async areGuestsAllowed(id: string, transaction?: DatabaseTransaction): Promise<boolean> {
      const row = await (transaction ?? db)
        .selectFrom('organizations')
        .select('guests_allowed')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.guests_allowed ?? false;
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
      { name, totpRequired, guestsAllowed }: { name: string; totpRequired: boolean; guestsAllowed: boolean },
    ): Promise<void> {
      await transaction
        .updateTable('organizations')
        .set({ name, totp_required: totpRequired, guests_allowed: guestsAllowed })
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
