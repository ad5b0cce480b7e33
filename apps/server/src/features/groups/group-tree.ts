import { type Group, type Role, roles } from '@pult/contract';

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
  /** The caller's in the organization or by a grant on this very group; those of the groups above it hold here too. */
  givenRole: Role | null;
}

/** Nests the groups, in their order, and adds up how many controllers each has in it and under it. */
export function buildTrees(rows: readonly ShownGroup[], counts: ReadonlyMap<string, number>): Group[] {
  const groups = new Map<string, Group>();
  for (const { id, name, parentId, organizationId, isInScope, givenRole } of rows) {
    groups.set(id, {
      id,
      name,
      parent: parentId,
      level: 0,
      organization: { id: organizationId },
      controllersCount: counts.get(id) ?? 0,
      subgroups: [],
      ...(isInScope ? {} : { isOutside: true }),
      ...(givenRole && { userRole: givenRole }),
    });
  }
  const roots: Group[] = [];
  for (const group of groups.values()) {
    const parent = group.parent === null ? undefined : groups.get(group.parent);
    (parent?.subgroups ?? roots).push(group);
  }
  for (const root of roots) settle(root, 0);
  return roots;
}

function stronger(one: Role | undefined, other: Role | undefined): Role | undefined {
  return roles.findLast((role) => role === one || role === other);
}

/** As deep as `limits.groupLevels` at most, so recursion is safe. */
function settle(group: Group, level: number): number {
  group.level = level;
  for (const subgroup of group.subgroups) {
    const userRole = stronger(group.userRole, subgroup.userRole);
    if (userRole) subgroup.userRole = userRole;
    group.controllersCount += settle(subgroup, level + 1);
  }
  return group.controllersCount;
}

export function findGroup(groups: readonly Group[], id: string): Group | undefined {
  for (const group of groups) {
    const found = group.id === id ? group : findGroup(group.subgroups, id);
    if (found) return found;
  }
  return undefined;
}
