import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { AgentUpdatesService } from './agent-updates.service.ts';

export function registerAgentUpdateRoutes(api: Api, updates: AgentUpdatesService): void {
  api.route(routes.getAgentUpdate, ({ caller }) => updates.getState(caller));
  api.route(routes.requestAgentUpdate, ({ caller, body }) => updates.request(caller, body));
  api.route(routes.requestAgentUpdates, ({ caller, body }) => updates.requestMany(caller, body));
}
