import type { Route } from '../route.ts';
import { lastMqttData, systemMetrics, systemMetricsRequest } from '../schemas/telemetry.ts';
import { controllerParams } from './controllers.ts';

export const telemetryRoutes = {
  getLastMqttData: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/last-mqtt-data/',
    access: 'user',
    permission: 'telemetry.read',
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
    permission: 'telemetry.read',
    params: controllerParams,
    body: systemMetricsRequest,
    status: 200,
    answer: systemMetrics,
    errors: ['controller_not_found', 'metrics_unavailable'],
    summary: 'One figure of a controller’s system over a period, averaged to at most 500 points',
  },
} as const satisfies Record<string, Route>;
