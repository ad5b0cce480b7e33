import type { ShownPlace } from '@pult/contract';
import { type RawBuilder, sql } from 'kysely';
import { groupPath } from '../scope.repository.ts';

/** A place as the tables name it: neither of the two is the organization. */
export interface StoredPlace {
  groupId: string | null;
  controllerId: string | null;
}

/** Columns that show the place of a row with `organization_id`, `group_id` and `controller_id`. */
export function placeColumns(table: 'grants' | 'invites' | 'group_grants') {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const above = groupPath(
    sql`coalesce(places.parent_id, (select group_id from controllers where controllers.id = ${column('controller_id')}))`,
    column('organization_id'),
  );
  return [
    column('group_id').as('groupId'),
    sql<string>`${column('organization_id')}`.as('placeOrganizationId'),
    sql<string>`(select name from organizations where organizations.id = ${column('organization_id')})`.as(
      'organizationName',
    ),
    sql<string | null>`places.name`.as('groupName'),
    sql<
      string | null
    >`(select serial_number from controllers where controllers.id = ${column('controller_id')})`.as(
      'serialNumber',
    ),
    sql<string[]>`(
      select coalesce(array_agg(groups.name order by place desc), '{}')
      from unnest(${above}) with ordinality as above (id, place) join groups on groups.id = above.id)`.as(
      'placePath',
    ),
  ] as const;
}

/** The group of such a row, joined as `places`, where there still is one. */
export function placeGroup(table: 'grants' | 'invites' | 'group_grants'): RawBuilder<boolean> {
  return sql<boolean>`places.id = ${sql.ref(`${table}.group_id`)}
    and places.organization_id = ${sql.ref(`${table}.organization_id`)}`;
}

export function toShownPlace(row: {
  groupId: unknown;
  groupName: string | null;
  serialNumber: string | null;
  placePath: string[];
  placeOrganizationId: string;
  organizationName: string;
}): ShownPlace {
  const { groupId, groupName, serialNumber, placePath: path } = row;
  if (typeof groupId === 'string') return { type: 'group', id: groupId, name: groupName ?? '', path };
  if (serialNumber !== null) return { type: 'controller', id: serialNumber, name: serialNumber, path };
  return { type: 'organization', id: row.placeOrganizationId, name: row.organizationName, path: [] };
}
