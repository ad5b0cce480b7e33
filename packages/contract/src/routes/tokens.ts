import { z } from 'zod';
import type { Route } from '../route.ts';
import { id } from '../schemas/text.ts';
import { accessToken, createdToken, createTokenRequest } from '../schemas/tokens.ts';

export const tokenRoutes = {
  listTokens: {
    method: 'GET',
    path: '/api/v1/users/me/tokens/',
    access: 'user',
    token: 'tokens.manage',
    status: 200,
    answer: z.array(accessToken),
    summary: 'The tokens by which programs act for the user',
  },
  createToken: {
    method: 'POST',
    path: '/api/v1/users/me/tokens/',
    access: 'user',
    token: 'tokens.manage',
    confirmation: 'add_token',
    isConfirmedByScope: true,
    body: createTokenRequest,
    status: 201,
    answer: createdToken,
    errors: ['tokens_limit_reached', 'token_too_strong', 'too_many_attempts'],
    summary: 'Make a token, which only this answer shows; never with more than the user’s own rights',
  },
  deleteToken: {
    method: 'DELETE',
    path: '/api/v1/users/me/tokens/{tokenId}/',
    access: 'user',
    token: 'tokens.manage',
    isUncounted: true,
    isServedWhenFull: true,
    params: z.object({ tokenId: id }),
    status: 204,
    errors: ['token_not_found'],
    summary: 'Delete a token; whatever it has opened is cut',
  },
} as const satisfies Record<string, Route>;
