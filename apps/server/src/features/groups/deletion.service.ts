import type { Group } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createScope, type OrganizationAccess } from '../organizations/index.ts';
import type { DeletedGroupsRepository } from './deleted-groups.repository.ts';
import type { GroupsRepository } from './groups.repository.ts';
import { type GroupsService, placeOf } from './groups.service.ts';
import type { UndosRepository } from './undos.repository.ts';

interface Dependencies {
  repository: GroupsRepository;
  deleted: DeletedGroupsRepository;
  undos: Pick<UndosRepository, 'getOrganizationId'>;
  groups: GroupsService;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
}

/** Deletes groups, and brings them back for as long as that may be asked for. */
export function createDeletionService(dependencies: Dependencies) {
  const { repository, deleted, undos, groups, access, events, recordAudit } = dependencies;

  function publish(organizationId: string, groupId: string, change: 'created' | 'deleted' | 'controllers') {
    events.publish('organization', { organizationId, event: { type: 'group.changed', change, groupId } });
  }

  return {
    async deleteGroup(principal: Principal, id: string, address: string): Promise<void> {
      const organizationId = await groups.requireOrganizationId(principal, id);
      await access.change(
        principal,
        organizationId,
        'groups.manage',
        async (transaction) => {
          const group = await repository.getGroup(transaction, organizationId, id);
          if (!group) throw new DomainError('group_not_found');
          const tree = await repository.lockTree(transaction, organizationId, id);
          const count = await deleted.keep(transaction, { organizationId, id, tree });
          await repository.deleteGroup(transaction, organizationId, id);
          const { userId } = principal;
          const details = { subgroups: tree.length - 1, count };
          await recordAudit(
            { action: 'group.deleted', userId, organizationId, subject: group.name, address, details },
            transaction,
          );
        },
        { groupId: id },
      );
      publish(organizationId, id, 'deleted');
    },

    /** As it was, where it was. What others have done meanwhile stands: then it is refused, or a controller stays away. */
    async restoreGroup(principal: Principal, id: string, address: string): Promise<Group> {
      const organizationId = await undos.getOrganizationId(
        createScope(principal, 'groups.read'),
        id,
        'deletion',
      );
      if (!organizationId) throw new DomainError('group_not_found');
      await access.change(
        principal,
        organizationId,
        'groups.manage',
        async (transaction, _, rights) => {
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
          const { userId } = principal;
          const details = { subgroups: kept.groups.length - 1, count };
          await recordAudit(
            { action: 'group.restored', userId, organizationId, subject: name, address, details },
            transaction,
          );
        },
        'anywhere',
      );
      publish(organizationId, id, 'created');
      publish(organizationId, id, 'controllers');
      return groups.getGroup(principal, organizationId, id);
    },
  };
}
export type DeletionService = ReturnType<typeof createDeletionService>;
