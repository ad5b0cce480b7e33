import { type Group, limits } from '@pult/contract';
import { topIds } from '../group-choice.ts';
import { pathTo, type TreeRow } from '../tree.ts';
import type { Dragged } from './dragged.ts';

/** Why something may not be dropped on a row of the tree; the texts are the catalogue's. */
export type DropRefusal = 'itself' | 'below' | 'already' | 'tooDeep' | 'notForGroups' | 'noGroup';

/** Levels that a group takes with all under it. */
function heightOf(group: Group): number {
  return 1 + Math.max(0, ...group.subgroups.map(heightOf));
}

/**
 * Undefined when it may. What only the server knows, such as a group of the same name that somebody has just made, it
 * refuses later.
 */
export function findRefusal(dragged: Dragged, { id, group: target }: TreeRow): DropRefusal | undefined {
  if (dragged.kind === 'controllers') {
    if (id === topIds.all) return 'noGroup';
    return dragged.from === (target?.id ?? null) ? 'already' : undefined;
  }
  const { group } = dragged;
  if (!target) {
    if (id !== topIds.all) return 'notForGroups';
    return group.parent === null ? 'already' : undefined;
  }
  if (target.id === group.id) return 'itself';
  if (pathTo(group.subgroups, target.id).length > 0) return 'below';
  if (group.parent === target.id) return 'already';
  return target.level + 1 + heightOf(group) > limits.groupLevels ? 'tooDeep' : undefined;
}
