import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { SessionsService } from './sessions.service.ts';

export function registerSessionRoutes(api: Api, sessions: SessionsService): void {
  api.route(routes.listSessions, ({ caller }) => sessions.list(caller.principal));

  api.route(routes.terminateSessions, ({ caller, body }) => sessions.terminate(caller, body.sessions));
}
