import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { GrantsService } from './grants.service.ts';

export function registerGrantRoutes(api: Api, grants: GrantsService): void {
  api.route(routes.listGrants, ({ principal, params, query }) =>
    grants.list(principal, params.organizationId, query),
  );

  api.route(routes.createGrant, ({ principal, params, body, request }) =>
    grants.create(principal, params.organizationId, body, request.ip),
  );

  api.route(routes.deleteGrant, async ({ principal, params, request }) => {
    await grants.delete(principal, params.organizationId, params.grantId, request.ip);
    return undefined;
  });
}
