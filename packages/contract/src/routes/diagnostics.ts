import { z } from 'zod';
import type { Route } from '../route.ts';
import { diagnostic, diagnosticState } from '../schemas/diagnostics.ts';
import { id } from '../schemas/text.ts';
import { controllerParams } from './controllers.ts';

export const diagnosticRoutes = {
  getDiagnostic: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/diagnostic/',
    access: 'user',
    permission: 'controllers.read',
    on: 'controller',
    params: controllerParams,
    status: 200,
    answer: diagnosticState,
    errors: ['controller_not_found'],
    summary: 'How the last diagnostics of a controller stand',
  },
  requestDiagnostic: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/request-diagnostic/',
    access: 'user',
    permission: 'diagnostics.request',
    on: 'controller',
    params: controllerParams,
    status: 202,
    answer: diagnosticState,
    errors: ['controller_not_found', 'diagnostic_in_progress', 'diagnostic_not_given'],
    summary: 'Have a controller collect diagnostics: now, or as soon as it is online',
  },
  listDiagnostics: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/diagnostics/',
    access: 'user',
    permission: 'controllers.read',
    on: 'controller',
    params: controllerParams,
    status: 200,
    answer: z.array(diagnostic),
    errors: ['controller_not_found'],
    summary: 'The diagnostics of a controller that are kept, newest first',
  },
  downloadDiagnostic: {
    method: 'GET',
    path: '/api/v1/download/{id}',
    access: 'user',
    permission: 'diagnostics.request',
    on: 'diagnostic',
    params: z.object({ id }),
    status: 200,
    answer: z.string(),
    kind: 'file',
    errors: ['diagnostic_not_found', 'range_not_satisfiable'],
    summary: 'The archive of diagnostics that are ready; parts of it by Range',
  },
} as const satisfies Record<string, Route>;
