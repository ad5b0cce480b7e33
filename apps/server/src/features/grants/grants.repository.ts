import { type Grant, type GrantRole, mayManageRole } from '@pult/contract';
import { type SqlBool, sql } from 'kysely';
import type { Scope } from '../../platform/access/index.ts';
import {
  groupPath,
  isGrantAtRoot,
  isGrantLive,
  strongestRole,
  wholeOrganizations,
} from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import {
  isPlaceVisible,
  placeColumns,
  placeGroup,
  placeQueries,
  type StoredPlace,
  toShownPlace,
} from './grant-places.repository.ts';

/** Whose grant it is. */
export interface GrantSubject {
  type: 'user' | 'service';
  id: string;
}

export interface NewGrant extends StoredPlace {
  id: string;
  organizationId: string;
  subject: GrantSubject;
  role: GrantRole;
  until: Date | null;
  grantedBy: string | null;
  createdAt: Date;
}

export interface GrantFilters {
  subject?: string | undefined;
  controller?: string | undefined;
  group?: string | undefined;
}

/** The row of `grants` is what somebody has given the subject at this very place. */
const isByHandAt = (organizationId: string, subject: GrantSubject, { groupId, controllerId }: StoredPlace) =>
  sql<SqlBool>`(grants.organization_id = ${organizationId} and grants.subject_user_id = ${subject.id}
    and grants.group_id is not distinct from ${groupId}::uuid
    and grants.controller_id is not distinct from ${controllerId}::uuid and grants.identity_id is null)`;

/** SQL of grants, as those see them who give them. What changes them holds the organization: see lockOrganization. */
export function createGrantsRepository(db: Database) {
  const isAt = (scope: Scope, organizationId: string) => isPlaceVisible('grants', scope, organizationId);

  const shown = (executor: Database, scope: Scope, organizationId: string) =>
    executor
      .selectFrom('grants')
      .innerJoin('users', 'users.id', 'grants.subject_user_id')
      .leftJoin('users as granters', 'granters.id', 'grants.granted_by')
      .leftJoin('groups as places', (join) => join.on(placeGroup('grants')))
      .select(['grants.id', 'grants.role', 'grants.ends_at as until', 'grants.created_at as createdAt'])
      .select('grants.identity_id as identityId')
      .select(['users.id as subjectId', 'users.email as name', 'users.kind'])
      .select(['granters.id as granterId', 'granters.email as grantedBy'])
      .select(({ eb }) =>
        eb
          .case()
          .when('users.kind', '=', 'service')
          .then(
            strongestRole(sql.ref('granters.id'), sql.ref('grants.organization_id'), {
              group: sql.ref('grants.group_id'),
              controller: sql.ref('grants.controller_id'),
            }),
          )
          .end()
          .as('granterRole'),
      )
      .select(placeColumns('grants'))
      .where('grants.organization_id', '=', organizationId)
      .where(isGrantLive)
      .where(sql<SqlBool>`(grants.group_id is null or places.id is not null)`)
      .where(isAt(scope, organizationId));
  type Row = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>;

  function toGrant(row: Row): Grant {
    const { subjectId: id, name, role, granterId, granterRole } = row;
    const type = row.kind === 'service' ? 'service' : 'user';
    // Nobody gave what a command on the server's machine has given.
    const isBacked = granterId === null || (granterRole !== null && mayManageRole(granterRole, role));
    return {
      id: row.id,
      subject: { type, id, name },
      scope: toShownPlace(row),
      role,
      isUnbacked: type === 'service' && !isBacked,
      ...(row.identityId === null ? {} : { isByProvider: true }),
      until: row.until?.toISOString() ?? null,
      grantedBy: row.grantedBy,
      createdAt: row.createdAt.toISOString(),
    };
  }

  /** Grants that reach a controller or a group: at it, or above. */
  function reaches({ controller, group }: GrantFilters, organizationId: string) {
    const own =
      controller === undefined
        ? undefined
        : sql`(
      select id from controllers where serial_number = ${controller} and organization_id = ${organizationId})`;
    const start = own
      ? sql`(select group_id from controllers where id = ${own})`
      : sql`${group ?? null}::uuid`;
    return sql<SqlBool>`(${isGrantAtRoot} or grants.controller_id = ${own ?? null}
      or grants.group_id = any(${groupPath(start, sql`${organizationId}::uuid`)}))`;
  }

  return {
    ...placeQueries(db),

    async list(scope: Scope, organizationId: string, filters: GrantFilters): Promise<Grant[]> {
      const { subject, controller, group } = filters;
      let query = shown(db, scope, organizationId);
      if (subject !== undefined) {
        query = query.where('grants.subject_user_id', '=', subject);
      }
      if (controller !== undefined || group !== undefined)
        query = query.where(reaches(filters, organizationId));
      const rows = await query.orderBy('users.kind').orderBy('users.email').orderBy('grants.id').execute();
      return rows.map(toGrant);
    },

    /** The roles of members, as grants at the root; for whoever has the whole organization in scope. */
    async listRoles(scope: Scope, organizationId: string, { subject }: GrantFilters): Promise<Grant[]> {
      const rows = await db
        .selectFrom('memberships')
        .innerJoin('users', 'users.id', 'memberships.user_id')
        .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
        .select(['users.id', 'users.email', 'memberships.role', 'memberships.joined_at as joinedAt'])
        .select('organizations.name')
        .where('memberships.organization_id', 'in', wholeOrganizations(scope, organizationId))
        .$if(subject !== undefined, (query) => query.where('users.id', '=', subject ?? ''))
        .orderBy('users.email')
        .execute();
      return rows.map(({ id, email, role, joinedAt, name }) => ({
        id: null,
        subject: { type: 'user', id, name: email },
        scope: { type: 'organization', id: organizationId, name, path: [] },
        role,
        until: null,
        grantedBy: null,
        createdAt: joinedAt.toISOString(),
        isUnbacked: false,
      }));
    },

    /**
     * Whether a user or a service account belongs to the organization, as far as the scope knows: of a part those who have
     * something in it. Nobody learns by an id whose it is.
     */
    async isKnown(
      transaction: DatabaseTransaction,
      scope: Scope,
      organizationId: string,
      { type, id }: GrantSubject,
    ): Promise<boolean> {
      const isWhole = sql`exists ${wholeOrganizations(scope, organizationId)}`;
      const kind = type === 'user' ? 'person' : type;
      const { rows } = await sql`
        select from users where id = ${id} and kind = ${kind} and ended_at is null and (
          exists (select from memberships
            where memberships.user_id = users.id and memberships.organization_id = ${organizationId} and ${isWhole})
          or (users.belongs_to = ${organizationId} and ${isWhole})
          or exists (select from grants
            where grants.subject_user_id = users.id and grants.organization_id = ${organizationId}
              and ${isGrantLive} and ${isAt(scope, organizationId)}))`.execute(transaction);
      return rows.length > 0;
    },

    /** The role of the subject's grant at this very place. */
    async findRoleAt(
      transaction: DatabaseTransaction,
      organizationId: string,
      subject: GrantSubject,
      place: StoredPlace,
    ): Promise<GrantRole | undefined> {
      const row = await transaction
        .selectFrom('grants')
        .select('role')
        .where(isByHandAt(organizationId, subject, place))
        .where(isGrantLive)
        .executeTakeFirst();
      return row?.role;
    },

    /** One that is over too: it would be in the way of another until the job has deleted it. */
    async deleteAt(
      transaction: DatabaseTransaction,
      organizationId: string,
      subject: GrantSubject,
      place: StoredPlace,
    ): Promise<void> {
      await transaction
        .deleteFrom('grants')
        .where(isByHandAt(organizationId, subject, place))
        .execute();
    },

    /** Without those that are over. */
    async count(
      transaction: DatabaseTransaction,
      organizationId: string,
      subject: GrantSubject,
    ): Promise<{ all: number; ofSubject: number }> {
      return transaction
        .selectFrom('grants')
        .select([
          sql<number>`count(*)::int`.as('all'),
          sql<number>`(count(*) filter (where subject_user_id = ${subject.id}))::int`.as('ofSubject'),
        ])
        .where('organization_id', '=', organizationId)
        .where(isGrantLive)
        .executeTakeFirstOrThrow();
    },

    async create(transaction: DatabaseTransaction, grant: NewGrant): Promise<void> {
      const { subject } = grant;
      await transaction
        .insertInto('grants')
        .values({
          id: grant.id,
          organization_id: grant.organizationId,
          subject_user_id: subject.id,
          group_id: grant.groupId,
          controller_id: grant.controllerId,
          role: grant.role,
          ends_at: grant.until,
          granted_by: grant.grantedBy,
          created_at: grant.createdAt,
        })
        .execute();
    },

    async get(
      executor: Database | DatabaseTransaction,
      scope: Scope,
      organizationId: string,
      id: string,
    ): Promise<Grant | undefined> {
      const row = await shown(executor, scope, organizationId).where('grants.id', '=', id).executeTakeFirst();
      return row && toGrant(row);
    },

    /** Where it is, as the tables name it. */
    getPlace: (scope: Scope, organizationId: string, id: string): Promise<StoredPlace | undefined> =>
      db
        .selectFrom('grants')
        .select(['group_id as groupId', 'controller_id as controllerId'])
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where(isAt(scope, organizationId))
        .executeTakeFirst(),

    async delete(transaction: DatabaseTransaction, organizationId: string, id: string): Promise<boolean> {
      const { numDeletedRows } = await transaction
        .deleteFrom('grants')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Of all organizations: what has ended, or whose group is gone for good. */
    async deleteEnded(): Promise<void> {
      await sql`delete from grants
        where not ${isGrantLive} or (group_id is not null
          and not exists (select from groups where groups.id = grants.group_id)
          and not exists (select from group_undos where group_undos.organization_id = grants.organization_id))`.execute(
        db,
      );
    },
  };
}
export type GrantsRepository = ReturnType<typeof createGrantsRepository>;
