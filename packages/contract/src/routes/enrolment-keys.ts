import { z } from 'zod';
import type { Route } from '../route.ts';
import { createdEnrolmentKey, createEnrolmentKeyRequest, enrolmentKey } from '../schemas/enrolment-keys.ts';
import { id } from '../schemas/text.ts';

const params = z.object({ organizationId: id });

export const enrolmentKeyRoutes = {
  listEnrolmentKeys: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/enrolment-keys/',
    access: 'user',
    permission: 'enrolment_keys.manage',
    on: { organization: 'params.organizationId', at: 'root' },
    params,
    status: 200,
    answer: z.array(enrolmentKey),
    errors: ['organization_not_found'],
    summary: 'Keys by which devices claim themselves for the organization, newest first',
  },
  createEnrolmentKey: {
    method: 'POST',
    path: '/api/v1/organizations/{organizationId}/enrolment-keys/',
    access: 'user',
    permission: 'enrolment_keys.manage',
    on: { organization: 'params.organizationId', at: 'root' },
    params,
    body: createEnrolmentKeyRequest,
    status: 201,
    answer: createdEnrolmentKey,
    errors: ['organization_not_found', 'enrolment_keys_limit_reached'],
    summary: 'Create such a key; no other call shows it',
  },
  revokeEnrolmentKey: {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationId}/enrolment-keys/{keyId}/',
    access: 'user',
    permission: 'enrolment_keys.manage',
    on: { organization: 'params.organizationId', at: 'root' },
    params: z.object({ organizationId: id, keyId: id }),
    status: 204,
    errors: ['organization_not_found', 'enrolment_key_not_found'],
    summary: 'Revoke such a key; the controllers that it has claimed stay',
  },
} as const satisfies Record<string, Route>;
