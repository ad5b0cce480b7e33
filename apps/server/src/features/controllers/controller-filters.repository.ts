import {
  type AtLeastFilter,
  atLeastFilters,
  type ChoiceFilter,
  type ChoiceOf,
  type ContainsFilter,
  choiceFilters,
  containsFilters,
  isSearchedField,
  type ListedUpdateStatus,
} from '@pult/contract';
import { type Expression, type SqlBool, sql } from 'kysely';
import {
  type Purpose,
  planControllers,
  type Scope,
  visibleControllers,
} from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';

/** The list's filters: ids match exactly, texts are a case-insensitive "contains", bounds are included. */
export interface ControllerFilters
  extends Partial<Record<ContainsFilter, string | undefined>>,
    Partial<{ [Name in ChoiceFilter]: readonly ChoiceOf<Name>[] | undefined }>,
    Partial<Record<`${AtLeastFilter}_min`, number | undefined>> {
  organization_id?: string | undefined;
  /** With all groups under them. */
  group_ids?: readonly string[] | undefined;
  ungrouped?: boolean | undefined;
  /** Exactly this one. */
  firmware?: string | undefined;
  firmware_known?: boolean | undefined;
  search?: string | undefined;
  /** Exactly one of these versions. */
  agent?: readonly string[] | undefined;
  offline_minutes_min?: number | undefined;
  agent_update?: readonly ListedUpdateStatus[] | undefined;
  latitude_min?: number | undefined;
  latitude_max?: number | undefined;
  longitude_min?: number | undefined;
  longitude_max?: number | undefined;
  located?: boolean | undefined;
}

/** So that the wildcards of `like` stand for themselves. */
export function escapePattern(value: string): string {
  return value.replace(/[\\%_]/g, '\\$&');
}

export function contains(column: Expression<unknown>, value: string): Expression<SqlBool> {
  return sql<SqlBool>`${column} ilike ${`%${escapePattern(value)}%`}`;
}

/** From 170 to -170 goes across 180°. */
function withinLongitudes(west: number, east: number): Expression<SqlBool> {
  return west <= east
    ? sql<SqlBool>`controllers.longitude between ${west} and ${east}`
    : sql<SqlBool>`(controllers.longitude >= ${west} or controllers.longitude <= ${east})`;
}

function groupsNamed(value: string): Expression<SqlBool> {
  const named = sql`select groups.id from groups where ${contains(sql.ref('groups.name'), value)}`;
  return sql<SqlBool>`controllers.group_id = any(array(${named}))`;
}

/** The groups and all under them, as an array. */
export function idsOfGroupsUnder(ids: readonly string[]): Expression<string[]> {
  return sql<string[]>`array(
    with recursive chosen as (
      select id, organization_id from groups where id = any(${[...ids]}::uuid[])
      union
      select below.id, below.organization_id from groups below
      join chosen on below.organization_id = chosen.organization_id and below.parent_id = chosen.id
    ) select id from chosen)`;
}

/** The first half is the order's index, which knows no case; the second tells versions apart that differ in it only. */
function isFirmware(version: string): Expression<SqlBool> {
  return sql<SqlBool>`(
    translate(lower(controllers.firmware_version), 'ё', 'е') collate "C" = translate(lower(${version}::text), 'ё', 'е') collate "C"
    and controllers.firmware_version = ${version})`;
}

/** As above. */
function isAgentOneOf(versions: readonly string[]): Expression<SqlBool> {
  return sql<SqlBool>`(
    translate(lower(controllers.agent_version), 'ё', 'е') collate "C" = any(array(
      select translate(lower(version), 'ё', 'е') collate "C" from unnest(${[...versions]}::text[]) as version))
    and controllers.agent_version = any(${[...versions]}::text[]))`;
}

/** By the index of the order by when controllers were last seen, in which those that are online come last, and those never seen are not. */
function isOfflineSince(minutes: number): Expression<SqlBool> {
  return sql<SqlBool>`controllers.seen_rank <= now() - make_interval(mins => ${minutes})`;
}

/** The text stands in one of the columns that are searched; a line of it each. */
function textContains(value: string): Expression<SqlBool> {
  return sql<SqlBool>`controllers.search_text like lower(${`%${escapePattern(value)}%`})`;
}

/** The text stands in one of the columns, or in the name of the group. */
export function mentions(text: string): Expression<SqlBool> {
  return sql<SqlBool>`(${textContains(text)} or ${groupsNamed(text)})`;
}

function isAtLeast(name: AtLeastFilter, least: number): Expression<SqlBool> {
  if (name !== 'month_traffic') return sql<SqlBool>`${sql.ref(`controllers.${name}`)} >= ${least}`;
  return sql<SqlBool>`exists (
    select from month_traffic
    where month_traffic.controller_id = controllers.id and month_traffic.bytes >= ${least})`;
}

function* conditions(filters: ControllerFilters): Generator<Expression<SqlBool>> {
  const { group_ids: groupIds, ungrouped, search } = filters;
  if (groupIds) yield sql<SqlBool>`controllers.group_id = any(${idsOfGroupsUnder(groupIds)})`;
  if (ungrouped !== undefined) {
    yield ungrouped
      ? sql<SqlBool>`controllers.group_id is null`
      : sql<SqlBool>`controllers.group_id is not null`;
  }
  for (const name of choiceFilters) {
    const chosen = filters[name];
    if (chosen) yield sql<SqlBool>`${sql.ref(`controllers.${name}`)} = any(${[...chosen]})`;
  }
  for (const name of containsFilters) {
    const value = filters[name];
    if (!value) continue;
    if (name === 'group_name') {
      yield groupsNamed(value);
      continue;
    }
    // For the index; which of the columns it was is looked at in what that finds.
    if (isSearchedField(name)) yield textContains(value);
    yield contains(sql.ref(`controllers.${name}`), value);
  }
  if (filters.firmware) yield isFirmware(filters.firmware);
  if (filters.firmware_known !== undefined) {
    yield filters.firmware_known
      ? sql<SqlBool>`controllers.firmware_version <> ''`
      : sql<SqlBool>`controllers.firmware_version = ''`;
  }
  if (filters.agent) yield isAgentOneOf(filters.agent);
  if (filters.offline_minutes_min !== undefined) yield isOfflineSince(filters.offline_minutes_min);
  if (search) yield mentions(search);
  if (filters.agent_update) {
    yield sql<SqlBool>`exists (
      select from agent_updates
      where agent_updates.controller_id = controllers.id and ${isListedUpdate}
        and agent_updates.status = any(${[...filters.agent_update]}))`;
  }
  for (const name of atLeastFilters) {
    const least = filters[`${name}_min`];
    if (least) yield isAtLeast(name, least);
  }
  const { latitude_min: south, latitude_max: north, longitude_min: west, longitude_max: east } = filters;
  if (south !== undefined || north !== undefined) {
    yield sql<SqlBool>`controllers.latitude between ${south ?? -90} and ${north ?? 90}`;
  }
  if (west !== undefined || east !== undefined) yield withinLongitudes(west ?? -180, east ?? 180);
  if (filters.located !== undefined) {
    yield filters.located
      ? sql<SqlBool>`controllers.latitude is not null`
      : sql<SqlBool>`controllers.latitude is null`;
  }
}

/** Under way, or ended without the version, which the agent has not got in another way since. */
export const isListedUpdate = sql<SqlBool>`(agent_updates.status <> 'done'
  and (agent_updates.finished_at is null or agent_updates.to_version <> controllers.agent_version))`;

/** What an order takes from beside the controllers. */
export interface Joins {
  withGroups?: boolean;
  withTraffic?: boolean;
}

interface Matching {
  purpose?: Purpose;
  joins?: Joins;
  /** False: with no statement before it for people with a part, where many such come in a row or the rows are locked. */
  isPlanned?: boolean;
}

/**
 * Scope and filters without a join that narrows: so an index can give the order of a page. With their groups or their
 * traffic only where the order asks for them: even a join that the database leaves out makes it look at rows instead of
 * the index alone.
 */
export async function matchingControllers(
  executor: Database,
  scope: Scope,
  filters: ControllerFilters,
  {
    purpose = 'all',
    joins: { withGroups = false, withTraffic = false } = {},
    isPlanned = true,
  }: Matching = {},
) {
  const organizationId = filters.organization_id || undefined;
  const plan = isPlanned ? await planControllers(executor, scope, organizationId) : undefined;
  const { ungrouped: isUngrouped } = filters;
  let query = executor
    .selectFrom('controllers')
    .where(visibleControllers(scope, { organizationId, purpose, isUngrouped, plan }))
    .$if(withGroups, (all) =>
      all.leftJoin('groups', (join) =>
        join
          .onRef('groups.id', '=', 'controllers.group_id')
          .onRef('groups.organization_id', '=', 'controllers.organization_id'),
      ),
    )
    .$if(withTraffic, (all) =>
      all.leftJoin('month_traffic', (join) =>
        join
          .onRef('month_traffic.controller_id', '=', 'controllers.id')
          .onRef('month_traffic.organization_id', '=', 'controllers.organization_id'),
      ),
    );
  for (const condition of conditions(filters)) query = query.where(condition);
  return query;
}
export type MatchingControllers = Awaited<ReturnType<typeof matchingControllers>>;
