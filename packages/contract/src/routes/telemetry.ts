import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  fleetMetrics,
  fleetPeriodRequest,
  fleetPresence,
  lastMqttData,
  systemMetrics,
  systemMetricsRequest,
  worstControllers,
  worstControllersQuery,
} from '../schemas/telemetry.ts';
import { id } from '../schemas/text.ts';
import { controllerParams } from './controllers.ts';

const organizationParams = z.object({ organizationId: id });

export const telemetryRoutes = {
  getLastMqttData: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/last-mqtt-data/',
    access: 'user',
    permission: 'telemetry.read',
    on: 'controller',
    params: controllerParams,
    status: 200,
    answer: lastMqttData,
    errors: ['controller_not_found'],
    summary:
      'The last values of the MQTT controls of a controller; for the 90 seconds that follow, the event stream of its organization tells of changes',
  },
  querySystemMetrics: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/system-metrics/',
    access: 'user',
    rateLimited: false,
    isServedWhenFull: true,
    permission: 'telemetry.read',
    on: 'controller',
    params: controllerParams,
    body: systemMetricsRequest,
    status: 200,
    answer: systemMetrics,
    errors: ['controller_not_found', 'metrics_unavailable'],
    summary: 'One figure of a controller’s system over a period, averaged to at most 500 points',
  },
  queryFleetMetrics: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/fleet-metrics/',
    access: 'user',
    rateLimited: false,
    isServedWhenFull: true,
    permission: 'telemetry.read',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params: organizationParams,
    body: systemMetricsRequest,
    status: 200,
    answer: fleetMetrics,
    errors: ['organization_not_found'],
    summary:
      'Median and extremes of one figure over all controllers of an organization, in at most 500 points',
  },
  queryFleetPresence: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/fleet-presence/',
    access: 'user',
    rateLimited: false,
    isServedWhenFull: true,
    permission: 'controllers.read',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params: organizationParams,
    body: fleetPeriodRequest,
    status: 200,
    answer: fleetPresence,
    errors: ['organization_not_found'],
    summary: 'How many controllers of an organization were online over a period, in at most 500 points',
  },
  listWorstControllers: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/worst-controllers/',
    access: 'user',
    permission: 'telemetry.read',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params: organizationParams,
    query: worstControllersQuery,
    status: 200,
    answer: worstControllers,
    errors: ['organization_not_found', 'metrics_unavailable'],
    summary: 'The controllers of an organization whose figure is worst now: high load, little free space',
  },
} as const satisfies Record<string, Route>;
