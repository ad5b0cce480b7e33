import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { AgentUpdatesService } from './agent-updates.service.ts';

export function registerAgentUpdateRoutes(api: Api, updates: AgentUpdatesService): void {
  api.route(routes.getAgentUpdate, ({ principal, params }) =>
    updates.getState(principal, params.serialNumber),
  );

  api.route(routes.requestAgentUpdate, ({ principal, params, body, request }) =>
    updates.request(principal, params.serialNumber, body, request.ip),
  );

  api.route(routes.requestAgentUpdates, ({ principal, body, request }) =>
    updates.requestMany(principal, body, request.ip),
  );
}
