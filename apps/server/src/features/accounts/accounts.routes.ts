import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { AccountsService } from './accounts.service.ts';

export function registerCurrentUserRoutes(api: Api, accounts: AccountsService): void {
  api.route(routes.getCurrentUser, ({ caller }) => accounts.getCurrentUser(caller.principal));
  api.route(routes.updateCurrentUser, ({ caller, body }) =>
    accounts.updateCurrentUser(caller.principal, body),
  );
}
