import { limits } from '../limits.ts';
import type { Route } from '../route.ts';
import {
  agentUpdateState,
  requestAgentUpdateRequest,
  requestedAgentUpdates,
} from '../schemas/agent-updates.ts';
import { selectionInOrganization } from '../schemas/groups.ts';
import { controllerParams } from './controllers.ts';

export const agentUpdateRoutes = {
  getAgentUpdate: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/agent-update/',
    access: 'user',
    permission: 'controllers.read',
    on: 'controller',
    params: controllerParams,
    status: 200,
    answer: agentUpdateState,
    errors: ['controller_not_found'],
    summary: 'How the last update of the agent of a controller stands, and which version the server has',
  },
  requestAgentUpdate: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/agent-update/',
    access: 'user',
    permission: 'agents.update',
    on: 'controller',
    params: controllerParams,
    body: requestAgentUpdateRequest,
    status: 202,
    answer: agentUpdateState,
    errors: [
      'controller_not_found',
      'agent_update_in_progress',
      'agent_update_not_given',
      'agent_update_unavailable',
      'agent_up_to_date',
      'agent_is_newer',
    ],
    summary: 'Update the agent of a controller to the version of the server: now, or as soon as it is online',
  },
  requestAgentUpdates: {
    method: 'POST',
    path: '/api/v1/agent-updates/',
    access: 'user',
    permission: 'agents.update',
    on: 'handler',
    body: selectionInOrganization,
    maxBodyBytes: limits.bulkBodyBytes,
    status: 202,
    answer: requestedAgentUpdates,
    errors: ['controller_not_found', 'organization_not_found', 'agent_update_unavailable'],
    summary:
      'Update the agents of controllers of one organization that have an older version than the server',
  },
} as const satisfies Record<string, Route>;
