import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { coveredGroups } from './covered-groups.repository.ts';

/** A rule with alerts whose firing or resolving is to be notified. */
export interface PendingRule {
  ruleId: string;
  change: 'fired' | 'resolved' | 'traffic';
  minutes: number;
  groupId: string | null;
  groupName: string | null;
  organizationId: string;
  organizationName: string;
}

export interface AlertedController {
  serialNumber: string;
  description: string;
  groupId: string | null;
  groupName: string | null;
  /** Null where the message is about traffic. */
  offlineSince: Date | null;
  resolvedAt: Date | null;
  /** Null where it is not. */
  bytes: number | null;
  budget: number | null;
}

/** How many controllers of one group a message is about; `id` null: those in no group. */
export interface AlertedGroup {
  id: string | null;
  name: string | null;
  count: number;
}

/** Alerts are evaluated by one worker at a time, in one transaction, and a rule is not changed meanwhile. */
const evaluationLock = 7_031_968;

/**
 * SQL of alerts that fire and resolve, of all organizations: the server itself evaluates, so there is no tenant scope. An
 * evaluation waits for no row: it holds alerts of many organizations, which a deletion that holds one of those would want next.
 */
export const offlineDetectionRepository = {
  /** Until the transaction ends. */
  async lock(transaction: DatabaseTransaction): Promise<void> {
    await sql`select pg_advisory_xact_lock(${evaluationLock})`.execute(transaction);
  },

  /**
   * Fires an alert for each controller that has been offline for as long as its rule says: that of the nearest group
   * at or above its own, or of the organization. One statement, however many are offline. Resolves to the organizations.
   */
  async fire(transaction: DatabaseTransaction, now: Date): Promise<string[]> {
    const { rows } = await sql<{ organizationId: string }>`
      with recursive ${coveredGroups(sql`select organization_id from alert_rules where enabled`)}, offline as (
        select controllers.id, controllers.organization_id, rule.id as rule_id,
          coalesce(controllers.last_seen_at, controllers.status_since) as offline_since
        from controllers
        left join covered on covered.id = controllers.group_id
        left join alert_rules whole
          on whole.organization_id = controllers.organization_id and whole.group_id is null
        join alert_rules rule on rule.id = case
          when controllers.group_id is null then whole.id else covered.rule_id end
        join organizations on organizations.id = controllers.organization_id
        where controllers.organization_id in (select organization_id from alert_rules where enabled)
          and controllers.status = 'offline'
          -- Its device was told to leave: nobody waits for it.
          and controllers.status_reason <> 'detached'
          and rule.enabled
          and controllers.status_since >= rule.effective_from
          and controllers.status_since <= ${now}::timestamptz - make_interval(mins => rule.minutes)
          and not exists (
            select from alerts
            where alerts.controller_id = controllers.id and alerts.kind = 'offline' and alerts.resolved_at is null)
        -- What is being deleted right now has no alert any more, and need not be waited for.
        for key share of controllers, rule, organizations skip locked
      ), fired as (
        insert into alerts (organization_id, controller_id, rule_id, offline_since, fired_at, pending)
        select organization_id, id, rule_id, offline_since, ${now}, 'fired' from offline
        on conflict do nothing
        returning organization_id
      )
      select distinct organization_id as "organizationId" from fired`.execute(transaction);
    return rows.map(({ organizationId }) => organizationId);
  },

  /**
   * Resolves the alerts of controllers that are back, or whose devices have left. Whoever was not notified of an alert is not notified of
   * its end either; nor is anybody that one is back which has left.
   */
  async resolve(transaction: DatabaseTransaction, now: Date): Promise<string[]> {
    const { rows } = await sql<{ organizationId: string }>`
      with back as (
        select alerts.id, controllers.status = 'online' as is_online from alerts
        join controllers on controllers.id = alerts.controller_id
        where (controllers.status = 'online' or controllers.status_reason = 'detached')
          and alerts.kind = 'offline' and alerts.resolved_at is null
        -- One whose controller is being deleted right now need not be waited for, nor stand in the way of it.
        for update of alerts skip locked
      ), resolved as (
        update alerts set resolved_at = ${now}, pending = case when back.is_online and alerts.notified_at is not null and exists (
            select from alert_rules where alert_rules.id = alerts.rule_id and alert_rules.enabled
          ) then 'resolved' end
        from back
        where alerts.id = back.id
        returning alerts.organization_id
      )
      select distinct organization_id as "organizationId" from resolved`.execute(transaction);
    return rows.map(({ organizationId }) => organizationId);
  },

  /** Those whose first pending alert is from `before` or earlier: what came after it goes into the same message. */
  async listPending(transaction: DatabaseTransaction, before: Date): Promise<PendingRule[]> {
    const { rows } = await sql<PendingRule>`
      select rules.id as "ruleId", pending.change, rules.minutes, rules.group_id as "groupId",
        groups.name as "groupName", rules.organization_id as "organizationId",
        organizations.name as "organizationName"
      from (
        select rule_id, pending as change from alerts
        where pending is not null and rule_id is not null
        group by rule_id, pending
        having min(case pending when 'resolved' then resolved_at else fired_at end) <= ${before}
      ) pending
      join alert_rules rules on rules.id = pending.rule_id
      join organizations on organizations.id = rules.organization_id
      left join groups on groups.id = rules.group_id
      order by rules.id, pending.change
      for key share of rules, organizations skip locked`.execute(transaction);
    return rows;
  },

  /** The first of them, by group as it is now. */
  async listControllers(
    transaction: DatabaseTransaction,
    { ruleId, change }: PendingRule,
    limit: number,
  ): Promise<AlertedController[]> {
    const { rows } = await sql<AlertedController>`
      select controllers.serial_number as "serialNumber", controllers.description, groups.id as "groupId",
        groups.name as "groupName", alerts.offline_since as "offlineSince", alerts.resolved_at as "resolvedAt",
        alerts.bytes::float8 as bytes, alerts.budget::float8 as budget
      from alerts
      join controllers on controllers.id = alerts.controller_id
      left join groups on groups.id = controllers.group_id
      where alerts.rule_id = ${ruleId} and alerts.pending = ${change}
      order by groups.name nulls last, groups.id, controllers.serial_number
      limit ${limit}`.execute(transaction);
    return rows;
  },

  /** In the order of their controllers above. */
  async listGroups(
    transaction: DatabaseTransaction,
    { ruleId, change }: PendingRule,
  ): Promise<AlertedGroup[]> {
    const { rows } = await sql<AlertedGroup>`
      select groups.id, groups.name, count(*)::int as count
      from alerts
      join controllers on controllers.id = alerts.controller_id
      left join groups on groups.id = controllers.group_id
      where alerts.rule_id = ${ruleId} and alerts.pending = ${change}
      group by groups.id, groups.name
      order by groups.name nulls last, groups.id`.execute(transaction);
    return rows;
  },

  async markNotified(
    transaction: DatabaseTransaction,
    { ruleId, change }: PendingRule,
    /** `at` null: the rule names nobody. */
    { at, isKept }: { at: Date | null; isKept: boolean },
  ): Promise<void> {
    await transaction
      .updateTable('alerts')
      .set({ pending: null, ...(change === 'resolved' ? {} : { notified_at: at, is_kept: isKept }) })
      .where('id', 'in', (alerts) =>
        alerts
          .selectFrom('alerts')
          .select('id')
          .where('rule_id', '=', ruleId)
          .where('pending', '=', change)
          .forUpdate()
          .skipLocked(),
      )
      .execute();
  },

  async deleteResolvedBefore(transaction: DatabaseTransaction, time: Date): Promise<void> {
    await transaction.deleteFrom('alerts').where('resolved_at', '<', time).execute();
  },
};
