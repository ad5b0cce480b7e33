import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { Scope } from './scope.ts';

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

/** A further one, of the rows of `grants`: of one organization. */
const andIsOf = (organizationId: string | undefined) =>
  organizationId === undefined ? sql`` : sql`and grants.organization_id = ${organizationId}`;

/**
 * Subquery of the ids of the organizations that are in scope as a whole, for `where organization_id in …`, or of one if
 * it is.
 */
export function wholeOrganizations(scope: Scope, organizationId?: string) {
  const one = organizationId === undefined ? sql`` : sql`and memberships.organization_id = ${organizationId}`;
  const open = andIsOpen(scope, sql.ref('memberships.organization_id'));
  const byRole = sql`
    select memberships.organization_id from memberships
    where memberships.user_id = ${scope.userId} and memberships.role = any(${[...scope.roles]}) ${one} ${open}`;
  if (!scope.hasGrants) return sql<string>`(${byRole})`;
  const byGrant = sql`
    select grants.organization_id from grants
    where ${grantsOf(scope)} and ${isGrantAtRoot} ${andIsOf(organizationId)}`;
  return sql<string>`(${byRole} union ${byGrant})`;
}

/** What was granted besides whole organizations, for sums by group. */
export function grantedParts(scope: Scope, organizationId?: string) {
  const one = andIsOf(organizationId);
  return {
    /** Granted groups with all under them: `granted (id, organization_id)`, part of a recursive statement. */
    groups: sql`granted as (
      select own.id, own.organization_id from grants
      join groups own on own.id = grants.group_id and own.organization_id = grants.organization_id
      where ${grantsOf(scope)} ${one}
      union
      select below.id, below.organization_id from groups below
      join granted on below.organization_id = granted.organization_id and below.parent_id = granted.id
    )`,
    /** Statement of the ids of controllers that were granted themselves. */
    controllers: sql<string>`select grants.controller_id from grants
      where ${grantsOf(scope)} and grants.controller_id is not null ${one}`,
  };
}

/** Statement of the ids of granted groups with all under them. */
const groupsGranted = (scope: Scope, organizationId: string | undefined) =>
  sql<string>`with recursive ${grantedParts(scope, organizationId).groups} select id from granted`;

/** Statement of the ids of the groups above what was granted: the way to it, of which nothing but the name is shown. */
const groupsOnTheWay = (scope: Scope, organizationId: string | undefined) =>
  sql<string>`with recursive way as (
    select own.id, own.parent_id from grants
    left join controllers on controllers.id = grants.controller_id
    join groups own on own.id = coalesce(grants.group_id, controllers.group_id)
      and own.organization_id = grants.organization_id
    where ${grantsOf(scope)} ${andIsOf(organizationId)}
    union
    select above.id, above.parent_id from groups above join way on above.id = way.parent_id
  ) select id from way`;

/** That a statement is about many rows: of all organizations, or of one. It decides how it is written, never what it shows. */
interface Many {
  organizationId?: string | undefined;
}

/**
 * The row of `groups` is in scope. Of one it is looked up from the row to the root, of many from the granted groups downwards, with those
 * on the way to what is in scope where that is asked for.
 */
export function visibleGroups(scope: Scope, many?: Many & { withWay?: boolean }): RawBuilder<boolean> {
  const { organizationId, withWay = false } = many ?? {};
  const isWhole = sql<boolean>`groups.organization_id in ${wholeOrganizations(scope, organizationId)}`;
  if (!scope.hasGrants) return isWhole;
  if (many) {
    const way = withWay ? sql`or groups.id in (${groupsOnTheWay(scope, organizationId)})` : sql``;
    return sql<boolean>`(${isWhole} or groups.id in (${groupsGranted(scope, organizationId)}) ${way})`;
  }
  return sql<boolean>`(${isWhole} or exists (
    select from grants
    where ${grantsOf(scope)} and grants.organization_id = groups.organization_id
      and grants.group_id = any(${groupPath(sql`groups.id`, sql`groups.organization_id`)})))`;
}

/**
 * What a statement about many controllers is for. A `page` wants a few rows of many: with the organization as a value the
 * database can estimate how many it has, and choose the index that is in order. For `all` that match the estimate changes
 * little, and asking for the membership apart would cost as much again, since every row would pass one more step.
 */
export type Purpose = 'page' | 'all';

interface ManyControllers extends Many {
  purpose?: Purpose;
  /** None but those without a group. */
  isUngrouped?: boolean | undefined;
  plan?: Plan | undefined;
}

/**
 * The row of `controllers` is in scope: its organization, a group above it, or itself. Of one it is looked up from the row to the root,
 * of many from what was granted downwards: a small part is gathered by its groups; otherwise the rows are asked one by
 * one, and the statement is free to take them in whatever order it needs.
 */
export function visibleControllers(scope: Scope, many?: ManyControllers): RawBuilder<SqlBool> {
  if (!many) {
    const isWhole = sql<SqlBool>`controllers.organization_id in ${wholeOrganizations(scope)}`;
    if (!scope.hasGrants) return isWhole;
    return sql<SqlBool>`(${isWhole} or exists (
      select from grants
      where ${grantsOf(scope)} and grants.organization_id = controllers.organization_id
        and (grants.controller_id = controllers.id
          or grants.group_id = any(${groupPath(sql`controllers.group_id`, sql`controllers.organization_id`)}))))`;
  }
  const { organizationId, purpose = 'all', plan } = many;
  const organizations = wholeOrganizations(scope, organizationId);
  if (scope.hasGrants && !(organizationId && plan?.isWhole)) return controllersOfParts(scope, many);
  if (!organizationId) return sql<SqlBool>`controllers.organization_id = any(array${organizations})`;
  return purpose === 'all'
    ? sql<SqlBool>`controllers.organization_id = ${organizations}`
    : sql<SqlBool>`(controllers.organization_id = ${organizationId} and exists ${organizations})`;
}

/** Organizations as wholes, and parts of others; or of one. */
function controllersOfParts(scope: Scope, { organizationId, isUngrouped, plan }: ManyControllers) {
  const organizations = wholeOrganizations(scope, organizationId);
  const isOne = organizationId && sql<SqlBool>`controllers.organization_id = ${organizationId}`;
  const isGathered = plan?.isWhole === false && (plan.isSmall || isUngrouped);
  const groups = groupsGranted(scope, organizationId);
  const own = grantedParts(scope, organizationId).controllers;
  // What is in no group can only have been granted by itself.
  const part = isUngrouped
    ? sql<SqlBool>`controllers.id = any(array(${own}))`
    : isGathered
      ? sql<SqlBool>`(controllers.group_id = any(array(${groups})) or controllers.id = any(array(${own})))`
      : sql<SqlBool>`(controllers.group_id in (${groups}) or controllers.id in (${own}))`;
  // Without the other alternative the indexes of groups, or of ids, give the rows.
  if (isGathered) return isOne ? sql<SqlBool>`(${isOne} and ${part})` : part;
  return isOne
    ? sql<SqlBool>`(${isOne} and (exists ${organizations} or ${part}))`
    : sql<SqlBool>`(controllers.organization_id = any(array${organizations}) or ${part})`;
}

/** What is to be known of a part of one organization, or of all, before a statement about many controllers is written. */
interface Plan {
  readonly isWhole: boolean;
  readonly isSmall: boolean;
}

/** From so many controllers on, walking the order's own index finds a page of them sooner than sorting them all. */
const fewControllers = 2000;

/** What was looked at already stays as it is for the call whose scope it is: it never widens what a statement shows. */
const plans = new WeakMap<Scope, Map<string | undefined, Promise<Plan>>>();

/** Undefined where no statement has to know. */
export async function planControllers(
  db: Database,
  scope: Scope,
  organizationId: string | undefined,
): Promise<Plan | undefined> {
  if (!scope.hasGrants) return undefined;
  const known = plans.get(scope) ?? new Map<string | undefined, Promise<Plan>>();
  plans.set(scope, known);
  const plan = known.get(organizationId) ?? lookAtPart(db, scope, organizationId);
  known.set(organizationId, plan);
  return plan;
}

async function lookAtPart(db: Database, scope: Scope, organizationId: string | undefined): Promise<Plan> {
  const { rows } = await sql<{ isWhole: boolean; count: number }>`
    with recursive ${grantedParts(scope, organizationId).groups}
    select exists ${wholeOrganizations(scope, organizationId)} as "isWhole", coalesce(sum(change), 0)::int as count
    from granted join group_counts on group_counts.organization_id = granted.organization_id
      and group_counts.group_id = granted.id`.execute(db);
  const [{ isWhole, count } = { isWhole: true, count: 0 }] = rows;
  return { isWhole, isSmall: count < fewControllers };
}

/** The only organization of which something is in scope: its indexes give every order. Undefined for several. */
export async function findOnlyOrganization(db: Database, scope: Scope): Promise<string | undefined> {
  const whole = wholeOrganizations(scope);
  const touched = scope.hasGrants
    ? sql`(${whole} union select grants.organization_id from grants where ${grantsOf(scope)})`
    : whole;
  const { rows } = await sql<{ id: string }>`
    select id from ${touched} as organizations (id) limit 2`.execute(db);
  return rows.length === 1 ? rows[0]?.id : undefined;
}
