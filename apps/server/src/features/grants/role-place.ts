import type { Part } from '../../platform/access/index.ts';
import type { StoredPlace } from './grant-places.repository.ts';

/** The place of a grant or an invite, as rights are asked for there. */
export function toRolePlace({ groupId, controllerId }: StoredPlace): Part {
  if (groupId !== null) return { groupId };
  return controllerId === null ? 'root' : { controllerId };
}
