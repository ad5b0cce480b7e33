import type { Role } from '@pult/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { groupPath, isGrantAtRoot, isGrantLive } from './scope.repository.ts';
import type { Scope } from './scope.ts';

/** Where in an organization a role is asked for. */
export type Part =
  /** The organization as a whole. */
  | 'root'
  /** Wherever in it they have the most. */
  | 'anywhere'
  | { groupId: string }
  | { controllerId: string };

/** The same, also as a statement names it. */
export type RolePlace =
  | Part
  /** The row of `controllers` of the statement. */
  | 'controller'
  /** As columns of the statement name it. */
  | { group: RawBuilder<unknown>; controller: RawBuilder<unknown> };

function isGrantFor(place: RolePlace, organizationId: RawBuilder<unknown>) {
  if (place === 'root') return isGrantAtRoot;
  if (place === 'anywhere') {
    return sql`(grants.group_id is null or exists (
      select from groups where groups.id = grants.group_id and groups.organization_id = grants.organization_id))`;
  }
  if (place === 'controller') {
    return sql`(${isGrantAtRoot} or grants.controller_id = controllers.id
      or grants.group_id = any(${groupPath(sql`controllers.group_id`, organizationId)}))`;
  }
  if ('groupId' in place) {
    return sql`(${isGrantAtRoot} or grants.group_id = any(${groupPath(sql`${place.groupId}`, organizationId)}))`;
  }
  const controller = 'controller' in place ? place.controller : sql`${place.controllerId}::uuid`;
  const ofController = sql`(select group_id from controllers where controllers.id = ${controller})`;
  const group = 'group' in place ? sql`coalesce(${place.group}, ${ofController})` : ofController;
  return sql`(${isGrantAtRoot} or grants.controller_id = ${controller}
    or grants.group_id = any(${groupPath(group, organizationId)}))`;
}

/**
 * The strongest of the roles that somebody has at a place, by membership or by grants; null for none. `user` is a value, or
 * a column of the statement.
 */
export function strongestRole(
  user: RawBuilder<unknown>,
  organizationId: RawBuilder<unknown>,
  place: RolePlace,
): RawBuilder<Role | null> {
  return sql<Role | null>`(
    select role from (
      select memberships.role from memberships
      where memberships.user_id = ${user} and memberships.organization_id = ${organizationId}
      union all
      select grants.role from grants
      where grants.subject_user_id = ${user} and grants.organization_id = ${organizationId} and ${isGrantLive}
        and ${isGrantFor(place, organizationId)}
    ) held
    order by array_position(array['viewer', 'member', 'admin', 'owner'], role) desc limit 1)`;
}

/** What the scope's user is at the row of `controllers`. Whatever is in scope is so by a role: there is one. */
export function roleAtController({ userId, hasGrants }: Scope): RawBuilder<Role> {
  const organizationId = sql.ref('controllers.organization_id');
  if (hasGrants) return strongestRole(sql`${userId}`, organizationId, 'controller').$castTo<Role>();
  return sql<Role>`(select memberships.role from memberships
    where memberships.user_id = ${userId} and memberships.organization_id = ${organizationId})`;
}

/** A role in a whole organization, or at a group and so at those under it. */
export interface GivenRole {
  /** Of the organization or the group. */
  placeId: string;
  role: Role;
}

/** All that the scope's user has, but for single controllers: few rows, by which a tree of thousands of groups is read. */
export async function listGivenRoles(db: Database, { userId, hasGrants }: Scope): Promise<GivenRole[]> {
  const granted = sql`union all
    select coalesce(grants.group_id, grants.organization_id), grants.role from grants
    where grants.subject_user_id = ${userId} and grants.controller_id is null and ${isGrantLive}`;
  const { rows } = await sql<GivenRole>`
    select memberships.organization_id as "placeId", memberships.role from memberships
    where memberships.user_id = ${userId} ${hasGrants ? granted : sql``}`.execute(db);
  return rows;
}
