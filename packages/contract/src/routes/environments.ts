import type { Route } from '../route.ts';
import { environments } from '../schemas/environments.ts';

export const environmentRoutes = {
  getEnvironments: {
    method: 'GET',
    path: '/api/v1/environments/',
    access: 'none',
    status: 200,
    answer: environments,
    summary: 'Settings of this installation',
  },
} as const satisfies Record<string, Route>;
