import type { Group } from '@pult/contract';
import { pathTo } from './tree.ts';

/** Which controllers by their group: of these and all under them, of none, or all. */
export interface GroupChoice {
  groupIds: readonly string[];
  ungrouped: boolean;
}

/** The rows above the groups; no group has such an id. */
export const topIds = { all: 'all', ungrouped: 'ungrouped' } as const;

/** What choosing a row of the tree means. */
export function readChoice(id: string): GroupChoice {
  const isTop = id === topIds.all || id === topIds.ungrouped;
  return { groupIds: isTop ? [] : [id], ungrouped: id === topIds.ungrouped };
}

/** The rows that stand for the choice. */
export function writeChoice({ groupIds, ungrouped }: GroupChoice): readonly string[] {
  if (ungrouped) return [topIds.ungrouped];
  return groupIds.length > 0 ? groupIds : [topIds.all];
}

/** Whether a chosen group went with the deleted one. */
export function isChosenGone({ groupIds }: GroupChoice, deleted: Group): boolean {
  return groupIds.some((id) => pathTo([deleted], id).length > 0);
}
