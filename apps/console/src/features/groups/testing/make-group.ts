import type { Group } from '@pult/contract';
import { organization } from '../../testing/fake-api.ts';

/** A group named by its id where it has no other; those under it get their parent and level by it. */
export function makeGroup(id: string, { subgroups = [], ...changes }: Partial<Group> = {}): Group {
  const group = {
    id,
    name: id,
    parent: null,
    level: 0,
    controllersCount: 0,
    userRole: 'owner' as const,
    ...changes,
  };
  const organizationOf = { id: organization.id };
  return { ...group, organization: organizationOf, subgroups: subgroups.map((each) => put(each, group)) };
}

function put(group: Group, above: { id: string; level: number }): Group {
  const moved = { ...group, parent: above.id, level: above.level + 1 };
  return { ...moved, subgroups: moved.subgroups.map((each) => put(each, moved)) };
}
