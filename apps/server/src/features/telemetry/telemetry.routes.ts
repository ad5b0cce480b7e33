import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { FleetMetricsService } from './fleet/fleet-metrics.service.ts';
import type { TelemetryService } from './telemetry.service.ts';

export function registerTelemetryRoutes(
  api: Api,
  telemetry: TelemetryService,
  fleet: FleetMetricsService,
): void {
  api.route(routes.getLastMqttData, ({ principal, params, locale }) =>
    telemetry.getLastMqttData(principal, params.serialNumber, locale),
  );

  api.route(routes.querySystemMetrics, ({ principal, params, body }) =>
    telemetry.querySystemMetrics(principal, params.serialNumber, body),
  );

  api.route(routes.queryFleetMetrics, ({ principal, params, body }) =>
    fleet.queryMetrics(principal, params.organizationId, body),
  );

  api.route(routes.queryFleetPresence, ({ principal, params, body }) =>
    fleet.queryPresence(principal, params.organizationId, body),
  );

  api.route(routes.listWorstControllers, ({ principal, params, query }) =>
    fleet.listWorst(principal, params.organizationId, query.name),
  );
}
