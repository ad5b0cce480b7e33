import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { GrantsService } from './grants.service.ts';

export function registerGrantRoutes(api: Api, grants: GrantsService): void {
  api.route(routes.listGrants, ({ caller, query }) => grants.list(caller, query));
  api.route(routes.createGrant, ({ caller, body }) => grants.create(caller, body));
  api.route(routes.deleteGrant, ({ caller, params }) => grants.delete(caller, params.grantId));
}
