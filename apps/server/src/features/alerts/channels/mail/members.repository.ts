import type { Locale } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../../platform/db/schema.ts';

export interface Member {
  userId: string;
  email: string;
  locale: Locale;
}

/** The members of the rules, sorted by email. Whoever leaves the organization is one no more: a foreign key. */
export async function loadMembers(
  executor: Database,
  ruleIds: readonly string[],
): Promise<Map<string, Member[]>> {
  if (ruleIds.length === 0) return new Map();
  const rows = await executor
    .selectFrom('alert_rule_members')
    .innerJoin('users', 'users.id', 'alert_rule_members.user_id')
    .select(['alert_rule_members.rule_id', 'users.id', 'users.email', 'users.locale'])
    .where('alert_rule_members.rule_id', 'in', ruleIds)
    .orderBy('users.email')
    .execute();
  const byRule = new Map<string, Member[]>();
  for (const { rule_id, id: userId, email, locale } of rows) {
    const members = byRule.get(rule_id) ?? [];
    members.push({ userId, email, locale });
    byRule.set(rule_id, members);
  }
  return byRule;
}

/** Replaces the members of a rule. False when one of them is no member of the organization. */
export async function saveMembers(
  transaction: DatabaseTransaction,
  rule: { id: string; organizationId: string },
  userIds: readonly string[],
): Promise<boolean> {
  await transaction.deleteFrom('alert_rule_members').where('rule_id', '=', rule.id).execute();
  if (userIds.length === 0) return true;
  const { rows } = await sql`
    insert into alert_rule_members (rule_id, organization_id, user_id)
    select ${rule.id}, organization_id, user_id from memberships
    where organization_id = ${rule.organizationId} and user_id = any(${[...userIds]}::uuid[])
    returning 1`.execute(transaction);
  return rows.length === userIds.length;
}
