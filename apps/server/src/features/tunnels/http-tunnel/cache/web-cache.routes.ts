import { routes } from '@pult/contract';
import type { Api } from '../../../../platform/http/api.ts';
import type { WebCacheService } from './web-cache.service.ts';

export function registerWebCacheRoutes(api: Api, cache: WebCacheService): void {
  api.route(routes.getWebCache, ({ principal, params }) => cache.get(principal, params.serialNumber));
  api.route(routes.updateWebCache, ({ principal, params, body, request }) =>
    cache.update(principal, { ...params, address: request.ip }, body),
  );
}
