import type { TestedAlertRule } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/schema.ts';
import type { Deliveries } from '../../../platform/delivery/index.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import type { OrganizationAccess } from '../../organizations/index.ts';
import type { Notifier } from '../notifier.ts';
import { type RulesRepository, toResult } from './rules.repository.ts';

/** Each test may be as many mails as a rule has members, and a call to whatever address. */
const [testsPerRule, testsPerOrganization, windowSeconds] = [5, 60, 600];

interface Dependencies {
  db: Database;
  repository: RulesRepository;
  notifier: Notifier;
  deliveries: Deliveries;
  access: OrganizationAccess;
  rateLimiter: RateLimiter;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

/** Whether those whom a rule names would be reached. */
export function createRuleTest(dependencies: Dependencies) {
  const { db, repository, notifier, deliveries, access, rateLimiter, recordAudit, clock } = dependencies;

  return async function testRule(
    principal: Principal,
    { organizationId, ruleId }: { organizationId: string; ruleId: string },
    address: string,
  ): Promise<TestedAlertRule> {
    const { userId } = principal;
    const { id, name } = await access.require(principal, organizationId, 'alerts.manage');
    const stored = await repository.get(db, organizationId, ruleId);
    if (!stored) throw new DomainError('alert_rule_not_found');
    await rateLimiter.require([
      { key: ['alert test', ruleId], limit: testsPerRule, window: windowSeconds },
      { key: ['alert tests', organizationId], limit: testsPerOrganization, window: windowSeconds },
    ]);
    const { minutes, group } = stored;
    const rule = { id: ruleId, minutes, group, organization: { id, name } };
    const rendered = await notifier.render({ kind: 'test', rule, at: clock.now() });
    await db.transaction().execute(async (transaction) => {
      for (const { channel, deliveries: queued } of rendered) {
        if (channel.send) continue;
        for (const each of queued) await deliveries.add(transaction, each);
      }
      const subject = group?.name ?? name;
      await recordAudit(
        { action: 'alert_rule.tested', userId, organizationId, subject, address },
        transaction,
      );
    });
    const report: Partial<TestedAlertRule> = {};
    for (const { channel, deliveries: tried } of rendered) {
      // How it went is answered, where it is not for the mail server to say.
      const [first] = channel.send ? tried : [];
      const result = first && (await deliveries.sendNow(first));
      Object.assign(
        report,
        channel.reportTest({ count: tried.length, result: result ? toResult(result) : null }),
      );
    }
    // Together the channels have all the fields of the contract; tests check the answers.
    return report as TestedAlertRule;
  };
}
export type RuleTest = ReturnType<typeof createRuleTest>;
