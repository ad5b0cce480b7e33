import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  controller,
  controllerPage,
  controllersCount,
  countControllersQuery,
  listControllersQuery,
  updateControllerRequest,
} from '../schemas/controllers.ts';
import { eventsQuery, organizationEvent } from '../schemas/events.ts';
import { serialNumber } from '../schemas/text.ts';

export const controllerParams = z.object({ serialNumber });

export const controllerRoutes = {
  listControllers: {
    method: 'GET',
    path: '/api/v1/controllers/',
    access: 'user',
    permission: 'controllers.read',
    query: listControllersQuery,
    status: 200,
    answer: controllerPage,
    summary: 'Controllers of the organizations of the user',
  },
  countControllers: {
    method: 'GET',
    path: '/api/v1/controllers-count/',
    access: 'user',
    permission: 'controllers.read',
    query: countControllersQuery,
    status: 200,
    answer: controllersCount,
    summary: 'How many controllers match, and how many of them are online',
  },
  countAllControllers: {
    method: 'GET',
    path: '/api/v1/controllers-total-count/',
    access: 'user',
    status: 200,
    answer: z.object({ count: z.number().int() }),
    summary: 'How many controllers this installation has activated',
  },
  getController: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/',
    access: 'user',
    permission: 'controllers.read',
    params: controllerParams,
    status: 200,
    answer: controller,
    errors: ['controller_not_found'],
    summary: 'One controller',
  },
  updateController: {
    method: 'PATCH',
    path: '/api/v1/controllers/{serialNumber}/',
    access: 'user',
    permission: 'controllers.update',
    params: controllerParams,
    body: updateControllerRequest,
    status: 200,
    answer: controller,
    errors: ['controller_not_found'],
    summary: 'Change the description, the coordinates or the group',
  },
  deleteController: {
    method: 'DELETE',
    path: '/api/v1/controllers/{serialNumber}/',
    access: 'user',
    permission: 'controllers.delete',
    confirmation: 'delete_controller',
    params: controllerParams,
    status: 204,
    errors: ['controller_not_found'],
    summary:
      'Release a controller: its data goes, its tunnels are cut, its device shows a new activation link',
  },
  listenToEvents: {
    method: 'GET',
    path: '/api/v1/events/',
    access: 'user',
    permission: 'controllers.read',
    query: eventsQuery,
    status: 200,
    answer: organizationEvent,
    kind: 'events',
    errors: ['organization_not_found'],
    summary: 'What changes in an organization, as it happens (server-sent events)',
  },
} as const satisfies Record<string, Route>;
