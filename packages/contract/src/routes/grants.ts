import { z } from 'zod';
import type { Route } from '../route.ts';
import { createGrantRequest, grant, listGrantsQuery } from '../schemas/grants.ts';
import { id } from '../schemas/text.ts';

const params = z.object({ organizationId: id });

export const grantRoutes = {
  listGrants: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/grants/',
    access: 'user',
    permission: 'grants.manage',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params,
    query: listGrantsQuery,
    status: 200,
    answer: z.array(grant),
    errors: ['organization_not_found', 'controller_not_found', 'group_not_found'],
    summary: 'Who has which rights in the organization, or in the part of it that the caller manages',
  },
  createGrant: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/grants/',
    access: 'user',
    permission: 'grants.manage',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params,
    body: createGrantRequest,
    status: 201,
    answer: grant,
    errors: ['organization_not_found', 'own_grant', 'grants_limit_reached'],
    summary:
      'Give a right on the organization, a group or a controller; in place of what the subject had there',
  },
  deleteGrant: {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationId}/grants/{grantId}/',
    access: 'user',
    permission: 'grants.manage',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params: z.object({ organizationId: id, grantId: id }),
    status: 204,
    errors: ['organization_not_found', 'grant_not_found', 'grant_by_provider'],
    summary: 'End a right; what rests on it is cut',
  },
} as const satisfies Record<string, Route>;
