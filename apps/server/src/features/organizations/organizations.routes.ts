import { routes } from '@pult/contract';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { EventFeeds } from './event-feed.ts';
import { sendEventStream } from './event-stream.ts';
import type { OpenEventStreams } from './open-event-streams.ts';
import type { OrganizationAccess } from './organization-access.ts';
import type { OrganizationsService } from './organizations.service.ts';

export function registerOrganizationRoutes(
  api: Api,
  organizations: OrganizationsService,
  options: {
    access: OrganizationAccess;
    events: Events;
    feeds: EventFeeds;
    openStreams: OpenEventStreams;
    eventCommentMs: number | undefined;
    eventLeavingMs: number;
  },
): void {
  const { access, events, feeds, openStreams, eventCommentMs, eventLeavingMs } = options;

  api.route(routes.listOrganizations, ({ principal }) => organizations.listOrganizations(principal));

  api.route(routes.createOrganization, ({ principal, body, request }) =>
    organizations.createOrganization(principal, body.name, request.ip),
  );

  api.route(routes.getOrganization, async ({ principal, params }) => ({
    ...(await organizations.getOrganization(principal, params.organizationId)),
    eventCursor: feeds.cursorOf(params.organizationId),
  }));

  api.route(routes.updateOrganization, ({ principal, params, body, request }) =>
    organizations.updateOrganization(principal, params.organizationId, body, request.ip),
  );

  api.route(routes.deleteOrganization, async ({ principal, params, request }) => {
    await organizations.deleteOrganization(principal, params.organizationId, request.ip);
    return undefined;
  });

  api.route(routes.listenToEvents, async ({ principal, query, request, reply }) => {
    const { organization_id: id } = query;
    const { isPartial = false } = await access.require(principal, id, 'controllers.read', 'anywhere');
    const { userId, sessionId } = principal;
    const isAuthenticated = async () => {
      try {
        await api.authenticate(request);
        return true;
      } catch (error) {
        if (error instanceof DomainError) return false;
        throw error;
      }
    };
    const chooseFor = openStreams.chooseFor(principal, id);
    // What they were granted is looked up at the first check.
    const listener = {
      organizationId: id,
      userId,
      sessionId,
      isPartial,
      part: '',
      isAuthenticated,
      chooseFor,
    };
    sendEventStream(reply, { events, feeds, openStreams }, listener, {
      commentIntervalMs: eventCommentMs,
      leavingMs: eventLeavingMs,
    });
    // The stream is the answer.
    return undefined as never;
  });
}
