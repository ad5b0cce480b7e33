import { type RawBuilder, sql } from 'kysely';

/**
 * `covered`, part of a recursive statement: for each group of those organizations the rule that counts there, its own or that
 * of the first group above that has one or the organization's, and likewise the budget of traffic.
 */
export function coveredGroups(organizations: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`covered as (
    select groups.id, coalesce(own.id, whole.id) as rule_id, groups.traffic_budget as budget
    from groups
    left join alert_rules own on own.organization_id = groups.organization_id and own.group_id = groups.id
    left join alert_rules whole on whole.organization_id = groups.organization_id and whole.group_id is null
    where groups.parent_id is null and groups.organization_id in (${organizations})
    union all
    select below.id, coalesce(own.id, covered.rule_id), coalesce(below.traffic_budget, covered.budget)
    from covered
    join groups above on above.id = covered.id
    join groups below on below.organization_id = above.organization_id and below.parent_id = above.id
    left join alert_rules own on own.organization_id = below.organization_id and own.group_id = below.id
  )`;
}
