import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { TelemetryService } from './telemetry.service.ts';

export function registerTelemetryRoutes(api: Api, telemetry: TelemetryService): void {
  api.route(routes.getLastMqttData, ({ principal, params, locale }) =>
    telemetry.getLastMqttData(principal, params.serialNumber, locale),
  );

  api.route(routes.querySystemMetrics, ({ principal, params, body }) =>
    telemetry.querySystemMetrics(principal, params.serialNumber, body),
  );
}
