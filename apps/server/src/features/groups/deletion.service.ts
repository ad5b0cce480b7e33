import type { Group } from '@pult/contract';
import type { GroupCaller, OrganizationCaller } from '../../platform/access/index.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { Core } from '../../platform/feature.ts';
import type { DeletedGroupsRepository } from './deleted-groups.repository.ts';
import type { GroupsRepository } from './groups.repository.ts';
import { type GroupsService, placeOf } from './groups.service.ts';

interface Dependencies {
  repository: GroupsRepository;
  deleted: DeletedGroupsRepository;
  groups: GroupsService;
}

/** Deletes groups, and brings them back for as long as that may be asked for. */
export function createDeletionService({ events }: Core, { repository, deleted, groups }: Dependencies) {
  function publish(organizationId: string, groupId: string, change: 'created' | 'deleted' | 'controllers') {
    events.publish('organization', { organizationId, event: { type: 'group.changed', change, groupId } });
  }

  return {
    async deleteGroup(caller: GroupCaller): Promise<void> {
      const { id } = caller.group;
      const { id: organizationId } = caller.organization;
      await caller.change(async (transaction) => {
        const group = await repository.getGroup(transaction, organizationId, id);
        if (!group) throw new DomainError('group_not_found');
        const tree = await repository.lockTree(transaction, organizationId, id);
        const count = await deleted.keep(transaction, { organizationId, id, tree });
        await repository.deleteGroup(transaction, organizationId, id);
        const details = { subgroups: tree.length - 1, count };
        await caller.audit('group.deleted', { subject: group.name, details }, transaction);
      });
      publish(organizationId, id, 'deleted');
    },

    /** As it was, where it was. What others have done meanwhile stands: then it is refused, or a controller stays away. */
    async restoreGroup(caller: OrganizationCaller, id: string): Promise<Group> {
      const { id: organizationId } = caller.organization;
      await caller.change(async (transaction, _, rights) => {
        const kept = await deleted.take(transaction, organizationId, id);
        const group = kept?.groups.find((one) => one.id === id);
        if (!kept || !group) throw new DomainError('group_not_found');
        const { parent_id: parentId, name } = group;
        await rights.require('groups.manage', placeOf(parentId));
        if (parentId !== null && !(await repository.getGroup(transaction, organizationId, parentId))) {
          throw new DomainError('group_parent_gone');
        }
        if (await repository.isNameTaken(transaction, organizationId, { parentId, name })) {
          throw new FieldError('name', 'name_taken');
        }
        await groups.requireRoomFor(transaction, organizationId, kept.groups.length);
        const count = await deleted.restore(transaction, organizationId, kept);
        await groups.requireDepthOf(transaction, organizationId, id, parentId);
        const details = { subgroups: kept.groups.length - 1, count };
        await caller.audit('group.restored', { subject: name, details }, transaction);
      });
      publish(organizationId, id, 'created');
      publish(organizationId, id, 'controllers');
      return groups.getGroup(caller, id);
    },
  };
}
export type DeletionService = ReturnType<typeof createDeletionService>;
