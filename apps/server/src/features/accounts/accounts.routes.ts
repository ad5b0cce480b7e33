import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { AccountsService } from './accounts.service.ts';

export function registerCurrentUserRoutes(api: Api, accounts: AccountsService): void {
  api.route(routes.getCurrentUser, ({ principal }) => accounts.getCurrentUser(principal));
  api.route(routes.updateCurrentUser, ({ principal, body }) => accounts.updateCurrentUser(principal, body));
}
