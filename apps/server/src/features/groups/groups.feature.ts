import type { Core, Feature } from '../../platform/feature.ts';
import type { OrganizationAccess } from '../organizations/index.ts';
import { createAttachmentRepository } from './attachment.repository.ts';
import { createAttachmentService } from './attachment.service.ts';
import { createGroupsRepository } from './groups.repository.ts';
import { registerGroupRoutes } from './groups.routes.ts';
import { createGroupsService } from './groups.service.ts';

/** Groups and what is in them, put together. */
export function createGroupsFeature(
  { db, events, recordAudit, clock }: Core,
  { access }: { access: OrganizationAccess },
): Feature {
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
  return { name: 'groups', routes: ({ api }) => registerGroupRoutes(api, groups, attachment) };
}
