import { z } from 'zod';
import type { Route } from '../route.ts';
import { id } from '../schemas/text.ts';

export const monitoringRoutes = {
  getGrafanaAccess: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/grafana-access/',
    access: 'user',
    permission: 'telemetry.read',
    on: { organization: 'params.organizationId', at: 'root' },
    params: z.object({ organizationId: id }),
    status: 200,
    answer: z.object({ grafanaUrl: z.url() }),
    errors: ['organization_not_found', 'grafana_unavailable'],
    summary:
      'Where the measurements of an organization are shown: its dashboard in Grafana, or the page of the console where no Grafana is configured. Takes `var-controller=<serial number>` as a further parameter',
  },
} as const satisfies Record<string, Route>;
