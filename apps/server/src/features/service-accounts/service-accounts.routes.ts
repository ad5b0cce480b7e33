import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { ServiceAccountsService } from './service-accounts.service.ts';

export function registerServiceAccountRoutes(api: Api, accounts: ServiceAccountsService): void {
  api.route(routes.listServiceAccounts, ({ caller }) => accounts.list(caller));
  api.route(routes.createServiceAccount, ({ caller, body }) => accounts.create(caller, body.name));
  api.route(routes.deleteServiceAccount, ({ caller, params }) => accounts.delete(caller, params.accountId));
  api.route(routes.listServiceAccountTokens, ({ caller, params }) =>
    accounts.listTokens(caller, params.accountId),
  );
  api.route(routes.createServiceAccountToken, ({ caller, params, body }) =>
    accounts.createToken(caller, params.accountId, body),
  );
  api.route(routes.deleteServiceAccountToken, ({ caller, params }) =>
    accounts.deleteToken(caller, params.accountId, params.tokenId),
  );
  api.route(routes.listServiceAccountKeys, ({ caller, params }) =>
    accounts.listKeys(caller, params.accountId),
  );
  api.route(routes.addServiceAccountKey, ({ caller, params, body }) =>
    accounts.addKey(caller, params.accountId, body),
  );
  api.route(routes.deleteServiceAccountKey, ({ caller, params }) =>
    accounts.deleteKey(caller, params.accountId, params.keyId),
  );
}
