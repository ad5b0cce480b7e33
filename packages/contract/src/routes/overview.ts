import { z } from 'zod';
import type { Route } from '../route.ts';
import { overview } from '../schemas/overview.ts';
import { id } from '../schemas/text.ts';

export const overviewRoutes = {
  getOverview: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/overview/',
    access: 'user',
    permission: 'controllers.read',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params: z.object({ organizationId: id }),
    status: 200,
    answer: overview,
    errors: ['organization_not_found'],
    summary: 'What is wrong in an organization and what has changed, each count with the list that it counts',
  },
} as const satisfies Record<string, Route>;
