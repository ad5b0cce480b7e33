import { z } from 'zod';
import type { Route } from '../route.ts';
import {
  controllerHistory,
  controllerHistoryRequest,
  organizationHistory,
  organizationHistoryRequest,
} from '../schemas/history.ts';
import { id } from '../schemas/text.ts';
import { controllerParams } from './controllers.ts';

export const historyRoutes = {
  queryControllerHistory: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/history/',
    access: 'user',
    rateLimited: false,
    isServedWhenFull: true,
    permission: 'telemetry.read',
    on: 'controller',
    params: controllerParams,
    body: controllerHistoryRequest,
    status: 200,
    answer: controllerHistory,
    errors: ['controller_not_found'],
    summary:
      'What controls of a controller were over a period: extremes, mean and last value, in at most 2,000 points each',
  },
  queryOrganizationHistory: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/history/',
    access: 'user',
    rateLimited: false,
    isServedWhenFull: true,
    permission: 'telemetry.read',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params: z.object({ organizationId: id }),
    body: organizationHistoryRequest,
    status: 200,
    answer: organizationHistory,
    errors: ['organization_not_found'],
    summary: 'What one control was at several controllers of an organization over a period',
  },
} as const satisfies Record<string, Route>;
