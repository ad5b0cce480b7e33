import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageUrl } from '../../platform/http/page-url.ts';
import type { NoticesService } from './notices.service.ts';
import type { RuleTest } from './rules/rule-test.service.ts';
import type { RulesService } from './rules/rules.service.ts';

export function registerNoticeRoutes(
  api: Api,
  services: { notices: NoticesService; rules: RulesService; testRule: RuleTest },
  publicUrl: string,
): void {
  const { notices, rules, testRule } = services;

  api.route(routes.listNoticeRules, ({ principal, params }) => rules.list(principal, params.organizationId));

  api.route(routes.createNoticeRule, ({ principal, params, body, request }) =>
    rules.create(principal, params.organizationId, body, request.ip),
  );

  api.route(routes.updateNoticeRule, ({ principal, params, body, request }) =>
    rules.update(principal, params, body, request.ip),
  );

  api.route(routes.deleteNoticeRule, async ({ principal, params, request }) => {
    await rules.delete(principal, params, request.ip);
    return undefined;
  });

  api.route(routes.testNoticeRule, ({ principal, params, request }) =>
    testRule(principal, params, request.ip),
  );

  api.route(routes.listNotices, async ({ principal, params, query, request }) => {
    const { count, results, page, hasNext } = await notices.list(principal, params.organizationId, query);
    return {
      count,
      next: hasNext ? pageUrl(publicUrl, request.url, page + 1) : null,
      previous: page > 1 ? pageUrl(publicUrl, request.url, page - 1) : null,
      results,
    };
  });
}
