import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import { pageUrl } from '../../../platform/http/page-url.ts';
import type { TunnelListService } from './tunnel-list.service.ts';

export function registerTunnelListRoutes(api: Api, list: TunnelListService, publicUrl: string): void {
  api.route(routes.listTunnels, async ({ principal, params, query, request }) => {
    const { count, results, page, hasNext } = await list.listTunnels(principal, params.organizationId, query);
    return {
      count,
      next: hasNext ? pageUrl(publicUrl, request.url, page + 1) : null,
      previous: page > 1 ? pageUrl(publicUrl, request.url, page - 1) : null,
      results,
    };
  });
  api.route(routes.endTunnel, async ({ principal, params, request }) => {
    await list.endTunnel(principal, params, request.ip);
    return undefined;
  });
}
