import { routes } from '@pult/contract';
import type { FastifyRequest } from 'fastify';
import type { Api } from '../../platform/http/api.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { ServiceAccountsService } from './service-accounts.service.ts';

const callerOf = ({ principal, request }: { principal: Principal; request: FastifyRequest }) => ({
  principal,
  address: request.ip,
});

export function registerServiceAccountRoutes(api: Api, accounts: ServiceAccountsService): void {
  api.route(routes.listServiceAccounts, ({ principal, params }) =>
    accounts.list(principal, params.organizationId),
  );
  api.route(routes.createServiceAccount, ({ params, body, ...call }) =>
    accounts.create(callerOf(call), params.organizationId, body.name),
  );
  api.route(routes.deleteServiceAccount, async ({ params, ...call }) => {
    await accounts.delete(callerOf(call), params);
    return undefined;
  });
  api.route(routes.listServiceAccountTokens, ({ principal, params }) =>
    accounts.listTokens(principal, params),
  );
  api.route(routes.createServiceAccountToken, ({ params, body, ...call }) =>
    accounts.createToken(callerOf(call), params, body),
  );
  api.route(routes.deleteServiceAccountToken, async ({ params, ...call }) => {
    await accounts.deleteToken(callerOf(call), params, params.tokenId);
    return undefined;
  });
  api.route(routes.listServiceAccountKeys, ({ principal, params }) => accounts.listKeys(principal, params));
  api.route(routes.addServiceAccountKey, ({ params, body, ...call }) =>
    accounts.addKey(callerOf(call), params, body),
  );
  api.route(routes.deleteServiceAccountKey, async ({ params, ...call }) => {
    await accounts.deleteKey(callerOf(call), params, params.keyId);
    return undefined;
  });
}
