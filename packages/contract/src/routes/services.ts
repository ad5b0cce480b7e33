import { z } from 'zod';
import type { Route } from '../route.ts';
import { createServiceRequest, service, servicePort, updateServiceRequest } from '../schemas/services.ts';
import { controllerParams } from './controllers.ts';

const serviceParams = controllerParams.extend({ port: servicePort });

export const serviceRoutes = {
  listServices: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/services/',
    access: 'user',
    permission: 'controllers.read',
    params: controllerParams,
    status: 200,
    answer: z.array(service),
    errors: ['controller_not_found'],
    summary: 'The named web services of a controller, by name',
  },
  createService: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/services/',
    access: 'user',
    permission: 'controllers.update',
    params: controllerParams,
    body: createServiceRequest,
    status: 201,
    answer: service,
    errors: ['controller_not_found', 'services_limit_reached'],
    summary: 'Name a web service on a port of the controller’s loopback address',
  },
  updateService: {
    method: 'PATCH',
    path: '/api/v1/controllers/{serialNumber}/services/{port}/',
    access: 'user',
    permission: 'controllers.update',
    params: serviceParams,
    body: updateServiceRequest,
    status: 200,
    answer: service,
    errors: ['controller_not_found', 'service_not_found'],
    summary: 'Rename a service, or change how it is spoken to',
  },
  deleteService: {
    method: 'DELETE',
    path: '/api/v1/controllers/{serialNumber}/services/{port}/',
    access: 'user',
    permission: 'controllers.update',
    params: serviceParams,
    status: 204,
    errors: ['controller_not_found', 'service_not_found'],
    summary: 'Forget a service; its open tunnels are cut',
  },
} as const satisfies Record<string, Route>;
