import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageAnswer } from '../../platform/http/pages.ts';
import type { WebhooksService } from './webhooks.service.ts';

export function registerWebhookRoutes(api: Api, webhooks: WebhooksService, publicUrl: string): void {
  api.route(routes.listWebhooks, ({ principal, params }) => webhooks.list(principal, params.organizationId));

  api.route(routes.createWebhook, ({ principal, params, body, request }) =>
    webhooks.create(principal, params.organizationId, body, request.ip),
  );

  api.route(routes.updateWebhook, ({ principal, params, body, request }) =>
    webhooks.update(principal, params, body, request.ip),
  );

  api.route(routes.deleteWebhook, async ({ principal, params, request }) => {
    await webhooks.delete(principal, params, request.ip);
    return undefined;
  });

  api.route(routes.testWebhook, ({ principal, params, request }) =>
    webhooks.test(principal, params, request.ip),
  );

  api.route(routes.listWebhookDeliveries, async ({ principal, params, query, request }) => {
    const found = await webhooks.listDeliveries(principal, params, query);
    return pageAnswer(found, publicUrl, request.url);
  });

  api.route(routes.getWebhookDelivery, ({ principal, params }) => webhooks.getDelivery(principal, params));

  api.route(routes.repeatWebhookDelivery, ({ principal, params, request }) =>
    webhooks.repeat(principal, params, request.ip),
  );
}
