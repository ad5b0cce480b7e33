import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageUrl } from '../../platform/http/page-url.ts';
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
    const { count, results, page, hasNext } = await alerts.list(principal, params.organizationId, query);
    return {
      count,
      next: hasNext ? pageUrl(publicUrl, request.url, page + 1) : null,
      previous: page > 1 ? pageUrl(publicUrl, request.url, page - 1) : null,
      results,
    };
  });
}
