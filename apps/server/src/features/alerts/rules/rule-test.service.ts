import type { TestedAlertRule } from '@pult/contract';
import type { OrganizationCaller } from '../../../platform/access/index.ts';
import type { Deliveries } from '../../../platform/delivery/index.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Core } from '../../../platform/feature.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import type { Notifier } from '../notifier.ts';
import { type RulesRepository, toResult } from './rules.repository.ts';

/** Each test may be as many mails as a rule has members, and a call to whatever address. */
const [testsPerRule, testsPerOrganization, windowSeconds] = [5, 60, 600];

interface Dependencies {
  repository: RulesRepository;
  notifier: Notifier;
  deliveries: Deliveries;
  rateLimiter: RateLimiter;
}

/** Whether those whom a rule names would be reached. */
export function createRuleTest({ db, clock }: Core, dependencies: Dependencies) {
  const { repository, notifier, deliveries, rateLimiter } = dependencies;

  return async function testRule(caller: OrganizationCaller, ruleId: string): Promise<TestedAlertRule> {
    const { id, name } = caller.organization;
    const stored = await repository.get(db, id, ruleId);
    if (!stored) throw new DomainError('alert_rule_not_found');
    await rateLimiter.require([
      { key: ['alert test', ruleId], limit: testsPerRule, window: windowSeconds },
      { key: ['alert tests', id], limit: testsPerOrganization, window: windowSeconds },
    ]);
    const { minutes, group } = stored;
    const rule = { id: ruleId, minutes, group, organization: { id, name } };
    const rendered = await notifier.render({ kind: 'test', rule, at: clock.now() });
    await db.transaction().execute(async (transaction) => {
      for (const { channel, deliveries: queued } of rendered) {
        if (channel.send) continue;
        for (const each of queued) await deliveries.add(transaction, each);
      }
      await caller.audit('alert_rule.tested', { subject: group?.name ?? name }, transaction);
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
