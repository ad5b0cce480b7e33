import { type GroupGrantsPreview, grantRoles, type ShownGroupGrant, type ShownPlace } from '@pult/contract';
import type { GivenGrant } from './shown-group-grants.repository.ts';

type Outcome = GroupGrantsPreview['people'][number];

const placeOf = ({ scope: { type, id } }: { scope: ShownPlace }) => `${type} ${id}`;
const keyOf = (grant: GivenGrant) => `${placeOf(grant)} ${grant.role}`;

function byIdentity(given: readonly GivenGrant[]): Map<string | null, GivenGrant[]> {
  const grouped = new Map<string | null, GivenGrant[]>();
  for (const each of given) grouped.set(each.identityId, [...(grouped.get(each.identityId) ?? []), each]);
  return grouped;
}

/** What groups would give, of several at one place the strongest, where there is nothing of a provider's. */
function findLeftOut(rules: readonly ShownGroupGrant[], given: readonly GivenGrant[]): ShownGroupGrant[] {
  const places = new Set(given.map(placeOf));
  const strongest = new Map<string, ShownGroupGrant>();
  for (const rule of rules) {
    const place = placeOf(rule);
    const other = strongest.get(place);
    const isStronger = !other || grantRoles.indexOf(rule.role) > grantRoles.indexOf(other.role);
    if (!places.has(place) && isStronger) strongest.set(place, rule);
  }
  return [...strongest.values()];
}

/**
 * What a table of groups gives and takes, by person, with those of its groups that they are in; whom it gives nothing for want
 * of room; and which of its groups nobody is in. People to whom nothing is said stay out.
 */
export function comparePeople({
  before,
  after,
  people,
  groups,
  rules,
}: {
  before: readonly GivenGrant[];
  after: readonly GivenGrant[];
  people: readonly { id: string; email: string; groups: string[] }[];
  /** Of the table, in the order that it was sent in. */
  groups: readonly string[];
  /** The table. */
  rules: readonly ShownGroupGrant[];
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
    for (const { scope, role } of findLeftOut(
      rules.filter(({ group }) => own.includes(group)),
      later,
    )) {
      grants.push({ scope, role, change: 'left_out' });
    }
    return grants.length === 0 ? [] : [{ email, groups: own.filter((group) => asked.has(group)), grants }];
  });
  const known = new Set(people.flatMap((person) => person.groups));
  return { people: outcomes, unknownGroups: [...asked].filter((group) => !known.has(group)) };
}
