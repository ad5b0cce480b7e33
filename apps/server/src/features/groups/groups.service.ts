import { type Group, limits } from '@pult/contract';
import type { GroupCaller, OrganizationCaller, Scope, ScopedCaller } from '../../platform/access/index.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { Core } from '../../platform/feature.ts';
import { requireInScope } from '../../platform/http/token-scope.ts';
import { createId } from '../../platform/ids.ts';
import type { ControllerFilters } from '../controllers/index.ts';
import { buildTrees, findGroup } from './group-tree.ts';
import type { GroupsRepository } from './groups.repository.ts';

/** Where somebody must have the right to put a group: under a parent, or at the root. */
export function placeOf(parentId: string | null): 'root' | { groupId: string } {
  return parentId === null ? 'root' : { groupId: parentId };
}

/** The trees of groups. Changes of one organization's trees are made one after another. */
export function createGroupsService(
  { events, clock }: Core,
  { repository }: { repository: GroupsRepository },
) {
  /** How many groups are above a child of this parent. Throws the error of the field `parent`. */
  async function getChildLevel(
    transaction: DatabaseTransaction,
    organizationId: string,
    parentId: string | null,
    movedId?: string,
  ): Promise<number> {
    if (parentId === null) return 0;
    const path = await repository.listPath(transaction, organizationId, parentId);
    if (path.length === 0) throw new FieldError('parent', 'group_unknown');
    if (movedId !== undefined && path.includes(movedId)) throw new DomainError('group_cycle');
    return path.length;
  }

  function requireDepth(levels: number): void {
    if (levels > limits.groupLevels) throw new DomainError('group_too_deep', { limit: limits.groupLevels });
  }

  async function readTrees(scope: Scope, filters: ControllerFilters): Promise<Group[]> {
    const [rows, counts, given] = await Promise.all([
      repository.listGroups(scope, filters.organization_id),
      repository.countControllers(scope, filters),
      repository.listGivenRoles(scope),
    ]);
    return buildTrees(rows, counts, given);
  }

  function publish(organizationId: string, groupId: string, change: 'created' | 'updated'): void {
    events.publish('organization', { organizationId, event: { type: 'group.changed', change, groupId } });
  }

  const service = {
    async listGroups({ principal, scope }: ScopedCaller, filters: ControllerFilters): Promise<Group[]> {
      const { organization_id: _, ...ofControllers } = filters;
      // By the counts of those that match each field of a controller could be found out.
      if (Object.values(ofControllers).some((value) => value !== undefined && value !== '')) {
        requireInScope(principal, 'controllers.read');
      }
      return readTrees(scope, filters);
    },

    async createGroup(
      caller: OrganizationCaller,
      { name, parent: parentId = null }: { name: string; parent?: string | null | undefined },
    ): Promise<Group> {
      const { id: organizationId } = caller.organization;
      const id = createId();
      const { level, userRole } = await caller.change(async (transaction, _, rights) => {
        const childLevel = await getChildLevel(transaction, organizationId, parentId);
        requireDepth(childLevel + 1);
        await service.requireRoomFor(transaction, organizationId, 1);
        if (await repository.isNameTaken(transaction, organizationId, { parentId, name })) {
          throw new FieldError('name', 'name_taken');
        }
        const createdAt = clock.now();
        await repository.createGroup(transaction, { id, name, parentId, organizationId, createdAt });
        await caller.audit('group.created', { subject: name }, transaction);
        const role = await rights.getRole(placeOf(parentId));
        return { level: childLevel, userRole: role ?? undefined };
      });
      publish(organizationId, id, 'created');
      const organization = { id: organizationId };
      return {
        id,
        name,
        parent: parentId,
        level,
        organization,
        controllersCount: 0,
        userRole,
        subgroups: [],
      };
    },

    /** With all under it. */
    async getGroup({ scopeFor, organization }: OrganizationCaller, id: string): Promise<Group> {
      const trees = await readTrees(scopeFor('groups.read'), { organization_id: organization.id });
      const group = findGroup(trees, id);
      if (!group) throw new DomainError('group_not_found');
      return group;
    },

    async requireRoomFor(
      transaction: DatabaseTransaction,
      organizationId: string,
      added: number,
    ): Promise<void> {
      const limit = limits.groupsPerOrganization;
      if ((await repository.countGroups(transaction, organizationId)) + added > limit) {
        throw new DomainError('groups_limit_reached', { limit });
      }
    },

    /** Throws where the group with all under it reaches too deep, below that parent. */
    async requireDepthOf(
      transaction: DatabaseTransaction,
      organizationId: string,
      id: string,
      parentId: string | null,
    ): Promise<void> {
      const level = await getChildLevel(transaction, organizationId, parentId);
      requireDepth(level + (await repository.countLevels(transaction, organizationId, id)));
    },

    async updateGroup(
      caller: GroupCaller,
      changes: {
        name?: string | undefined;
        parent?: string | null | undefined;
        expectedParent?: string | null | undefined;
      },
    ): Promise<Group> {
      const { id } = caller.group;
      const { id: organizationId } = caller.organization;
      await caller.change(async (transaction, _, rights) => {
        const group = await repository.getGroup(transaction, organizationId, id);
        if (!group) throw new DomainError('group_not_found');
        const { name = group.name, parent: parentId = group.parentId, expectedParent } = changes;
        if (expectedParent !== undefined && expectedParent !== group.parentId)
          throw new DomainError('group_moved');
        if (parentId !== group.parentId) {
          await rights.require('groups.manage', placeOf(parentId));
          const level = await getChildLevel(transaction, organizationId, parentId, id);
          requireDepth(level + (await repository.countLevels(transaction, organizationId, id)));
        }
        if (await repository.isNameTaken(transaction, organizationId, { parentId, name }, id)) {
          throw new FieldError('name', 'name_taken');
        }
        await repository.updateGroup(transaction, organizationId, id, { parentId, name });
        const details = {
          ...(name === group.name ? {} : { previousName: group.name }),
          ...(parentId === group.parentId ? {} : { moved: true }),
        };
        await caller.audit('group.updated', { subject: name, details }, transaction);
      });
      publish(organizationId, id, 'updated');
      return service.getGroup(caller, id);
    },
  };
  return service;
}
export type GroupsService = ReturnType<typeof createGroupsService>;
