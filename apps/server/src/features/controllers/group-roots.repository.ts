import { sql } from 'kysely';

/** How many there are in a root group with all under it; of null, in no group. */
export interface CountAt<What> {
  what: What;
  groupId: string | null;
  groupName: string | null;
  count: number;
}

/**
 * Every group of the organization with the root group above it, itself for a root: `roots (id, root, name)`, part of a
 * recursive statement. For sums of controllers that are in scope, which need no more of a tree than its roots.
 */
export const groupRoots = (organizationId: string) => sql`
  roots as (
    select groups.id, groups.id as root, groups.name from groups
    where groups.organization_id = ${organizationId} and groups.parent_id is null
    union all
    select below.id, roots.root, roots.name from groups below
    join roots on below.organization_id = ${organizationId} and below.parent_id = roots.id
  )`;
