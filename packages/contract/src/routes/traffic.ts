import { z } from 'zod';
import type { Route } from '../route.ts';
import { id } from '../schemas/text.ts';
import {
  controllerTraffic,
  controllerTrafficQuery,
  groupTrafficBudget,
  setTrafficBudgetRequest,
  setTrafficSaverRequest,
} from '../schemas/traffic.ts';
import { controllerParams } from './controllers.ts';

const groupParams = z.object({ groupId: id });

export const trafficRoutes = {
  getControllerTraffic: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/traffic/',
    access: 'user',
    permission: 'controllers.read',
    on: 'controller',
    params: controllerParams,
    query: controllerTrafficQuery,
    status: 200,
    answer: controllerTraffic,
    errors: ['controller_not_found'],
    summary: 'Bytes to and from a controller in a month, by day (UTC) and what they were for',
  },
  setControllerTrafficBudget: {
    method: 'PUT',
    path: '/api/v1/controllers/{serialNumber}/traffic-budget/',
    access: 'user',
    permission: 'traffic.manage',
    on: 'controller',
    params: controllerParams,
    body: setTrafficBudgetRequest,
    status: 204,
    errors: ['controller_not_found'],
    summary: 'Set the monthly budget of a controller, or take it away: then that of its group counts',
  },
  setTrafficSaver: {
    method: 'PUT',
    path: '/api/v1/controllers/{serialNumber}/traffic-saver/',
    access: 'user',
    permission: 'controllers.update',
    on: 'controller',
    params: controllerParams,
    body: setTrafficSaverRequest,
    status: 204,
    errors: ['controller_not_found'],
    summary: 'Have a device measure its system every four minutes only, or as often as all others again',
  },
  getGroupTrafficBudget: {
    method: 'GET',
    path: '/api/v1/groups/{groupId}/traffic-budget/',
    access: 'user',
    permission: 'groups.read',
    on: 'group',
    params: groupParams,
    status: 200,
    answer: groupTrafficBudget,
    errors: ['group_not_found'],
    summary: 'The monthly budget of each controller in a group and under it',
  },
  setGroupTrafficBudget: {
    method: 'PUT',
    path: '/api/v1/groups/{groupId}/traffic-budget/',
    access: 'user',
    permission: 'traffic.manage',
    on: 'group',
    params: groupParams,
    body: setTrafficBudgetRequest,
    status: 204,
    errors: ['group_not_found'],
    summary:
      'Set the monthly budget of each controller in a group and under it, or take it away; the nearest counts',
  },
} as const satisfies Record<string, Route>;
