import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import { pageAnswer } from '../../../platform/http/pages.ts';
import type { TunnelListService } from './tunnel-list.service.ts';

export function registerTunnelListRoutes(api: Api, list: TunnelListService, publicUrl: string): void {
  api.route(routes.listTunnels, async ({ principal, params, query, request }) => {
    const found = await list.listTunnels(principal, params.organizationId, query);
    return pageAnswer(found, publicUrl, request.url);
  });
  api.route(routes.endTunnel, async ({ principal, params, request }) => {
    await list.endTunnel(principal, params, request.ip);
    return undefined;
  });
}
