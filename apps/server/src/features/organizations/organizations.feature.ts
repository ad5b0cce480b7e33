import type { Config } from '../../config/config.ts';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { Outbox } from '../../platform/mail/index.ts';
import type { Authenticate, SignUpInvites } from '../accounts/index.ts';
import { createOrganizationsRepository } from './organizations.repository.ts';
import { registerOrganizationRoutes } from './organizations.routes.ts';
import { createOrganizationsService } from './organizations.service.ts';

export interface OrganizationsDependencies {
  config: Config;
  db: Database;
  clock: Clock;
  events: Events;
  recordAudit: RecordAuditEvent;
  outbox: Outbox;
  eventCommentMs: number | undefined;
}

/** Organizations, their members, invites and audit log, put together. */
export function createOrganizationsFeature(dependencies: OrganizationsDependencies) {
  const { db, clock, events, recordAudit, eventCommentMs } = dependencies;
  const repository = createOrganizationsRepository(db);
  const organizations = createOrganizationsService({ db, repository, recordAudit, clock });
  // TODO(people): the real ones
  const invites: SignUpInvites = {
    getInvitedEmail: async () => undefined,
    accept: async () => {
      throw new DomainError('invite_invalid');
    },
  };
  const jobs: RecurringJob[] = [];

  return {
    createOwnedOrganization: organizations.createOwnedOrganization,
    invites,
    jobs,
    registerRoutes: (api: Api, authenticate: Authenticate) =>
      registerOrganizationRoutes(api, organizations, { events, authenticate, eventCommentMs }),
  };
}
