import type { Group } from '@pult/contract';

/** A line of the tree as it is drawn: a group, or one of the choices above the groups. */
export interface TreeRow {
  id: string;
  name: string;
  /** Absent for what is no group. */
  group: Group | undefined;
  /** From 1, as assistive technology counts. */
  level: number;
  /** From 1, among its siblings. */
  position: number;
  siblings: number;
  parentId: string | null;
  /** Undefined when there is nothing under it. */
  isExpanded: boolean | undefined;
  /** Undefined until known. */
  count: number | undefined;
}

/** A choice that is no group and stands above them. */
export interface TopChoice {
  id: string;
  name: string;
  count?: number | undefined;
}

/** The rows in sight, from top to bottom. */
export function listRows(
  groups: readonly Group[],
  expanded: ReadonlySet<string>,
  top: readonly TopChoice[] = [],
): TreeRow[] {
  const siblings = top.length + groups.length;
  const rows: TreeRow[] = top.map(({ id, name, count }, index) => ({
    id,
    name,
    group: undefined,
    level: 1,
    position: index + 1,
    siblings,
    parentId: null,
    isExpanded: undefined,
    count,
  }));
  const add = (level: readonly Group[], before: number) => {
    level.forEach((group, index) => {
      const isExpanded = group.subgroups.length > 0 ? expanded.has(group.id) : undefined;
      rows.push({
        id: group.id,
        name: group.name,
        group,
        level: group.level + 1,
        position: before + index + 1,
        siblings: before + level.length,
        parentId: group.parent,
        isExpanded,
        count: group.controllersCount,
      });
      if (isExpanded) add(group.subgroups, 0);
    });
  };
  add(groups, top.length);
  return rows;
}

/** The groups from the root down to this one; none when it is not there. */
export function pathTo(groups: readonly Group[], id: string): Group[] {
  for (const group of groups) {
    if (group.id === id) return [group];
    const below = pathTo(group.subgroups, id);
    if (below.length > 0) return [group, ...below];
  }
  return [];
}

/** How many groups are under it, at any depth. */
export function countUnder(group: Group): number {
  return group.subgroups.reduce((count, each) => count + 1 + countUnder(each), 0);
}

/** The trees without a group and all under it: the places that it may be moved to. */
export function withoutGroup(groups: readonly Group[], id: string): Group[] {
  return groups
    .filter((group) => group.id !== id)
    .map((group) => ({ ...group, subgroups: withoutGroup(group.subgroups, id) }));
}
