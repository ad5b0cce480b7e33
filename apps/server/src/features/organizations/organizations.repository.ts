import type { Organization, Role } from '@pult/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { Actor } from '../../platform/http/principal.ts';
import { type RolePlace, strongestRole } from './roles.repository.ts';
import { isGrantLive } from './scope.repository.ts';

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

/** An organization with the roles that somebody has in it. */
export interface Standing {
  organization: Organization;
  /** Of the organization as a whole; null for whoever has only parts of it. */
  rootRole: Role | null;
  /** At the place that was asked for. */
  role: Role | null;
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
  const reachedBy = (actor: Actor, place: RolePlace, executor: Database = db) => {
    const user = sql`${actor.userId}`;
    const organizationId = sql.ref('organizations.id');
    const roleAt = (where: RolePlace) => strongestRole(user, organizationId, where);
    return executor
      .selectFrom('organizations')
      .select(shown)
      .select([
        roleAt('root').as('rootRole'),
        roleAt(place).as('role'),
        roleAt('anywhere').as('strongestRole'),
      ])
      .where(
        'organizations.id',
        'in',
        sql<string>`(
          select memberships.organization_id from memberships where memberships.user_id = ${user}
          union
          select grants.organization_id from grants
          where grants.subject_user_id = ${user} and ${isGrantLive})`,
      )
      .$if(actor.signedInto !== undefined, (query) =>
        query.where('organizations.id', '=', actor.signedInto ?? ''),
      );
  };
  /** Whoever has nothing but roles of members. */
  const joinedBy = ({ userId, signedInto }: Actor, executor: Database = db) =>
    executor
      .selectFrom('organizations')
      .innerJoin('memberships', 'memberships.organization_id', 'organizations.id')
      .select(shown)
      .select('memberships.role as rootRole')
      .where('memberships.user_id', '=', userId)
      .$if(signedInto !== undefined, (query) => query.where('organizations.id', '=', signedInto ?? ''));

  const toOrganization = (
    { closed = [] }: Actor,
    { signInRequired, ...row }: Omit<Organization, 'userRole'>,
  ): Omit<Organization, 'userRole'> =>
    signInRequired ? { ...row, signInRequired, isSignInMissing: closed.includes(row.id) } : row;

  const toStanding = (actor: Actor, row: Omit<Organization, 'userRole'> & { rootRole: Role }): Standing => {
    const { rootRole, ...organization } = row;
    const shownOrganization = { ...toOrganization(actor, organization), userRole: rootRole };
    return { organization: shownOrganization, rootRole, role: rootRole };
  };

  const toPartialStanding = (
    actor: Actor,
    row: Omit<Organization, 'userRole'> & {
      rootRole: Role | null;
      role: Role | null;
      strongestRole: Role | null;
    },
  ): Standing[] => {
    const { rootRole, role, strongestRole: strongest, ...organization } = row;
    const userRole = rootRole ?? strongest;
    // Of a group that was deleted: as good as none.
    if (userRole === null) return [];
    const isPartial = rootRole === null ? { isPartial: true as const } : {};
    const shownOrganization = { ...toOrganization(actor, organization), userRole, ...isPartial };
    return [{ organization: shownOrganization, rootRole, role }];
  };

  const mayHaveGrants = ({ hasGrants = true }: Actor) => hasGrants;

  return {
    async listOrganizations(actor: Actor): Promise<Organization[]> {
      const standings = mayHaveGrants(actor)
        ? (
            await reachedBy(actor, 'root').orderBy('organizations.name').orderBy('organizations.id').execute()
          ).flatMap((row) => toPartialStanding(actor, row))
        : (await joinedBy(actor).orderBy('organizations.name').orderBy('organizations.id').execute()).map(
            (row) => toStanding(actor, row),
          );
      return standings.map(({ organization }) => organization);
    },

    /** Undefined where they have nothing of it. */
    async getStanding(
      actor: Actor,
      id: string,
      place: RolePlace,
      transaction?: DatabaseTransaction,
    ): Promise<Standing | undefined> {
      if (!mayHaveGrants(actor)) {
        const row = await joinedBy(actor, transaction).where('organizations.id', '=', id).executeTakeFirst();
        return row && toStanding(actor, row);
      }
      const row = await reachedBy(actor, place, transaction)
        .where('organizations.id', '=', id)
        .executeTakeFirst();
      return row && toPartialStanding(actor, row)[0];
    },

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
