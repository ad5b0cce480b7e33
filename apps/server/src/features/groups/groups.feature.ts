import type { Core, Feature } from '../../platform/feature.ts';
import { createAttachmentRepository } from './attachment.repository.ts';
import { createAttachmentService } from './attachment.service.ts';
import { createDeletedGroupsRepository } from './deleted-groups.repository.ts';
import { createDeletionService } from './deletion.service.ts';
import { createGroupsRepository } from './groups.repository.ts';
import { registerGroupRoutes } from './groups.routes.ts';
import { createGroupsService } from './groups.service.ts';
import { createUndosRepository } from './undos.repository.ts';

/** Groups and what is in them, put together. */
export function createGroupsFeature(core: Core): Feature {
  const { db, clock } = core;
  const repository = createGroupsRepository(db);
  const groups = createGroupsService(core, { repository });
  const undos = createUndosRepository(db, clock);
  const attachment = createAttachmentService(core, {
    repository: createAttachmentRepository(db),
    undos,
    groupsRepository: repository,
  });
  const deleted = createDeletedGroupsRepository(undos);
  const deletion = createDeletionService(core, { repository, deleted, groups });
  return {
    name: 'groups',
    jobs: [{ name: 'delete-group-undos', schedule: '* * * * *', run: undos.deleteForgotten }],
    routes: ({ api }) => registerGroupRoutes(api, { groups, deletion, attachment }),
  };
}
