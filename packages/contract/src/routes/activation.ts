import type { Route } from '../route.ts';
import {
  activateRequest,
  lanAddressesAnswer,
  validateActivationAnswer,
  validateActivationRequest,
} from '../schemas/activation.ts';
import { controller } from '../schemas/controllers.ts';

export const activationRoutes = {
  validateActivation: {
    method: 'POST',
    path: '/api/v1/controllers-activation/validate/',
    access: 'user',
    on: 'secret',
    allowScopedSession: true,
    body: validateActivationRequest,
    status: 200,
    answer: validateActivationAnswer,
    errors: ['activation_token_invalid'],
    summary: 'Which controller an activation token belongs to, and which device would be replaced',
  },
  activateController: {
    method: 'POST',
    path: '/api/v1/controllers-activation/activate/',
    access: 'user',
    permission: 'controllers.activate',
    on: 'handler',
    confirmation: 'delete_controller',
    needsConfirmation: (body) =>
      typeof body === 'object' && body !== null && 'replace' in body && body.replace !== undefined,
    isConfirmedByScope: true,
    body: activateRequest,
    status: 200,
    answer: controller,
    errors: [
      'activation_token_invalid',
      'organization_not_found',
      'controllers_limit_reached',
      'serial_number_taken',
      'serial_number_proven',
      'replacement_needs_admin',
      'replacement_not_asked',
      'replacement_outdated',
      'replacement_unproven',
    ],
    summary:
      'Claim a controller for an organization by the token its device shows, or let that device replace the one of a controller',
  },
  listLanAddresses: {
    method: 'GET',
    path: '/api/v1/controllers-activation/lan-addresses/',
    access: 'user',
    on: 'installation',
    allowScopedSession: true,
    status: 200,
    answer: lanAddressesAnswer,
    errors: [],
    summary:
      'Where other devices would find a server that is reached as localhost; none of one that has an address',
  },
} as const satisfies Record<string, Route>;
