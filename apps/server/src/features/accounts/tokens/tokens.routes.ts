import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { TokensService } from './tokens.service.ts';

export function registerTokenRoutes(api: Api, tokens: TokensService): void {
  api.route(routes.listTokens, ({ principal }) => tokens.list(principal));
  api.route(routes.createToken, ({ principal, body, request }) => tokens.create(principal, body, request.ip));
  api.route(routes.deleteToken, async ({ principal, params, request }) => {
    await tokens.delete(principal, params.tokenId, request.ip);
    return undefined;
  });
}
