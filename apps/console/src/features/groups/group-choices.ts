import type { Group } from '@pult/contract';
import { labelGroups } from './label-groups.ts';

/** The groups that a form offers: without those that are only on the way to the user's own. */
export function toGroupChoices(groups: readonly Group[]): { value: string; label: string }[] {
  const outside = new Set(listOutside(groups));
  return [...labelGroups(groups)]
    .filter(([id]) => !outside.has(id))
    .map(([value, { label }]) => ({ value, label: label.join(' / ') }));
}

function listOutside(groups: readonly Group[]): string[] {
  return groups.flatMap(({ id, isOutside, subgroups }) => [
    ...(isOutside ? [id] : []),
    ...listOutside(subgroups),
  ]);
}
