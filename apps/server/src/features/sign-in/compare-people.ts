import type { GroupGrantsPreview } from '@pult/contract';
import type { GivenGrant } from './shown-group-grants.repository.ts';

type Outcome = GroupGrantsPreview['people'][number];

const keyOf = ({ scope: { type, id }, role }: GivenGrant) => `${type} ${id} ${role}`;

function byIdentity(given: readonly GivenGrant[]): Map<string | null, GivenGrant[]> {
  const grouped = new Map<string | null, GivenGrant[]>();
  for (const each of given) grouped.set(each.identityId, [...(grouped.get(each.identityId) ?? []), each]);
  return grouped;
}

/**
 * What a table of groups gives and takes, by person, with those of its groups that they are in; and which of them nobody is in.
 * People to whom nothing is said stay out.
 */
export function comparePeople({
  before,
  after,
  people,
  groups,
}: {
  before: readonly GivenGrant[];
  after: readonly GivenGrant[];
  people: readonly { id: string; email: string; groups: string[] }[];
  /** Of the table. */
  groups: readonly string[];
}): GroupGrantsPreview {
  const [had, has] = [byIdentity(before), byIdentity(after)];
  const asked = new Set(groups);
  const outcomes = people.flatMap(({ id, email, groups: own }): Outcome[] => {
    const [earlier, later] = [had.get(id) ?? [], has.get(id) ?? []];
    const [earlierKeys, laterKeys] = [new Set(earlier.map(keyOf)), new Set(later.map(keyOf))];
    const grants: Outcome['grants'] = [];
    for (const each of later) {
      const change = earlierKeys.has(keyOf(each)) ? 'kept' : 'added';
      grants.push({ scope: each.scope, role: each.role, change });
    }
    for (const each of earlier) {
      if (!laterKeys.has(keyOf(each))) grants.push({ scope: each.scope, role: each.role, change: 'removed' });
    }
    return grants.length === 0 ? [] : [{ email, groups: own.filter((group) => asked.has(group)), grants }];
  });
  const known = new Set(people.flatMap((person) => person.groups));
  return { people: outcomes, unknownGroups: [...asked].filter((group) => !known.has(group)) };
}
