import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { OrganizationAccess } from '../organizations/index.ts';
import { createAttachmentRepository } from './attachment.repository.ts';
import { createAttachmentService } from './attachment.service.ts';
import { createGroupsRepository } from './groups.repository.ts';
import { registerGroupRoutes } from './groups.routes.ts';
import { createGroupsService } from './groups.service.ts';

/** Groups and what is in them, put together. */
export function createGroupsFeature(dependencies: {
  db: Database;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}) {
  const { db, access, events, recordAudit, clock } = dependencies;
  const repository = createGroupsRepository(db);
  const groups = createGroupsService({ repository, access, events, recordAudit, clock });
  const attachment = createAttachmentService({
    repository: createAttachmentRepository(db),
    groupsRepository: repository,
    groups,
    access,
    events,
    recordAudit,
  });
  return { registerRoutes: (api: Api): void => registerGroupRoutes(api, groups, attachment) };
}
