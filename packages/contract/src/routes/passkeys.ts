import { z } from 'zod';
import type { Route } from '../route.ts';
import { loginAnswer } from '../schemas/accounts.ts';
import { addPasskeyRequest, passkey, passkeyLoginRequest, passkeyOptions } from '../schemas/passkeys.ts';
import { id } from '../schemas/text.ts';

export const passkeyRoutes = {
  listPasskeys: {
    method: 'GET',
    path: '/api/v1/users/me/passkeys/',
    access: 'user',
    on: 'self',
    status: 200,
    answer: z.array(passkey),
    summary: 'The passkeys that the user has instead of codes, newest first',
  },
  createPasskeyOptions: {
    method: 'POST',
    path: '/api/v1/users/me/passkeys/options/',
    access: 'user',
    on: 'self',
    rateLimited: false,
    status: 200,
    answer: passkeyOptions,
    errors: ['passkeys_unavailable', 'totp_not_enabled', 'passkeys_limit_reached'],
    summary: 'What a browser needs to make a passkey; good for five minutes of this session',
  },
  addPasskey: {
    method: 'POST',
    path: '/api/v1/users/me/passkeys/',
    access: 'user',
    on: 'self',
    confirmation: 'manage_passkeys',
    body: addPasskeyRequest,
    status: 201,
    answer: passkey,
    errors: ['passkeys_unavailable', 'totp_not_enabled', 'passkeys_limit_reached'],
    summary: 'Register a passkey',
  },
  deletePasskey: {
    method: 'DELETE',
    path: '/api/v1/users/me/passkeys/{passkeyId}/',
    access: 'user',
    on: 'self',
    confirmation: 'manage_passkeys',
    params: z.object({ passkeyId: id }),
    status: 204,
    errors: ['passkey_not_found'],
    summary: 'Forget a passkey',
  },
  createPasskeyChallenge: {
    method: 'POST',
    path: '/api/v1/auth/passkeys/options/',
    access: 'none',
    isServedWhenFull: true,
    status: 200,
    answer: passkeyOptions,
    errors: ['passkeys_unavailable', 'origin_forbidden'],
    summary: 'What a browser needs to prove a passkey, whoever has it; good once, for five minutes',
  },
  logInByPasskey: {
    method: 'POST',
    path: '/api/v1/auth/passkeys/login/',
    access: 'none',
    body: passkeyLoginRequest,
    status: 200,
    answer: loginAnswer,
    errors: ['invalid_credentials', 'passkeys_unavailable', 'too_many_attempts', 'origin_forbidden'],
    summary: 'Log in by a passkey alone, whose authenticator has verified the user; as `login` otherwise',
  },
} as const satisfies Record<string, Route>;
