import type { Locale } from '@pult/contract';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';

/** A rule that has something to tell. */
export interface TellingRule {
  ruleId: string;
  what: 'lost' | 'recovered';
  minutes: number;
  groupId: string | null;
  groupName: string | null;
  organizationId: string;
  organizationName: string;
  hasWebhook: boolean;
}

export interface ToldController {
  serialNumber: string;
  description: string;
  groupId: string | null;
  groupName: string | null;
  lostAt: Date;
  recoveredAt: Date | null;
}

/** How many controllers of one group there are to tell of; without a group: of none. */
export interface ToldGroup {
  id: string | null;
  name: string | null;
  count: number;
}

/** Everything about losses is decided by one worker at a time, in one transaction. */
const lossesLock = 7_031_968;

/** SQL of what is lost and found again, of all organizations: the server itself looks, so there is no tenant scope. */
export const lossesRepository = {
  /** Until the transaction ends. */
  async lock(transaction: DatabaseTransaction): Promise<void> {
    await sql`select pg_advisory_xact_lock(${lossesLock})`.execute(transaction);
  },

  /**
   * Raises a notice of each controller that has been offline for as long as its rule says: that of the nearest group
   * at or above its own, or of the organization. One statement, however many are lost. Resolves to the organizations.
   */
  async raise(transaction: DatabaseTransaction, now: Date): Promise<string[]> {
    const { rows } = await sql<{ organizationId: string }>`
      with recursive covered as (
        select groups.id, coalesce(own.id, whole.id) as rule_id
        from groups
        left join notice_rules own on own.organization_id = groups.organization_id and own.group_id = groups.id
        left join notice_rules whole on whole.organization_id = groups.organization_id and whole.group_id is null
        where groups.parent_id is null
          and groups.organization_id in (select organization_id from notice_rules where enabled)
        union all
        select below.id, coalesce(own.id, covered.rule_id)
        from covered
        join groups above on above.id = covered.id
        join groups below on below.organization_id = above.organization_id and below.parent_id = above.id
        left join notice_rules own on own.organization_id = below.organization_id and own.group_id = below.id
      ), lost as (
        select controllers.id, controllers.organization_id, rule.id as rule_id,
          coalesce(controllers.last_seen_at, controllers.status_since) as lost_at
        from controllers
        left join covered on covered.id = controllers.group_id
        left join notice_rules whole
          on whole.organization_id = controllers.organization_id and whole.group_id is null
        join notice_rules rule on rule.id = case
          when controllers.group_id is null then whole.id else covered.rule_id end
        where controllers.organization_id in (select organization_id from notice_rules where enabled)
          and controllers.status = 'offline'
          and rule.enabled
          and controllers.status_since >= rule.losses_since
          and controllers.status_since <= ${now}::timestamptz - make_interval(mins => rule.minutes)
          and not exists (
            select from notices where notices.controller_id = controllers.id and notices.recovered_at is null)
        -- One that is being deleted right now is nobody's loss, and need not be waited for.
        for key share of controllers skip locked
      ), raised as (
        insert into notices (organization_id, controller_id, rule_id, lost_at, raised_at, untold)
        select organization_id, id, rule_id, lost_at, ${now}, 'lost' from lost
        on conflict do nothing
        returning organization_id
      )
      select distinct organization_id as "organizationId" from raised`.execute(transaction);
    return rows.map(({ organizationId }) => organizationId);
  },

  /** Ends the notices of controllers that are back. Whoever was not told of the loss is not told of its end either. */
  async recover(transaction: DatabaseTransaction, now: Date): Promise<string[]> {
    const { rows } = await sql<{ organizationId: string }>`
      with recovered as (
        update notices set recovered_at = ${now}, untold = case when notices.told_at is not null and exists (
            select from notice_rules where notice_rules.id = notices.rule_id and notice_rules.enabled
          ) then 'recovered' end
        from controllers
        where controllers.id = notices.controller_id and controllers.status = 'online'
          and notices.recovered_at is null
        returning notices.organization_id
      )
      select distinct organization_id as "organizationId" from recovered`.execute(transaction);
    return rows.map(({ organizationId }) => organizationId);
  },

  /** Those whose first untold notice is from `before` or earlier: what came after it goes into the same message. */
  async listTelling(transaction: DatabaseTransaction, before: Date): Promise<TellingRule[]> {
    const { rows } = await sql<TellingRule>`
      select rules.id as "ruleId", untold.what, rules.minutes, rules.group_id as "groupId",
        groups.name as "groupName", rules.organization_id as "organizationId",
        organizations.name as "organizationName", rules.webhook is not null as "hasWebhook"
      from (
        select rule_id, untold as what from notices
        where untold is not null and rule_id is not null
        group by rule_id, untold
        having min(case untold when 'lost' then raised_at else recovered_at end) <= ${before}
      ) untold
      join notice_rules rules on rules.id = untold.rule_id
      join organizations on organizations.id = rules.organization_id
      left join groups on groups.id = rules.group_id
      order by rules.id, untold.what`.execute(transaction);
    return rows;
  },

  /** The rule's members, in the languages of their mails. */
  listRecipients: (
    transaction: DatabaseTransaction,
    ruleId: string,
  ): Promise<{ email: string; locale: Locale }[]> =>
    transaction
      .selectFrom('notice_rule_members')
      .innerJoin('users', 'users.id', 'notice_rule_members.user_id')
      .select(['users.email', 'users.locale'])
      .where('notice_rule_members.rule_id', '=', ruleId)
      .orderBy('users.email')
      .execute(),

  /** The first of them, by group as it is now. */
  async listControllers(
    transaction: DatabaseTransaction,
    { ruleId, what }: TellingRule,
    limit: number,
  ): Promise<ToldController[]> {
    const { rows } = await sql<ToldController>`
      select controllers.serial_number as "serialNumber", controllers.description, groups.id as "groupId",
        groups.name as "groupName", notices.lost_at as "lostAt", notices.recovered_at as "recoveredAt"
      from notices
      join controllers on controllers.id = notices.controller_id
      left join groups on groups.id = controllers.group_id
      where notices.rule_id = ${ruleId} and notices.untold = ${what}
      order by groups.name nulls last, groups.id, controllers.serial_number
      limit ${limit}`.execute(transaction);
    return rows;
  },

  /** In the order of their controllers above. */
  async listGroups(transaction: DatabaseTransaction, { ruleId, what }: TellingRule): Promise<ToldGroup[]> {
    const { rows } = await sql<ToldGroup>`
      select groups.id, groups.name, count(*)::int as count
      from notices
      join controllers on controllers.id = notices.controller_id
      left join groups on groups.id = controllers.group_id
      where notices.rule_id = ${ruleId} and notices.untold = ${what}
      group by groups.id, groups.name
      order by groups.name nulls last, groups.id`.execute(transaction);
    return rows;
  },

  async markTold(
    transaction: DatabaseTransaction,
    { ruleId, what }: TellingRule,
    /** Null: the rule names nobody. */
    toldAt: Date | null,
  ): Promise<void> {
    await transaction
      .updateTable('notices')
      .set({ untold: null, ...(what === 'lost' ? { told_at: toldAt } : {}) })
      .where('rule_id', '=', ruleId)
      .where('untold', '=', what)
      .execute();
  },

  async deleteRecoveredBefore(transaction: DatabaseTransaction, time: Date): Promise<void> {
    await transaction.deleteFrom('notices').where('recovered_at', '<', time).execute();
  },
};
