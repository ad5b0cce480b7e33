import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { GrafanaAccessService } from './grafana/grafana-access.service.ts';

/** `grafana` is undefined where none is configured. */
export function registerMonitoringRoutes(
  api: Api,
  { publicUrl, grafana }: { publicUrl: string; grafana: GrafanaAccessService | undefined },
): void {
  api.route(routes.getGrafanaAccess, async ({ caller }) => ({
    grafanaUrl: grafana
      ? await grafana.getUrl(caller)
      : `${publicUrl}/organizations/${caller.organization.id}/monitoring`,
  }));
}
