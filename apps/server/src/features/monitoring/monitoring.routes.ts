import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { OrganizationAccess } from '../organizations/index.ts';
import type { GrafanaAccessService } from './grafana/grafana-access.service.ts';

/** `grafana` is undefined where none is configured. */
export function registerMonitoringRoutes(
  api: Api,
  dependencies: { access: OrganizationAccess; publicUrl: string; grafana: GrafanaAccessService | undefined },
): void {
  const { access, publicUrl, grafana } = dependencies;
  api.route(routes.getGrafanaAccess, async ({ principal, params: { organizationId } }) => {
    if (grafana) return { grafanaUrl: await grafana.getUrl(principal, organizationId) };
    const { id } = await access.require(principal, organizationId, 'telemetry.read');
    return { grafanaUrl: `${publicUrl}/organizations/${id}/monitoring` };
  });
}
