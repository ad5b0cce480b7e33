import { type Locale, limits, type NoticeRule } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { organizationsInScope, type Scope } from '../../organizations/index.ts';
import { toWebhookResult } from '../webhooks/webhooks.repository.ts';

/** A rule with its webhook still encrypted. */
export interface EncryptedRule extends Omit<NoticeRule, 'webhook'> {
  webhook: Buffer | null;
  lastResult: NonNullable<NoticeRule['webhook']>['lastResult'];
}

interface RuleSettings {
  enabled: boolean;
  minutes: number;
  webhook: Buffer | null;
  lossesSince: Date;
}

/** SQL of the rules. Writers run in `OrganizationAccess.change`, one at a time in an organization. */
export function createRulesRepository(db: Database) {
  const rules = (executor: Database) =>
    executor
      .selectFrom('notice_rules')
      .leftJoin('groups', 'groups.id', 'notice_rules.group_id')
      .selectAll('notice_rules')
      .select('groups.name as groupName')
      // The organization's own first, then as people sort.
      .orderBy(sql`groups.name is not null`)
      .orderBy(sql`translate(lower(groups.name), 'ё', 'е') collate "C"`)
      .orderBy('notice_rules.id');
  type Row = Awaited<ReturnType<ReturnType<typeof rules>['executeTakeFirstOrThrow']>>;

  /** With who is told, and how each one's webhook went last. */
  async function complete(executor: Database, rows: readonly Row[]): Promise<EncryptedRule[]> {
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const members = await executor
      .selectFrom('notice_rule_members')
      .innerJoin('users', 'users.id', 'notice_rule_members.user_id')
      .select(['notice_rule_members.rule_id as ruleId', 'users.id as userId', 'users.email'])
      .where('notice_rule_members.rule_id', 'in', ids)
      .orderBy('users.email')
      .execute();
    const results = await executor
      .selectFrom('notice_webhooks')
      .distinctOn('rule_id')
      .selectAll()
      .where('rule_id', 'in', ids)
      .where('tried_at', 'is not', null)
      .orderBy('rule_id')
      .orderBy('tried_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    const lastResults = new Map(results.map((result) => [result.rule_id, toWebhookResult(result)]));
    return rows.map((row) => ({
      id: row.id,
      group: row.group_id === null ? null : { id: row.group_id, name: row.groupName ?? '' },
      enabled: row.enabled,
      minutes: row.minutes,
      members: members
        .filter(({ ruleId }) => ruleId === row.id)
        .map(({ userId, email }) => ({ userId, email })),
      webhook: row.webhook,
      lastResult: lastResults.get(row.id) ?? null,
      createdAt: row.created_at.toISOString(),
    }));
  }

  return {
    async list(scope: Scope, organizationId: string): Promise<EncryptedRule[]> {
      const rows = await rules(db)
        .where('notice_rules.organization_id', 'in', organizationsInScope(scope, organizationId))
        .limit(limits.noticeRulesPerOrganization)
        .execute();
      return complete(db, rows);
    },

    async get(
      executor: Database | DatabaseTransaction,
      organizationId: string,
      id: string,
    ): Promise<EncryptedRule | undefined> {
      const rows = await rules(executor)
        .where('notice_rules.organization_id', '=', organizationId)
        .where('notice_rules.id', '=', id)
        .execute();
      const [rule] = await complete(executor, rows);
      return rule;
    },

    async count(transaction: DatabaseTransaction, organizationId: string): Promise<number> {
      const { count } = await transaction
        .selectFrom('notice_rules')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return count;
    },

    async getGroupName(
      transaction: DatabaseTransaction,
      organizationId: string,
      groupId: string,
    ): Promise<string | undefined> {
      const row = await transaction
        .selectFrom('groups')
        .select('name')
        .where('organization_id', '=', organizationId)
        .where('id', '=', groupId)
        .executeTakeFirst();
      return row?.name;
    },

    /** False when the place has one already. */
    async create(
      transaction: DatabaseTransaction,
      rule: RuleSettings & { id: string; organizationId: string; groupId: string | null; createdAt: Date },
    ): Promise<boolean> {
      const row = await transaction
        .insertInto('notice_rules')
        .values({
          id: rule.id,
          organization_id: rule.organizationId,
          group_id: rule.groupId,
          enabled: rule.enabled,
          minutes: rule.minutes,
          losses_since: rule.lossesSince,
          webhook: rule.webhook,
          created_at: rule.createdAt,
        })
        .onConflict((conflict) => conflict.columns(['organization_id', 'group_id']).doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async update(
      transaction: DatabaseTransaction,
      id: string,
      { enabled, minutes, webhook, lossesSince }: RuleSettings,
    ): Promise<void> {
      await transaction
        .updateTable('notice_rules')
        .set({ enabled, minutes, webhook, losses_since: lossesSince })
        .where('id', '=', id)
        .execute();
    },

    async getLossesSince(transaction: DatabaseTransaction, id: string): Promise<Date> {
      const row = await transaction
        .selectFrom('notice_rules')
        .select('losses_since')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.losses_since;
    },

    /** False, and nobody is told, when one of them is no member. */
    async setMembers(
      transaction: DatabaseTransaction,
      organizationId: string,
      ruleId: string,
      userIds: readonly string[],
    ): Promise<boolean> {
      await transaction.deleteFrom('notice_rule_members').where('rule_id', '=', ruleId).execute();
      if (userIds.length === 0) return true;
      const { rows } = await sql`
        insert into notice_rule_members (rule_id, organization_id, user_id)
        select ${ruleId}, organization_id, user_id from memberships
        where organization_id = ${organizationId} and user_id = any(${[...userIds]}::uuid[])
        returning 1`.execute(transaction);
      return rows.length === userIds.length;
    },

    /** What it has raised and not told yet, nobody is told any more. */
    async silence(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction
        .updateTable('notices')
        .set({ untold: null })
        .where('rule_id', '=', id)
        .where('untold', 'is not', null)
        .execute();
    },

    async delete(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction.deleteFrom('notice_rules').where('id', '=', id).execute();
    },

    /** Those who are told, in the languages of their mails. */
    listRecipients: (ruleId: string): Promise<{ email: string; locale: Locale }[]> =>
      db
        .selectFrom('notice_rule_members')
        .innerJoin('users', 'users.id', 'notice_rule_members.user_id')
        .select(['users.email', 'users.locale'])
        .where('notice_rule_members.rule_id', '=', ruleId)
        .execute(),
  };
}
export type RulesRepository = ReturnType<typeof createRulesRepository>;
