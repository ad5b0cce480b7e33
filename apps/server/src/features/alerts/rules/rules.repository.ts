import { type AlertRule, type Locale, limits } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { organizationsInScope, type Scope } from '../../organizations/index.ts';
import { toWebhookResult } from '../webhooks/webhooks.repository.ts';

/** A rule with its webhook still encrypted. */
export interface EncryptedRule extends Omit<AlertRule, 'webhook'> {
  webhook: Buffer | null;
  lastResult: NonNullable<AlertRule['webhook']>['lastResult'];
}

interface RuleSettings {
  enabled: boolean;
  minutes: number;
  webhook: Buffer | null;
  effectiveFrom: Date;
}

/** SQL of the rules. Writers run in `OrganizationAccess.change`, one at a time in an organization. */
export function createRulesRepository(db: Database) {
  const rules = (executor: Database) =>
    executor
      .selectFrom('alert_rules')
      .leftJoin('groups', 'groups.id', 'alert_rules.group_id')
      .selectAll('alert_rules')
      .select('groups.name as groupName')
      // The organization's own first, then as people sort.
      .orderBy(sql`groups.name is not null`)
      .orderBy(sql`translate(lower(groups.name), 'ё', 'е') collate "C"`)
      .orderBy('alert_rules.id');
  type Row = Awaited<ReturnType<ReturnType<typeof rules>['executeTakeFirstOrThrow']>>;

  /** With its members, and how each one's webhook went last. */
  async function complete(executor: Database, rows: readonly Row[]): Promise<EncryptedRule[]> {
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const members = await executor
      .selectFrom('alert_rule_members')
      .innerJoin('users', 'users.id', 'alert_rule_members.user_id')
      .select(['alert_rule_members.rule_id as ruleId', 'users.id as userId', 'users.email'])
      .where('alert_rule_members.rule_id', 'in', ids)
      .orderBy('users.email')
      .execute();
    const results = await executor
      .selectFrom('alert_webhooks')
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
        .where('alert_rules.organization_id', 'in', organizationsInScope(scope, organizationId))
        .limit(limits.alertRulesPerOrganization)
        .execute();
      return complete(db, rows);
    },

    async get(
      executor: Database | DatabaseTransaction,
      organizationId: string,
      id: string,
    ): Promise<EncryptedRule | undefined> {
      const rows = await rules(executor)
        .where('alert_rules.organization_id', '=', organizationId)
        .where('alert_rules.id', '=', id)
        .execute();
      const [rule] = await complete(executor, rows);
      return rule;
    },

    async count(transaction: DatabaseTransaction, organizationId: string): Promise<number> {
      const { count } = await transaction
        .selectFrom('alert_rules')
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
        .insertInto('alert_rules')
        .values({
          id: rule.id,
          organization_id: rule.organizationId,
          group_id: rule.groupId,
          enabled: rule.enabled,
          minutes: rule.minutes,
          effective_from: rule.effectiveFrom,
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
      { enabled, minutes, webhook, effectiveFrom }: RuleSettings,
    ): Promise<void> {
      await transaction
        .updateTable('alert_rules')
        .set({ enabled, minutes, webhook, effective_from: effectiveFrom })
        .where('id', '=', id)
        .execute();
    },

    async getEffectiveFrom(transaction: DatabaseTransaction, id: string): Promise<Date> {
      const row = await transaction
        .selectFrom('alert_rules')
        .select('effective_from')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return row.effective_from;
    },

    /** False, and none is set, when one of them is no member. */
    async setMembers(
      transaction: DatabaseTransaction,
      organizationId: string,
      ruleId: string,
      userIds: readonly string[],
    ): Promise<boolean> {
      await transaction.deleteFrom('alert_rule_members').where('rule_id', '=', ruleId).execute();
      if (userIds.length === 0) return true;
      const { rows } = await sql`
        insert into alert_rule_members (rule_id, organization_id, user_id)
        select ${ruleId}, organization_id, user_id from memberships
        where organization_id = ${organizationId} and user_id = any(${[...userIds]}::uuid[])
        returning 1`.execute(transaction);
      return rows.length === userIds.length;
    },

    /** Drops the notifications that its alerts still wait for. */
    async cancelPending(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction
        .updateTable('alerts')
        .set({ pending: null })
        .where('rule_id', '=', id)
        .where('pending', 'is not', null)
        .execute();
    },

    async delete(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction.deleteFrom('alert_rules').where('id', '=', id).execute();
    },

    /** Those who are notified, in the languages of their mails. */
    listRecipients: (ruleId: string): Promise<{ email: string; locale: Locale }[]> =>
      db
        .selectFrom('alert_rule_members')
        .innerJoin('users', 'users.id', 'alert_rule_members.user_id')
        .select(['users.email', 'users.locale'])
        .where('alert_rule_members.rule_id', '=', ruleId)
        .execute(),
  };
}
export type RulesRepository = ReturnType<typeof createRulesRepository>;
