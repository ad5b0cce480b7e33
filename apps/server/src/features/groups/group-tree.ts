import { type Group, type Role, roles } from '@pult/contract';
import type { GivenRole } from '../../platform/access/index.ts';

/** A group as the table has it. */
export interface GroupRow {
  id: string;
  name: string;
  parentId: string | null;
  organizationId: string;
}

export interface ShownGroup extends GroupRow {
  /** False: only on the way to what is in scope. */
  isInScope: boolean;
}

/**
 * Nests the groups, in their order, adds up how many controllers each has in it and under it, and tells the role that the caller
 * has at each by those that were given them.
 */
export function buildTrees(
  rows: readonly ShownGroup[],
  counts: ReadonlyMap<string, number>,
  given: readonly GivenRole[],
): Group[] {
  const groups = new Map<string, Group>();
  for (const { id, name, parentId, organizationId, isInScope } of rows) {
    groups.set(id, {
      id,
      name,
      parent: parentId,
      level: 0,
      organization: { id: organizationId },
      controllersCount: counts.get(id) ?? 0,
      subgroups: [],
      ...(isInScope ? {} : { isOutside: true }),
    });
  }
  const roots: Group[] = [];
  for (const group of groups.values()) {
    const parent = group.parent === null ? undefined : groups.get(group.parent);
    (parent?.subgroups ?? roots).push(group);
  }
  const held = new Map<string, Role | undefined>();
  for (const { placeId, role } of given) held.set(placeId, stronger(held.get(placeId), role));
  for (const root of roots) settle(root, 0, held.get(root.organization.id), held);
  return roots;
}

function stronger(one: Role | undefined, other: Role | undefined): Role | undefined {
  return roles.findLast((role) => role === one || role === other);
}

/** `above`: the role that holds from there on. As deep as `limits.groupLevels` at most, so recursion is safe. */
function settle(
  group: Group,
  level: number,
  above: Role | undefined,
  held: ReadonlyMap<string, Role | undefined>,
): number {
  group.level = level;
  const role = stronger(above, held.get(group.id));
  if (role) group.userRole = role;
  for (const subgroup of group.subgroups) group.controllersCount += settle(subgroup, level + 1, role, held);
  return group.controllersCount;
}

export function findGroup(groups: readonly Group[], id: string): Group | undefined {
  for (const group of groups) {
    const found = group.id === id ? group : findGroup(group.subgroups, id);
    if (found) return found;
  }
  return undefined;
}
