import type { FleetOverview, StatusCounts } from '@pult/contract';
import type { FirmwareCounts, GroupCounts, GroupNode } from './overview.repository.ts';

/** Versions that are named; the rest is one figure. */
const namedVersions = 10;

function add(all: readonly StatusCounts[]): StatusCounts {
  const sum = { count: 0, countOnline: 0, countOffline: 0, countNever: 0 };
  for (const counts of all) {
    sum.count += counts.count;
    sum.countOnline += counts.countOnline;
    sum.countOffline += counts.countOffline;
    sum.countNever += counts.countNever;
  }
  return sum;
}

/** The root above each group, itself for a root. */
function findRoots(groups: readonly GroupNode[]): Map<string, string> {
  const parents = new Map(groups.map(({ id, parentId }) => [id, parentId]));
  const roots = new Map<string, string>();
  for (const { id } of groups) {
    let root = id;
    for (let parent = parents.get(root); parent; parent = parents.get(root)) root = parent;
    roots.set(id, root);
  }
  return roots;
}

/** Folds the counts of firmware versions and of single groups into what people look at. */
export function summarize(figures: {
  firmware: readonly FirmwareCounts[];
  groups: readonly GroupNode[];
  counts: readonly GroupCounts[];
}): Omit<FleetOverview, 'recentlyLost' | 'recentlyAdded'> {
  const { firmware, groups, counts } = figures;
  const others = firmware.slice(namedVersions);
  const roots = findRoots(groups);
  const byRoot = new Map<string | undefined, GroupCounts[]>();
  for (const each of counts) {
    const root = each.groupId === null ? undefined : roots.get(each.groupId);
    byRoot.set(root, [...(byRoot.get(root) ?? []), each]);
  }
  return {
    ...add(firmware),
    firmware: firmware.slice(0, namedVersions),
    otherFirmware: { versions: others.length, ...add(others) },
    groups: groups
      .filter(({ parentId }) => parentId === null)
      .map(({ id, name }) => ({ id, name, ...add(byRoot.get(id) ?? []) })),
    ungrouped: add(byRoot.get(undefined) ?? []),
  };
}
