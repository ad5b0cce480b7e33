import { z } from 'zod';
import type { Route } from '../route.ts';
import { createOrganizationRequest, organization } from '../schemas/organizations.ts';
import { id } from '../schemas/text.ts';

export const organizationRoutes = {
  listOrganizations: {
    method: 'GET',
    path: '/api/v1/organizations/',
    access: 'user',
    status: 200,
    answer: z.array(organization),
    summary: 'The organizations of the user',
  },
  createOrganization: {
    method: 'POST',
    path: '/api/v1/organizations/',
    access: 'user',
    body: createOrganizationRequest,
    status: 201,
    answer: organization,
    errors: ['organizations_limit_reached'],
    summary: 'Create an organization; the creator is its owner',
  },
  getOrganization: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/',
    access: 'user',
    permission: 'organization.read',
    params: z.object({ organizationId: id }),
    status: 200,
    answer: organization,
    errors: ['organization_not_found'],
    summary: 'One organization',
  },
} as const satisfies Record<string, Route>;
