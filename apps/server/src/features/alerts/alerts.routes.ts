import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageAnswer } from '../../platform/http/pages.ts';
import type { AlertsService } from './alerts.service.ts';
import type { RuleTest } from './rules/rule-test.service.ts';
import type { RulesService } from './rules/rules.service.ts';

export function registerAlertRoutes(
  api: Api,
  services: { alerts: AlertsService; rules: RulesService; testRule: RuleTest },
  publicUrl: string,
): void {
  const { alerts, rules, testRule } = services;

  api.route(routes.listAlertRules, ({ caller }) => rules.list(caller));
  api.route(routes.createAlertRule, ({ caller, body }) => rules.create(caller, body));
  api.route(routes.updateAlertRule, ({ caller, params, body }) => rules.update(caller, params.ruleId, body));
  api.route(routes.deleteAlertRule, ({ caller, params }) => rules.delete(caller, params.ruleId));
  api.route(routes.testAlertRule, ({ caller, params }) => testRule(caller, params.ruleId));

  api.route(routes.listAlerts, async ({ caller, query, request }) => {
    const found = await alerts.list(caller, query);
    return pageAnswer(found, publicUrl, request.url);
  });
}
