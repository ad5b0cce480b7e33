import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { TokensService } from './tokens.service.ts';

export function registerTokenRoutes(api: Api, tokens: TokensService): void {
  api.route(routes.listTokens, ({ caller }) => tokens.list(caller));
  api.route(routes.createToken, ({ caller, body }) => tokens.create(caller, body));
  api.route(routes.deleteToken, ({ caller, params }) => tokens.delete(caller, params.tokenId));
}
