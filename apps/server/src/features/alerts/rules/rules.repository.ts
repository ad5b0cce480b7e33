import { type AlertRule, alertMessageTypes, type DeliveryResult, limits } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleGroups, wholeOrganizations } from '../../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { StoredDelivery } from '../../../platform/delivery/index.ts';
import { toFailureReason } from '../../../platform/webhooks/index.ts';
import { offlineDetectionRepository } from '../offline-detection.repository.ts';

/** A rule without the fields of its channels. */
export type BareRule = Pick<AlertRule, 'id' | 'group' | 'enabled' | 'minutes' | 'createdAt'>;

interface RuleSettings {
  enabled: boolean;
  minutes: number;
  effectiveFrom: Date;
}

export function toResult(row: StoredDelivery): DeliveryResult {
  return {
    at: (row.tried_at ?? row.created_at).toISOString(),
    // `test` for what no rule sends.
    kind: alertMessageTypes.find((each) => each === row.kind) ?? 'test',
    delivered: row.status === 'sent',
    status: row.response_status,
    reason: toFailureReason(row.last_error),
    attempts: row.attempts,
    nextTryAt: row.status === 'waiting' ? (row.next_try_at?.toISOString() ?? null) : null,
  };
}

/** In a part of the tree the rules of its groups. */
function isRuleVisible(scope: Scope, organizationId: string) {
  const isWhole = sql<boolean>`alert_rules.organization_id in ${wholeOrganizations(scope, organizationId)}`;
  return scope.hasGrants
    ? sql<boolean>`(${isWhole} or ${visibleGroups(scope, { organizationId })})`
    : isWhole;
}

/** SQL of the rules. Writers run in `Access.change`, one at a time in an organization. */
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

  const toRule = (row: Row): BareRule => ({
    id: row.id,
    group: row.group_id === null ? null : { id: row.group_id, name: row.groupName ?? '' },
    enabled: row.enabled,
    minutes: row.minutes,
    createdAt: row.created_at.toISOString(),
  });

  return {
    async list(scope: Scope, organizationId: string): Promise<BareRule[]> {
      const rows = await rules(db)
        .where('alert_rules.organization_id', '=', organizationId)
        .where(isRuleVisible(scope, organizationId))
        .limit(limits.alertRulesPerOrganization)
        .execute();
      return rows.map(toRule);
    },

    async get(
      executor: Database | DatabaseTransaction,
      organizationId: string,
      id: string,
    ): Promise<BareRule | undefined> {
      const row = await rules(executor)
        .where('alert_rules.organization_id', '=', organizationId)
        .where('alert_rules.id', '=', id)
        .executeTakeFirst();
      return row && toRule(row);
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
      { enabled, minutes, effectiveFrom }: RuleSettings,
    ): Promise<void> {
      await transaction
        .updateTable('alert_rules')
        .set({ enabled, minutes, effective_from: effectiveFrom })
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

    /** Drops the notifications that its alerts still wait for. */
    async cancelPending(transaction: DatabaseTransaction, id: string): Promise<void> {
      // An evaluation changes many of them too, in any order: side by side they would wait for each other.
      await offlineDetectionRepository.lock(transaction);
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

    async getOrganizationId(id: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('alert_rules')
        .select('organization_id')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.organization_id;
    },

    /** How the last message of each rule by one channel went, where one was tried. */
    async listLastResults(
      executor: Database,
      channel: string,
      ruleIds: readonly string[],
    ): Promise<Map<string, DeliveryResult>> {
      if (ruleIds.length === 0) return new Map();
      const rows = await executor
        .selectFrom('deliveries')
        .distinctOn('rule_id')
        .selectAll()
        .where('channel', '=', channel)
        .where('rule_id', 'in', ruleIds)
        .where('tried_at', 'is not', null)
        .orderBy('rule_id')
        .orderBy('tried_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return new Map(rows.map((row) => [row.rule_id ?? '', toResult(row)]));
    },
  };
}
export type RulesRepository = ReturnType<typeof createRulesRepository>;
