import { routes } from '@pult/contract';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { Authenticate } from '../accounts/index.ts';
import { sendEventStream } from './event-stream.ts';
import type { OrganizationsService } from './organizations.service.ts';

export function registerOrganizationRoutes(
  api: Api,
  organizations: OrganizationsService,
  {
    events,
    authenticate,
    eventCommentMs,
  }: { events: Events; authenticate: Authenticate; eventCommentMs?: number | undefined },
): void {
  api.route(routes.listOrganizations, ({ principal }) => organizations.listOrganizations(principal));

  api.route(routes.createOrganization, ({ principal, body, request }) =>
    organizations.createOrganization(principal, body.name, request.ip),
  );

  api.route(routes.getOrganization, ({ principal, params }) =>
    organizations.getOrganization(principal, params.organizationId),
  );

  api.route(routes.listenToEvents, async ({ principal, query, request, reply }) => {
    const { organization_id: id } = query;
    await organizations.requirePermission(principal, id, 'controllers.read');
    const { userId, sessionId } = principal;
    const mayStillListen = async () => {
      const listener = await authenticate(request).catch(() => undefined);
      if (listener === undefined) return false;
      const allowed = await organizations.listOrganizations(listener);
      return allowed.some((organization) => organization.id === id);
    };
    const listener = { organizationId: id, userId, sessionId, mayStillListen };
    sendEventStream(reply, events, listener, { commentIntervalMs: eventCommentMs });
    // The stream is the answer.
    return undefined as never;
  });
}
