import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { SessionsService } from './sessions.service.ts';

export function registerSessionRoutes(api: Api, sessions: SessionsService): void {
  api.route(routes.listSessions, ({ principal }) => sessions.list(principal));

  api.route(routes.terminateSessions, async ({ principal, body, request }) => {
    await sessions.terminate(principal, body.sessions, request.ip);
    return undefined;
  });
}
