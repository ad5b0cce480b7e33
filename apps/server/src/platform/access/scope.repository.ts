import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { regardlessOfLogin, type Scope } from './scope.ts';

/** Grants end by the clock of the database, which all servers share. */
export const isGrantLive = sql<SqlBool>`(grants.ends_at is null or grants.ends_at > now())`;

/** On the whole organization. */
export const isGrantAtRoot = sql<SqlBool>`(grants.group_id is null and grants.controller_id is null)`;

/** The ids of a group and of all above it, as an array; of the organization that the group has to be of. */
export function groupPath(groupId: RawBuilder<unknown>, organizationId: RawBuilder<unknown>) {
  return sql<string[]>`array(
    with recursive path as (
      select own.id, own.parent_id from groups own where own.id = ${groupId} and own.organization_id = ${organizationId}
      union all
      select above.id, above.parent_id from groups above join path on above.id = path.parent_id
    ) select id from path)`;
}

/** Further conditions of a statement: the organization lets this login in. */
function andIsOpen(
  { withTotpOrganizations, signedInto, closed }: Scope,
  organizationId: RawBuilder<unknown>,
) {
  const totp = withTotpOrganizations
    ? sql``
    : sql`and not exists (
        select from organizations where organizations.id = ${organizationId} and organizations.totp_required)`;
  const confined = signedInto === undefined ? sql`` : sql`and ${organizationId} = ${signedInto}`;
  const open = closed.length === 0 ? sql`` : sql`and ${organizationId} <> all(${[...closed]}::uuid[])`;
  return sql`${totp} ${confined} ${open}`;
}

/** Of the rows of `grants` those of the scope. */
function grantsOf(scope: Scope) {
  const { userId, roles } = scope;
  return sql`grants.subject_user_id = ${userId} and grants.role = any(${[...roles]}) and ${isGrantLive}
    ${andIsOpen(scope, sql.ref('grants.organization_id'))}`;
}

/**
 * Subquery of the ids of the organizations that are in scope as a whole, for `where organization_id in …`, or of one if
 * it is.
 */
export function organizationsInScope(scope: Scope, organizationId?: string) {
  const one = organizationId === undefined ? sql`` : sql`and memberships.organization_id = ${organizationId}`;
  const open = andIsOpen(scope, sql.ref('memberships.organization_id'));
  const byRole = sql`
    select memberships.organization_id from memberships
    where memberships.user_id = ${scope.userId} and memberships.role = any(${[...scope.roles]}) ${one} ${open}`;
  if (!scope.hasGrants) return sql<string>`(${byRole})`;
  const ofOne = organizationId === undefined ? sql`` : sql`and grants.organization_id = ${organizationId}`;
  const byGrant = sql`
    select grants.organization_id from grants where ${grantsOf(scope)} and ${isGrantAtRoot} ${ofOne}`;
  return sql<string>`(${byRole} union ${byGrant})`;
}

/** Whether any organization is in scope as a whole; how its user has logged in is not asked for. */
export async function hasWholeOrganization(db: Database, scope: Scope): Promise<boolean> {
  const whole = organizationsInScope(regardlessOfLogin(scope));
  const { rows } = await sql`select from ${whole} as whole limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * The id of the organization, if it is in scope as a whole: one value, so that an index gives the order of a page. Where
 * there are grants, the id in any case: then a further condition keeps to the part.
 */
export function ofOrganization(scope: Scope, organizationId: string): RawBuilder<string> {
  return scope.hasGrants ? sql<string>`${organizationId}` : organizationsInScope(scope, organizationId);
}

/** Statement of the ids of the organizations of which something is in scope. */
export function organizationsTouched(scope: Scope) {
  const whole = organizationsInScope(scope);
  if (!scope.hasGrants) return sql<string>`${whole}`;
  return sql<string>`(${whole} union select grants.organization_id from grants where ${grantsOf(scope)})`;
}

/**
 * The row of `controllers` is in scope: its organization, a group above it, or itself. Looked up from the row to the
 * root, so for statements about single controllers.
 */
export function isControllerInScope(scope: Scope, organizationId?: string): RawBuilder<SqlBool> {
  const isWhole = sql<SqlBool>`controllers.organization_id in ${organizationsInScope(scope, organizationId)}`;
  if (!scope.hasGrants) return isWhole;
  return sql<SqlBool>`(${isWhole} or exists (
    select from grants
    where ${grantsOf(scope)} and grants.organization_id = controllers.organization_id
      and (grants.controller_id = controllers.id
        or grants.group_id = any(${groupPath(sql`controllers.group_id`, sql`controllers.organization_id`)}))))`;
}

/** The row of `groups` is in scope; as above. */
export function isGroupInScope(scope: Scope): RawBuilder<SqlBool> {
  const isWhole = sql<SqlBool>`groups.organization_id in ${organizationsInScope(scope)}`;
  if (!scope.hasGrants) return isWhole;
  return sql<SqlBool>`(${isWhole} or exists (
    select from grants
    where ${grantsOf(scope)} and grants.organization_id = groups.organization_id
      and grants.group_id = any(${groupPath(sql`groups.id`, sql`groups.organization_id`)})))`;
}

/** The same, looked up from the granted groups downwards: for statements about many. */
export function isGroupInPart(scope: Scope, organizationId?: string): RawBuilder<boolean> {
  const isWhole = sql<boolean>`groups.organization_id in ${organizationsInScope(scope, organizationId)}`;
  if (!scope.hasGrants) return isWhole;
  return sql<boolean>`(${isWhole} or groups.id in (${groupsGranted(scope, organizationId)}))`;
}

/** Granted groups with all under them: `visible (id, organization_id)`, part of a recursive statement. */
export function visibleGroups(scope: Scope, organizationId?: string) {
  const one = organizationId === undefined ? sql`` : sql`and grants.organization_id = ${organizationId}`;
  return sql`visible as (
    select granted.id, granted.organization_id from grants
    join groups granted on granted.id = grants.group_id and granted.organization_id = grants.organization_id
    where ${grantsOf(scope)} ${one}
    union
    select below.id, below.organization_id from groups below
    join visible on below.organization_id = visible.organization_id and below.parent_id = visible.id
  )`;
}

/** Statement of the ids of granted groups with all under them. */
function groupsGranted(scope: Scope, organizationId?: string) {
  return sql<string>`with recursive ${visibleGroups(scope, organizationId)} select id from visible`;
}

/** Statement of the ids of controllers that were granted themselves. */
export function controllersGranted(scope: Scope, organizationId?: string) {
  const one = organizationId === undefined ? sql`` : sql`and grants.organization_id = ${organizationId}`;
  return sql<string>`select grants.controller_id from grants
    where ${grantsOf(scope)} and grants.controller_id is not null ${one}`;
}

/** Statement of the ids of the groups above what was granted: the way to it, of which nothing but the name is shown. */
function groupsOnTheWay(scope: Scope, organizationId?: string) {
  const one = organizationId === undefined ? sql`` : sql`and grants.organization_id = ${organizationId}`;
  return sql<string>`with recursive way as (
    select own.id, own.parent_id from grants
    left join controllers on controllers.id = grants.controller_id
    join groups own on own.id = coalesce(grants.group_id, controllers.group_id)
      and own.organization_id = grants.organization_id
    where ${grantsOf(scope)} ${one}
    union
    select above.id, above.parent_id from groups above join way on above.id = way.parent_id
  ) select id from way`;
}

/** The row of `groups` is in scope, or on the way to what is. */
export function isGroupShown(scope: Scope, organizationId?: string): RawBuilder<SqlBool> {
  const isIn = isGroupInPart(scope, organizationId);
  if (!scope.hasGrants) return isIn;
  return sql<SqlBool>`(${isIn} or groups.id in (${groupsOnTheWay(scope, organizationId)}))`;
}

/** A place, by columns that name its group or its controller, is in scope; neither of them is the organization. */
export function isPlaceInScope(
  scope: Scope,
  organizationId: string,
  { group, controller }: { group: RawBuilder<unknown>; controller: RawBuilder<unknown> },
): RawBuilder<SqlBool> {
  const isWhole = sql<SqlBool>`${organizationId} in ${organizationsInScope(scope, organizationId)}`;
  if (!scope.hasGrants) return isWhole;
  return sql<SqlBool>`(${isWhole} or ${group} in (${groupsGranted(scope, organizationId)})
    or exists (select from controllers
      where controllers.id = ${controller} and ${isControllerAmong(scope, organizationId)}))`;
}

/** From so many controllers on, walking the order's own index finds a page of them sooner than sorting them all. */
const fewControllers = 2000;

/**
 * The scope with what is to be known of its part of one organization, or of all, before a statement about many rows.
 * What was looked at already stays as it is.
 */
export async function lookAtPart(db: Database, scope: Scope, organizationId?: string): Promise<Scope> {
  if (!scope.hasGrants || scope.part) return scope;
  const { rows } = await sql<{ isWhole: boolean; count: number }>`
    with recursive ${visibleGroups(scope, organizationId)}
    select exists ${organizationsInScope(scope, organizationId)} as "isWhole", coalesce(sum(change), 0)::int as count
    from visible join group_counts on group_counts.organization_id = visible.organization_id
      and group_counts.group_id = visible.id`.execute(db);
  const [{ isWhole, count } = { isWhole: true, count: 0 }] = rows;
  return { ...scope, part: { isWhole, isSmall: count < fewControllers } };
}

/** The row of `controllers` is in scope, for statements about many that are found by something else. */
export function isControllerAmong(scope: Scope, organizationId: string): RawBuilder<SqlBool> {
  const isWhole = sql<SqlBool>`controllers.organization_id in ${organizationsInScope(scope, organizationId)}`;
  if (!scope.hasGrants) return isWhole;
  return sql<SqlBool>`(${isWhole} or (controllers.organization_id = ${organizationId}
    and ${isControllerInPart(scope, organizationId)}))`;
}

/**
 * The rows of `controllers` in a part, for statements about many. A small part is gathered by its groups; otherwise the
 * rows are asked one by one, and the statement is free to take them in whatever order it needs.
 */
export function isControllerInPart(scope: Scope, organizationId?: string): RawBuilder<SqlBool> {
  const groups = groupsGranted(scope, organizationId);
  const own = controllersGranted(scope, organizationId);
  if (scope.part && !scope.part.isWhole && scope.part.isSmall) {
    return sql<SqlBool>`(controllers.group_id = any(array(${groups})) or controllers.id = any(array(${own})))`;
  }
  return sql<SqlBool>`(controllers.group_id in (${groups}) or controllers.id in (${own}))`;
}
