import type { Route } from '../route.ts';
import { loginAnswer, loginRequest, user } from '../schemas/accounts.ts';

export const accountRoutes = {
  login: {
    method: 'POST',
    path: '/api/v1/auth/token/',
    access: 'none',
    body: loginRequest,
    status: 200,
    answer: loginAnswer,
    errors: ['invalid_credentials', 'too_many_attempts', 'origin_forbidden'],
    summary: 'Log in: answers an access token and sets the session cookie',
  },
  logout: {
    method: 'POST',
    path: '/api/v1/auth/logout/',
    access: 'none',
    status: 204,
    errors: ['origin_forbidden'],
    summary: 'End this session; also succeeds when not logged in',
  },
  getCurrentUser: {
    method: 'GET',
    path: '/api/v1/users/me/',
    access: 'user',
    status: 200,
    answer: user,
    summary: 'The logged-in user',
  },
} as const satisfies Record<string, Route>;
