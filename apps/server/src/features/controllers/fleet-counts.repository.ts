import type { ControllerStatus, StatusCounts } from '@pult/contract';
import { type Expression, type SqlBool, sql } from 'kysely';
import { grantedParts, type Scope, wholeOrganizations } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { type ControllerFilters, idsOfGroupsUnder } from './controller-filters.repository.ts';
import { groupRoots } from './group-roots.repository.ts';

/** Of a root group with all under it; of null, of no group. */
export interface RootCounts extends StatusCounts {
  groupId: string | null;
  groupName: string | null;
}

/** How the counts say that there is no group. */
const noGroup = '00000000-0000-0000-0000-000000000000';

const keptFilters: ReadonlySet<string> = new Set<keyof ControllerFilters>([
  'organization_id',
  'group_ids',
  'ungrouped',
  'status',
]);

/** Whether the counts that the database keeps tell how many match: they are by organization, group and status. */
export function isKept(filters: ControllerFilters): boolean {
  return Object.entries(filters).every(
    ([name, value]) => keptFilters.has(name) || value === undefined || value === '',
  );
}

/**
 * The counts in scope. Of a part they are those of its groups, and each controller by itself that was granted itself and
 * is in none of them.
 */
function countsInScope(scope: Scope, { organization_id: id }: ControllerFilters, isByGroup: boolean) {
  const organizationId = id || undefined;
  const organizations = wholeOrganizations(scope, organizationId);
  if (!scope.hasGrants) {
    return sql`(
      select * from ${sql.table(isByGroup ? 'group_counts' : 'organization_counts')}
      where organization_id = any(array${organizations})
    ) as counts`;
  }
  const isOutside = (table: string) =>
    sql`not (${sql.ref(`${table}.organization_id`)} = any(array${organizations}))`;
  const granted = grantedParts(scope, organizationId);
  return sql`(
    with recursive ${granted.groups}
    select organization_id, group_id, status, change from group_counts
    where organization_id = any(array${organizations})
    union all
    select of_group.organization_id, of_group.group_id, of_group.status, of_group.change
    from granted join group_counts of_group
      on of_group.organization_id = granted.organization_id and of_group.group_id = granted.id
    where ${isOutside('of_group')}
    union all
    select own.organization_id, coalesce(own.group_id, ${noGroup}), own.status, 1 from controllers own
    where own.id = any(array(${granted.controllers})) and ${isOutside('own')}
      and not exists (select from granted where granted.id = own.group_id)
  ) as counts`;
}

function* conditions(filters: ControllerFilters): Generator<Expression<SqlBool>> {
  const { group_ids: groupIds, ungrouped, status } = filters;
  yield sql<SqlBool>`true`;
  if (groupIds) yield sql<SqlBool>`group_id = any(${idsOfGroupsUnder(groupIds)})`;
  if (ungrouped !== undefined) {
    yield ungrouped ? sql<SqlBool>`group_id = ${noGroup}` : sql<SqlBool>`group_id <> ${noGroup}`;
  }
  if (status) yield sql<SqlBool>`status = any(${[...status]})`;
}

/**
 * SQL of how many controllers there are. The database keeps these figures with every statement that writes controllers
 * (migration 0004): as changes, whose sum is the count at any moment. Only for filters that are kept.
 */
export function createFleetCounts(db: Database) {
  return {
    async countByStatus(scope: Scope, filters: ControllerFilters): Promise<Map<ControllerStatus, number>> {
      const isByGroup = filters.group_ids !== undefined || filters.ungrouped !== undefined;
      const { rows } = await sql<{ status: ControllerStatus; count: number }>`
        select status, sum(change)::int as count from ${countsInScope(scope, filters, isByGroup)}
        where ${sql.join([...conditions(filters)], sql` and `)} group by status`.execute(db);
      return new Map(rows.map(({ status, count }) => [status, count]));
    },

    /** Of the whole installation. */
    async countAll(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select coalesce(sum(change), 0)::int as count from organization_counts`.execute(db);
      return rows[0]?.count ?? 0;
    },

    /** Of the whole installation. */
    async countAllByStatus(): Promise<Map<ControllerStatus, number>> {
      const { rows } = await sql<{ status: ControllerStatus; count: number }>`
        select status, sum(change)::int as count from organization_counts group by status`.execute(db);
      return new Map(rows.map(({ status, count }) => [status, count]));
    },

    /** Of each group by itself. */
    async countByGroup(scope: Scope, filters: ControllerFilters): Promise<Map<string, number>> {
      const { rows } = await sql<{ groupId: string; count: number }>`
        select group_id as "groupId", sum(change)::int as count from ${countsInScope(scope, filters, true)}
        where ${sql.join([...conditions(filters)], sql` and `)} and group_id <> ${noGroup}
        group by group_id having sum(change) > 0`.execute(db);
      return new Map(rows.map(({ groupId, count }) => [groupId, count]));
    },

    /** Of each root group that has controllers, and of no group; those with most offline first. */
    async countByRoot(scope: Scope, organizationId: string): Promise<RootCounts[]> {
      const of = (status: ControllerStatus) =>
        sql`coalesce(sum(change) filter (where status = ${status}), 0)::int`;
      const { rows } = await sql<RootCounts>`
        with recursive ${groupRoots(organizationId)}
        select roots.root as "groupId", roots.name as "groupName", sum(change)::int as count,
          ${of('online')} as "countOnline", ${of('offline')} as "countOffline", ${of('never')} as "countNever"
        from ${countsInScope(scope, { organization_id: organizationId }, true)}
        left join roots on roots.id = counts.group_id
        group by 1, 2 having sum(change) > 0
        order by "countOffline" desc, count desc, 2`.execute(db);
      return rows;
    },

    /** Adds up the pending changes. Whoever reads meanwhile sees them as they were, or their sums. */
    async compact(): Promise<void> {
      await sql`
        with pending as (
          select organization_id, status from organization_counts group by 1, 2 having count(*) > 1
        ), taken as (
          delete from organization_counts using pending
          where organization_counts.organization_id = pending.organization_id
            and organization_counts.status = pending.status
          returning organization_counts.*
        )
        insert into organization_counts
          select organization_id, status, sum(change) from taken group by 1, 2 having sum(change) <> 0`.execute(
        db,
      );
      await sql`
        with pending as (
          select organization_id, group_id, status from group_counts group by 1, 2, 3 having count(*) > 1
        ), taken as (
          delete from group_counts using pending
          where group_counts.organization_id = pending.organization_id
            and group_counts.group_id = pending.group_id and group_counts.status = pending.status
          returning group_counts.*
        )
        insert into group_counts
          select organization_id, group_id, status, sum(change) from taken group by 1, 2, 3
          having sum(change) <> 0`.execute(db);
    },
  };
}
