import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';

/** Rules of deleted groups with all that goes with them, as rows of their tables. */
export type KeptRules = Readonly<
  Record<'rules' | 'members' | 'channels' | 'deliveries' | 'alerts', unknown[]>
>;

/** SQL of the rules that a deleted group takes along, and brings back with it. */
export const keptRulesRepository = {
  /** To be read before the groups are deleted. What still waits to be sent is not kept: it is of no use to anybody. */
  async read(
    transaction: DatabaseTransaction,
    organizationId: string,
    groupIds: readonly string[],
  ): Promise<KeptRules> {
    const { rows } = await sql<KeptRules>`
      with rules as (
        select * from alert_rules where organization_id = ${organizationId} and group_id = any(${[...groupIds]}::uuid[])
        for update
      ), own as (select id from rules)
      select
        (select coalesce(jsonb_agg(rules), '[]') from rules) as rules,
        (select coalesce(jsonb_agg(m), '[]') from alert_rule_members m where rule_id in (select id from own)) as members,
        (select coalesce(jsonb_agg(c), '[]') from alert_rule_channels c where rule_id in (select id from own)) as channels,
        (select coalesce(jsonb_agg(d), '[]') from deliveries d
          where rule_id in (select id from own) and status <> 'waiting') as deliveries,
        (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'rule_id', rule_id)), '[]') from alerts
          where rule_id in (select id from own)) as alerts`.execute(transaction);
    return rows[0] ?? { rules: [], members: [], channels: [], deliveries: [], alerts: [] };
  },

  /** Their groups are there again. Who has left the organization meanwhile is notified no more. */
  async restore(transaction: DatabaseTransaction, kept: KeptRules): Promise<void> {
    const rowsOf = (name: keyof KeptRules) => sql`${JSON.stringify(kept[name])}::jsonb`;
    await sql`insert into alert_rules select * from jsonb_populate_recordset(null::alert_rules, ${rowsOf('rules')})`.execute(
      transaction,
    );
    await sql`insert into alert_rule_members
      select m.* from jsonb_populate_recordset(null::alert_rule_members, ${rowsOf('members')}) m
      join memberships on memberships.organization_id = m.organization_id and memberships.user_id = m.user_id
      for key share of memberships`.execute(transaction);
    await sql`insert into alert_rule_channels
      select * from jsonb_populate_recordset(null::alert_rule_channels, ${rowsOf('channels')})`.execute(
      transaction,
    );
    await sql`insert into deliveries
      select * from jsonb_populate_recordset(null::deliveries, ${rowsOf('deliveries')})`.execute(transaction);
    await sql`update alerts set rule_id = kept.rule_id
      from jsonb_to_recordset(${rowsOf('alerts')}) as kept (id uuid, rule_id uuid)
      where alerts.id = kept.id and alerts.rule_id is null`.execute(transaction);
  },
};
