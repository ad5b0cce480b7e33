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

  api.route(routes.listAlertRules, ({ principal, params }) => rules.list(principal, params.organizationId));

  api.route(routes.createAlertRule, ({ principal, params, body, request }) =>
    rules.create(principal, params.organizationId, body, request.ip),
  );

  api.route(routes.updateAlertRule, ({ principal, params, body, request }) =>
    rules.update(principal, params, body, request.ip),
  );

  api.route(routes.deleteAlertRule, async ({ principal, params, request }) => {
    await rules.delete(principal, params, request.ip);
    return undefined;
  });

  api.route(routes.testAlertRule, ({ principal, params, request }) =>
    testRule(principal, params, request.ip),
  );

  api.route(routes.listAlerts, async ({ principal, params, query, request }) => {
    const found = await alerts.list(principal, params.organizationId, query);
    return pageAnswer(found, publicUrl, request.url);
  });
}
