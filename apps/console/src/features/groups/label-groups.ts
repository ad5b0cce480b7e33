import type { Group } from '@pult/contract';

export interface GroupLabel {
  /** As much of the path's end as no other group ends with; the name alone where only one has it. */
  label: readonly string[];
  /** From the root down to the group. */
  path: readonly string[];
}

/** What each group of an organization is called where the tree is not in sight, by id. */
export function labelGroups(groups: readonly Group[]): Map<string, GroupLabel> {
  const paths = new Map<string, readonly string[]>();
  const walk = (level: readonly Group[], above: readonly string[]) => {
    for (const { id, name, subgroups } of level) {
      const path = [...above, name];
      paths.set(id, path);
      walk(subgroups, path);
    }
  };
  walk(groups, []);
  const labels = new Map<string, GroupLabel>();
  let alike = [...paths];
  // With each round a step more of the path, for those that it still has to tell apart.
  for (let steps = 1; alike.length > 0; steps += 1) {
    const ends = new Map<string, [string, readonly string[]][]>();
    for (const entry of alike) {
      const end = JSON.stringify(entry[1].slice(-steps));
      const same = ends.get(end);
      if (same) same.push(entry);
      else ends.set(end, [entry]);
    }
    alike = [];
    for (const same of ends.values()) {
      for (const entry of same) {
        const [id, path] = entry;
        if (same.length > 1 && path.length > steps) alike.push(entry);
        else labels.set(id, { label: path.slice(-steps), path });
      }
    }
  }
  return labels;
}

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
