import type { Role } from '@pult/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../platform/http/principal.ts';
import { groupPath, isGrantAtRoot, isGrantLive } from './scope.repository.ts';

/** Whose roles are asked for, as SQL: a value, or a column of the statement. One of the two. */
export interface RoleHolder {
  user?: RawBuilder<unknown>;
  service?: RawBuilder<unknown>;
}

export function holderOf({
  userId,
  serviceAccountId,
}: Pick<Actor, 'userId' | 'serviceAccountId'>): RoleHolder {
  return serviceAccountId === undefined ? { user: sql`${userId}` } : { service: sql`${serviceAccountId}` };
}

/** Where a role is asked for. */
export type RolePlace =
  /** The organization as a whole. */
  | 'root'
  /** Wherever in it they have the most. */
  | 'anywhere'
  /** The row of `controllers` of the statement. */
  | 'controller'
  | { groupId: string }
  | { controllerId: string }
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

/** The strongest of the roles that somebody has at a place, by membership or by grants; null for none. */
export function strongestRole(
  { user, service }: RoleHolder,
  organizationId: RawBuilder<unknown>,
  place: RolePlace,
): RawBuilder<Role | null> {
  const held = [];
  if (user) {
    held.push(sql`
      select memberships.role from memberships
      where memberships.user_id = ${user} and memberships.organization_id = ${organizationId}`);
  }
  const subject = user ? sql`grants.subject_user_id = ${user}` : sql`grants.subject_service_id = ${service}`;
  held.push(sql`
    select grants.role from grants
    where ${subject} and grants.organization_id = ${organizationId} and ${isGrantLive}
      and ${isGrantFor(place, organizationId)}`);
  return sql<Role | null>`(
    select role from (${sql.join(held, sql` union all `)}) held
    order by array_position(array['viewer', 'member', 'admin', 'owner'], role) desc limit 1)`;
}
