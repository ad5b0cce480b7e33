import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageAnswer } from '../../platform/http/pages.ts';
import type { WebhooksService } from './webhooks.service.ts';

export function registerWebhookRoutes(api: Api, webhooks: WebhooksService, publicUrl: string): void {
  api.route(routes.listWebhooks, ({ caller }) => webhooks.list(caller));
  api.route(routes.createWebhook, ({ caller, body }) => webhooks.create(caller, body));
  api.route(routes.updateWebhook, ({ caller, params, body }) =>
    webhooks.update(caller, params.webhookId, body),
  );
  api.route(routes.deleteWebhook, ({ caller, params }) => webhooks.delete(caller, params.webhookId));
  api.route(routes.testWebhook, ({ caller, params }) => webhooks.test(caller, params.webhookId));

  api.route(routes.listWebhookDeliveries, async ({ caller, params, query, request }) => {
    const found = await webhooks.listDeliveries(caller, params.webhookId, query);
    return pageAnswer(found, publicUrl, request.url);
  });

  api.route(routes.getWebhookDelivery, ({ caller, params }) => webhooks.getDelivery(caller, params));
  api.route(routes.repeatWebhookDelivery, ({ caller, params }) => webhooks.repeat(caller, params));
}
