import type { TestedAlertRule } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/schema.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { Outbox } from '../../../platform/mail/index.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import type { OrganizationAccess } from '../../organizations/index.ts';
import type { AlertMails } from '../alert-mails.ts';
import { type MessageRule, writeTestBody } from '../message.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { RulesRepository } from './rules.repository.ts';

/** Each test may be as many mails as a rule has members, and a call to whatever address. */
const [testsPerRule, testsPerOrganization, windowSeconds] = [5, 60, 600];

interface Dependencies {
  db: Database;
  repository: RulesRepository;
  webhooks: Webhooks;
  mails: AlertMails;
  outbox: Outbox;
  access: OrganizationAccess;
  rateLimiter: RateLimiter;
  recordAudit: RecordAuditEvent;
  clock: Clock;
  publicUrl: string;
}

/** Whether those whom a rule names would be reached. */
export function createRuleTest(dependencies: Dependencies) {
  const { db, repository, webhooks, mails, outbox, access, rateLimiter, recordAudit, clock, publicUrl } =
    dependencies;

  return async function testRule(
    principal: Principal,
    { organizationId, ruleId }: { organizationId: string; ruleId: string },
    address: string,
  ): Promise<TestedAlertRule> {
    const { userId } = principal;
    const organization = await access.require(principal, organizationId, 'alerts.manage');
    const stored = await repository.get(db, organizationId, ruleId);
    if (!stored) throw new DomainError('alert_rule_not_found');
    await rateLimiter.require([
      { key: ['alert test', ruleId], limit: testsPerRule, window: windowSeconds },
      { key: ['alert tests', organizationId], limit: testsPerOrganization, window: windowSeconds },
    ]);
    const { id, name } = organization;
    const rule: MessageRule = {
      id: ruleId,
      minutes: stored.minutes,
      group: stored.group,
      organization: { id, name },
    };
    const recipients = await repository.listRecipients(ruleId);
    await db.transaction().execute(async (transaction) => {
      for (const recipient of recipients) await outbox.add(mails.test(rule, recipient), transaction);
      const subject = stored.group?.name ?? name;
      await recordAudit(
        { action: 'alert_rule.tested', userId, organizationId, subject, address },
        transaction,
      );
    });
    const body = writeTestBody(rule, { publicUrl, at: clock.now() });
    const result = stored.webhook === null ? undefined : await webhooks.test(ruleId, body);
    return { mails: recipients.length, webhook: result ?? null };
  };
}
export type RuleTest = ReturnType<typeof createRuleTest>;
