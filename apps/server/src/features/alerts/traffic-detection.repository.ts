import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { coveredGroups } from './covered-groups.repository.ts';

/** Those that have a budget anywhere: of most there is nothing to evaluate. */
const budgeted = sql`
  select organization_id from groups where traffic_budget is not null
  union select organization_id from controllers where traffic_budget is not null`;

/**
 * SQL of alerts about budgets of traffic, of all organizations: the server itself evaluates, so there is no tenant scope. Like
 * those about offline controllers they wait for no row, and are evaluated by one worker at a time.
 */
export const trafficDetectionRepository = {
  /**
   * Fires an alert for each controller that has moved 80 or 100 % of its nearest budget in this month, once for each of the two.
   * Where no rule counts it is in the list and notifies nobody; a rule that is switched off keeps it out. One statement, however
   * many there are. Resolves to the organizations.
   */
  async fire(transaction: DatabaseTransaction, now: Date): Promise<string[]> {
    const { rows } = await sql<{ organizationId: string }>`
      with recursive ${coveredGroups(budgeted)}, rules as (
        -- One that is being deleted right now notifies nobody any more, and need not be waited for.
        select id, enabled from alert_rules where organization_id in (${budgeted}) for key share skip locked
      ), near as (
        select controllers.id, controllers.organization_id, rules.id as rule_id, month_traffic.bytes, counting.budget, level.kind
        from month_traffic
        join controllers on controllers.id = month_traffic.controller_id
        left join covered on covered.id = controllers.group_id
        left join alert_rules whole
          on whole.organization_id = controllers.organization_id and whole.group_id is null
        left join rules on rules.id = case
          when controllers.group_id is null then whole.id else covered.rule_id end
        join organizations on organizations.id = controllers.organization_id
        cross join lateral (select coalesce(controllers.traffic_budget, covered.budget) as budget) counting
        cross join lateral (
          select case when month_traffic.bytes >= counting.budget then 'traffic_100' else 'traffic_80' end as kind) level
        where month_traffic.organization_id in (${budgeted})
          and month_traffic.bytes * 5 >= counting.budget * 4
          and rules.enabled is not false
          -- Here, so that of a fleet that is over its budgets only what is new is locked.
          and not exists (
            select from alerts
            where alerts.controller_id = controllers.id and alerts.kind = level.kind and alerts.resolved_at is null)
        for key share of controllers, organizations skip locked
      ), fired as (
        insert into alerts (organization_id, controller_id, rule_id, kind, bytes, budget, fired_at, pending)
        select organization_id, id, rule_id, kind, bytes, budget, ${now}, case when rule_id is not null then 'traffic' end
        from near
        on conflict do nothing
        returning organization_id
      )
      select distinct organization_id as "organizationId" from fired`.execute(transaction);
    return rows.map(({ organizationId }) => organizationId);
  },

  /** Resolves those whose month is over or whose budget is larger or gone. A new month is no news: nobody is notified. */
  async resolve(transaction: DatabaseTransaction, now: Date): Promise<string[]> {
    const { rows } = await sql<{ organizationId: string }>`
      with recursive ${coveredGroups(budgeted)}, past as (
        select alerts.id from alerts
        join controllers on controllers.id = alerts.controller_id
        left join month_traffic on month_traffic.controller_id = controllers.id
        left join covered on covered.id = controllers.group_id
        where alerts.kind <> 'offline' and alerts.resolved_at is null
          and (month_traffic.bytes * 100 >= coalesce(controllers.traffic_budget, covered.budget)
            * case alerts.kind when 'traffic_80' then 80 else 100 end) is not true
        for update of alerts skip locked
      ), resolved as (
        update alerts set resolved_at = ${now}, pending = null from past where alerts.id = past.id
        returning alerts.organization_id
      )
      select distinct organization_id as "organizationId" from resolved`.execute(transaction);
    return rows.map(({ organizationId }) => organizationId);
  },
};
