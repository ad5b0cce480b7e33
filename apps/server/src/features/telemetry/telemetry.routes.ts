import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { FleetMetricsService } from './fleet/fleet-metrics.service.ts';
import type { TelemetryService } from './telemetry.service.ts';

export function registerTelemetryRoutes(
  api: Api,
  telemetry: TelemetryService,
  fleet: FleetMetricsService,
): void {
  api.route(routes.getLastMqttData, ({ caller }) => telemetry.getLastMqttData(caller));

  api.route(routes.querySystemMetrics, ({ caller, body }) => telemetry.querySystemMetrics(caller, body));

  api.route(routes.queryFleetMetrics, ({ caller, body }) => fleet.queryMetrics(caller, body));

  api.route(routes.queryFleetPresence, ({ caller, body }) => fleet.queryPresence(caller, body));

  api.route(routes.listWorstControllers, ({ caller, query }) => fleet.listWorst(caller, query.name));
}
