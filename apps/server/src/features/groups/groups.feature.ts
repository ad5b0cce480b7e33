import type { Core, Feature } from '../../platform/feature.ts';
import type { OrganizationAccess } from '../organizations/index.ts';
import { createAttachmentRepository } from './attachment.repository.ts';
import { createAttachmentService } from './attachment.service.ts';
import { createDeletedGroupsRepository } from './deleted-groups.repository.ts';
import { createDeletionService } from './deletion.service.ts';
import { createGroupsRepository } from './groups.repository.ts';
import { registerGroupRoutes } from './groups.routes.ts';
import { createGroupsService, type GroupsService } from './groups.service.ts';
import { createUndosRepository } from './undos.repository.ts';

export interface GroupsFeature extends Feature {
  groups: Pick<GroupsService, 'requireOrganizationId'>;
}

/** Groups and what is in them, put together. */
export function createGroupsFeature(
  { db, events, recordAudit, clock }: Core,
  { access }: { access: OrganizationAccess },
): GroupsFeature {
  const repository = createGroupsRepository(db);
  const groups = createGroupsService({ repository, access, events, recordAudit, clock });
  const undos = createUndosRepository(db, clock);
  const attachment = createAttachmentService({
    repository: createAttachmentRepository(db),
    undos,
    groupsRepository: repository,
    groups,
    access,
    events,
    recordAudit,
  });
  const deleted = createDeletedGroupsRepository(undos);
  const deletion = createDeletionService({ repository, deleted, undos, groups, access, events, recordAudit });
  return {
    name: 'groups',
    groups,
    jobs: [{ name: 'delete-group-undos', schedule: '* * * * *', run: undos.deleteForgotten }],
    routes: ({ api }) => registerGroupRoutes(api, { groups, deletion, attachment }),
  };
}
