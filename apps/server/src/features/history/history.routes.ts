import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { HistoryService } from './history.service.ts';

export function registerHistoryRoutes(api: Api, history: HistoryService): void {
  api.route(routes.queryControllerHistory, ({ caller, body }) => history.queryController(caller, body));

  api.route(routes.queryOrganizationHistory, ({ caller, body }) => history.queryOrganization(caller, body));
}
