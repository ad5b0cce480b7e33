import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { WebCacheService } from './web-cache.service.ts';

export function registerWebCacheRoutes(api: Api, cache: WebCacheService): void {
  api.route(routes.getWebCache, ({ caller }) => cache.get(caller));
  api.route(routes.updateWebCache, ({ caller, body }) => cache.update(caller, body));
}
