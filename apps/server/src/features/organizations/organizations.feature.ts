import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RecordRefusal } from '../../platform/http/api.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import { sample } from '../../platform/prometheus/metric.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import type { SignUpInvites } from '../accounts/index.ts';
import type { GrantsRepository } from '../grants/index.ts';
import { createAuditLogRepository } from './audit/audit-log.repository.ts';
import { registerAuditLogRoutes } from './audit/audit-log.routes.ts';
import { type AuditLogService, createAuditLogService } from './audit/audit-log.service.ts';
import { createRefusalLog } from './audit/refusal-log.ts';
import { createEventFeeds } from './event-feed.ts';
import { createInviteAcceptance } from './invites/invite-acceptance.service.ts';
import { createInvitesRepository } from './invites/invites.repository.ts';
import { registerInviteRoutes } from './invites/invites.routes.ts';
import { createInvitesService } from './invites/invites.service.ts';
import { createMembersRepository } from './members/members.repository.ts';
import { registerMemberRoutes } from './members/members.routes.ts';
import { createMembersService } from './members/members.service.ts';
import { createOpenEventStreamsRepository } from './open-event-streams.repository.ts';
import { createOpenEventStreams } from './open-event-streams.ts';
import { createOrganizationsRepository } from './organizations.repository.ts';
import { registerOrganizationRoutes } from './organizations.routes.ts';
import { createOrganizationsService, type OrganizationsService } from './organizations.service.ts';

export interface OrganizationsFeature extends Feature {
  recordRefusal: RecordRefusal;
  /** For sign-up. */
  invites: SignUpInvites;
  createOwnedOrganization: OrganizationsService['createOwnedOrganization'];
  listLatestEvents: AuditLogService['listLatest'];
}

/** Organizations, their members, invites and audit log, put together. */
export function createOrganizationsFeature(
  core: Core,
  { grants, timing }: { grants: GrantsRepository; timing: { eventCommentMs?: number | undefined } },
): OrganizationsFeature {
  const { db, clock, events, recordAudit, publicUrl } = core;
  const { totpAuthEnabled: isTotpEnabled } = core.config.settings;
  const repository = createOrganizationsRepository(db);
  const rateLimiter = createRateLimiter(db, clock);

  const inviting = { repository: createInvitesRepository(db), rateLimiter };
  const invites = createInvitesService(core, { ...inviting, places: grants });
  const acceptance = createInviteAcceptance(core, { ...inviting, grants });

  const membersRepository = createMembersRepository(db);
  const members = createMembersService(core, { repository: membersRepository, invites });
  const organizations = createOrganizationsService(core, {
    repository,
    members: membersRepository,
    invites,
  });

  const auditLog = createAuditLogService(core, { repository: createAuditLogRepository(db) });

  const openStreams = createOpenEventStreams(core, {
    repository: createOpenEventStreamsRepository(db, { isTotpEnabled }),
  });

  const jobs: RecurringJob[] = [
    { name: 'delete-expired-invites', schedule: '37 * * * *', run: invites.deleteExpired },
    { name: 'delete-forgotten-audit-events', schedule: '47 3 * * *', run: auditLog.deleteForgotten },
  ];

  return {
    name: 'organizations',
    createOwnedOrganization: organizations.createOwnedOrganization,
    invites: acceptance.invites,
    listLatestEvents: auditLog.listLatest,
    jobs,
    metrics: [
      {
        name: 'pult_event_streams',
        help: 'Streams of events that consoles listen to',
        type: 'gauge',
        read: () => sample(openStreams.size),
      },
    ],
    recordRefusal: createRefusalLog(rateLimiter, recordAudit),
    routes({ api }) {
      const feeds = createEventFeeds(events);
      registerOrganizationRoutes(api, organizations, {
        events,
        feeds,
        openStreams,
        eventCommentMs: timing.eventCommentMs,
        // One that is alone is back in a moment, or is not: nobody else is asked at once.
        eventLeavingMs: core.node.settings ? 10_000 : 0,
      });
      registerMemberRoutes(api, members);
      registerAuditLogRoutes(api, auditLog, { publicUrl, clock });
      registerInviteRoutes(api, invites, acceptance, publicUrl);
    },
    start: openStreams.start,
    stop: openStreams.stop,
  };
}
