import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  controller,
  controllerPage,
  controllersCount,
  controllersMap,
  exportControllersQuery,
  listControllersQuery,
  mapQuery,
  updateControllerRequest,
} from '../schemas/controllers.ts';
import { eventMessage, eventsQuery } from '../schemas/events.ts';
import { serialNumber } from '../schemas/text.ts';

export const controllerParams = z.object({ serialNumber });

export const controllerRoutes = {
  listControllers: {
    method: 'GET',
    path: '/api/v1/controllers/',
    access: 'user',
    permission: 'controllers.read',
    on: 'list',
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
    on: 'list',
    // As the list's (spec-coverage: GET /api/v1/controllers-count/): page and order change no count.
    query: listControllersQuery,
    status: 200,
    answer: controllersCount,
    summary: 'How many controllers match, and how many of them are online',
  },
  mapControllers: {
    method: 'GET',
    path: '/api/v1/controllers-map/',
    access: 'user',
    permission: 'controllers.read',
    on: 'list',
    query: mapQuery,
    status: 200,
    answer: controllersMap,
    summary:
      'The matching controllers on a map: each of them, or clusters where more match than a map can show',
  },
  exportControllers: {
    method: 'GET',
    path: '/api/v1/controllers-export/',
    access: 'user',
    permission: 'controllers.read',
    on: 'list',
    query: exportControllersQuery,
    status: 200,
    answer: z.string(),
    kind: 'csv',
    summary: 'The matching controllers as a CSV file, by serial number',
  },
  countAllControllers: {
    method: 'GET',
    path: '/api/v1/controllers-total-count/',
    access: 'user',
    on: 'list',
    allowScopedSession: true,
    status: 200,
    answer: z.object({ count: z.number().int() }),
    summary: 'How many controllers this installation has activated',
  },
  getController: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/',
    access: 'user',
    permission: 'controllers.read',
    on: 'controller',
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
    on: 'controller',
    params: controllerParams,
    body: updateControllerRequest,
    // Who has what rights of it may hang on its group.
    scopeOfBody: (body) =>
      typeof body === 'object' && body !== null && 'group' in body && body.group !== undefined
        ? 'groups.attach'
        : undefined,
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
    on: 'controller',
    confirmation: 'delete_controller',
    isConfirmedByScope: true,
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
    on: { organization: 'query.organization_id', at: 'anywhere' },
    query: eventsQuery,
    status: 200,
    answer: eventMessage,
    kind: 'events',
    errors: ['organization_not_found', 'event_streams_limit_reached'],
    summary: 'What changes in an organization, as it happens (server-sent events)',
  },
} as const satisfies Record<string, Route>;
