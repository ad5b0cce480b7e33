import { sql } from 'kysely';

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
