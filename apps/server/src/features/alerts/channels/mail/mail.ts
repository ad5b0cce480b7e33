import type { Locale } from '@pult/contract';
import { sql } from 'kysely';
import type { Database } from '../../../../platform/db/schema.ts';
import { FieldError } from '../../../../platform/errors.ts';
import type { MailWriter } from '../../../../platform/mail/index.ts';
import type { AlertChannel } from '../channel.ts';
import { writeAlertMail } from './alert-mails.ts';

interface Member {
  userId: string;
  email: string;
  locale: Locale;
}

/** The members of the rules, sorted by email. Whoever leaves the organization is one no more: a foreign key. */
async function loadMembers(executor: Database, ruleIds: readonly string[]): Promise<Map<string, Member[]>> {
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

/** Mails to members of the organization, each in the language of their account. */
export function createMailChannel({ writeMail }: { writeMail: MailWriter }): AlertChannel<Member[]> {
  return {
    name: 'mail',
    load: loadMembers,

    async save(transaction, { id, organizationId }, { members }) {
      if (!members) return {};
      await transaction.deleteFrom('alert_rule_members').where('rule_id', '=', id).execute();
      if (members.length === 0) return {};
      const { rows } = await sql`
        insert into alert_rule_members (rule_id, organization_id, user_id)
        select ${id}, organization_id, user_id from memberships
        where organization_id = ${organizationId} and user_id = any(${[...members]}::uuid[])
        returning 1`.execute(transaction);
      if (rows.length < members.length) throw new FieldError('members', 'member_unknown');
      return {};
    },

    show: (members = []) => ({ members: members.map(({ userId, email }) => ({ userId, email })) }),
    describe: (members = []) => ({ members: members.length }),

    render: (message, members) =>
      members.map((member) => {
        const { to, ...mail } = writeAlertMail(writeMail, message, member);
        return { recipient: to, ...mail };
      }),

    reportTest: ({ count }) => ({ mails: count }),
  };
}
