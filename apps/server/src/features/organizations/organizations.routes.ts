import { routes } from '@pult/contract';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { EventFeeds } from './event-feed.ts';
import { sendEventStream } from './event-stream.ts';
import type { OpenEventStreams } from './open-event-streams.ts';
import type { OrganizationsService } from './organizations.service.ts';

export function registerOrganizationRoutes(
  api: Api,
  organizations: OrganizationsService,
  options: {
    events: Events;
    feeds: EventFeeds;
    openStreams: OpenEventStreams;
    eventCommentMs: number | undefined;
    eventLeavingMs: number;
  },
): void {
  const { events, feeds, openStreams, eventCommentMs, eventLeavingMs } = options;

  api.route(routes.listOrganizations, ({ caller }) => organizations.listOrganizations(caller));

  api.route(routes.createOrganization, ({ caller, body }) =>
    organizations.createOrganization(caller, body.name),
  );

  api.route(routes.getOrganization, async ({ caller }) => ({
    ...(await organizations.getOrganization(caller)),
    eventCursor: feeds.cursorOf(caller.organization.id),
  }));

  api.route(routes.updateOrganization, ({ caller, body }) => organizations.updateOrganization(caller, body));

  api.route(routes.deleteOrganization, ({ caller }) => organizations.deleteOrganization(caller));

  api.route(routes.listenToEvents, async ({ caller, request, reply }) => {
    const { principal } = caller;
    const { id, isPartial = false } = caller.organization;
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
