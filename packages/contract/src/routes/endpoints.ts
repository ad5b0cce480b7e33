import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  createEndpointRequest,
  endpointPort,
  namedEndpoint,
  updateEndpointRequest,
} from '../schemas/endpoints.ts';
import { updateWebCacheRequest, webCacheSettings } from '../schemas/web-cache.ts';
import { controllerParams } from './controllers.ts';

const endpointParams = controllerParams.extend({ port: endpointPort });

export const endpointRoutes = {
  listServices: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/services/',
    access: 'user',
    permission: 'controllers.read',
    on: 'controller',
    params: controllerParams,
    status: 200,
    answer: z.array(namedEndpoint),
    errors: ['controller_not_found'],
    summary: 'The named web services of a controller, by name',
  },
  createService: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/services/',
    access: 'user',
    permission: 'controllers.update',
    on: 'controller',
    params: controllerParams,
    body: createEndpointRequest,
    status: 201,
    answer: namedEndpoint,
    errors: ['controller_not_found', 'port_reserved', 'services_limit_reached'],
    summary: 'Name a web service on a port of the controller’s loopback address',
  },
  updateService: {
    method: 'PATCH',
    path: '/api/v1/controllers/{serialNumber}/services/{port}/',
    access: 'user',
    permission: 'controllers.update',
    on: 'controller',
    params: endpointParams,
    body: updateEndpointRequest,
    status: 200,
    answer: namedEndpoint,
    errors: ['controller_not_found', 'port_reserved', 'service_not_found'],
    summary: 'Rename a service, or change how it is spoken to and addressed',
  },
  deleteService: {
    method: 'DELETE',
    path: '/api/v1/controllers/{serialNumber}/services/{port}/',
    access: 'user',
    permission: 'controllers.update',
    on: 'controller',
    params: endpointParams,
    status: 204,
    errors: ['controller_not_found', 'service_not_found'],
    summary: 'Forget a service; its open tunnels are cut',
  },
  getWebCache: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/web-cache/',
    access: 'user',
    permission: 'controllers.read',
    on: 'controller',
    params: controllerParams,
    status: 200,
    answer: webCacheSettings,
    errors: ['controller_not_found'],
    summary: 'Whether answers of a controller’s web interfaces are kept, and how much that has saved',
  },
  updateWebCache: {
    method: 'PATCH',
    path: '/api/v1/controllers/{serialNumber}/web-cache/',
    access: 'user',
    permission: 'controllers.update',
    on: 'controller',
    params: controllerParams,
    body: updateWebCacheRequest,
    status: 200,
    answer: webCacheSettings,
    errors: ['controller_not_found'],
    summary: 'Keep answers of a controller’s web interfaces, or forget them',
  },
} as const satisfies Record<string, Route>;
