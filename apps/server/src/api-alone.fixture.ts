import { type Route, type RouteName, routes } from '@pult/contract';
import type { TestServer } from '@pult/testkit/in-process';
import type { FastifyInstance } from 'fastify';
import { createAuthenticate } from './features/accounts/authenticate.ts';
import { createSessionsRepository } from './features/accounts/sessions.repository.ts';
import { createSessionsService } from './features/accounts/sessions.service.ts';
import { createTokenLogins } from './features/accounts/tokens/token-logins.ts';
import { createTokensRepository } from './features/accounts/tokens/tokens.repository.ts';
import { createAccess } from './platform/access/index.ts';
import { createAuditLog } from './platform/audit.ts';
import { DomainError } from './platform/errors.ts';
import { type ApiOptions, createApi } from './platform/http/api.ts';
import { createRateLimiter } from './platform/rate-limit.ts';
import { noTracing } from './platform/tracing/tracing.ts';

/** All rows of the contract over the database of a server, with handlers that do nothing but tell whom they got. */
export function createApiAlone(
  app: FastifyInstance,
  { db, clock, publicUrl, server: { events } }: TestServer,
  onAdmitted: (caller: unknown) => void,
  options: Partial<ApiOptions> = {},
): void {
  const { record: recordAudit } = createAuditLog(db, clock);
  const isTotpEnabled = true;
  const nobody = { verify: async () => undefined, create: async () => '' };
  const core = { db, clock, events, recordAudit };
  const sessions = createSessionsService(core, {
    repository: createSessionsRepository(db),
    // Whoever calls has a cookie or a token.
    accessTokens: nobody as never,
    isTotpEnabled,
  });
  const tokens = createTokenLogins(core, {
    repository: createTokensRepository(db),
    rateLimiter: createRateLimiter(db, clock),
    isTotpEnabled,
  });
  const api = createApi(app, {
    access: createAccess(db),
    recordAudit,
    authenticate: createAuthenticate(sessions, tokens, { sessionCookie: 'pult_session', publicUrl }),
    requireConfirmation: async () => {},
    requireRoom: () => {},
    recordRefusal: async () => {},
    clock,
    tracing: noTracing,
    writeRate: { burst: 1_000_000, perSecond: 1_000_000 },
    checkAnswers: false,
    ...options,
  });
  for (const route of Object.values<Route>(routes as Record<RouteName, Route>)) {
    api.route(route, async ({ caller }) => {
      onAdmitted(caller);
      return undefined as never;
    });
  }
  app.setErrorHandler((error, _, reply) => {
    const code = error instanceof DomainError ? error.code : String(error);
    return reply.status(500).send({ code });
  });
}
