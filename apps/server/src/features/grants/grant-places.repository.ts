import type { GrantPlace, ShownPlace } from '@pult/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Scope } from '../../platform/access/index.ts';
import {
  groupPath,
  visibleControllers,
  visibleGroups,
  wholeOrganizations,
} from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

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

/** The place of such a row is in scope. */
export function isPlaceVisible(
  table: 'grants' | 'invites',
  scope: Scope,
  organizationId: string,
): RawBuilder<SqlBool> {
  const isWhole = sql<SqlBool>`exists ${wholeOrganizations(scope, organizationId)}`;
  if (!scope.hasGrants) return isWhole;
  return sql<SqlBool>`(${isWhole}
    or exists (select from groups
      where groups.id = ${sql.ref(`${table}.group_id`)} and ${visibleGroups(scope, { organizationId })})
    or exists (select from controllers
      where controllers.id = ${sql.ref(`${table}.controller_id`)} and ${visibleControllers(scope, { organizationId })}))`;
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

/** What the repository of grants knows of places. */
export function placeQueries(db: Database) {
  return {
    /** Whether the organization has the controller, and the scope shows it. */
    async showsController(scope: Scope, organizationId: string, serialNumber: string): Promise<boolean> {
      const row = await db
        .selectFrom('controllers')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The same of a group; of those on the way to a part too. */
    async showsGroup(scope: Scope, organizationId: string, id: string): Promise<boolean> {
      const row = await db
        .selectFrom('groups')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where(visibleGroups(scope, { organizationId, withWay: true }))
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Undefined where the organization has no such place. */
    async findPlace(organizationId: string, { type, id }: GrantPlace): Promise<StoredPlace | undefined> {
      if (type === 'organization') {
        return id === organizationId ? { groupId: null, controllerId: null } : undefined;
      }
      if (type === 'group') {
        const row = await db
          .selectFrom('groups')
          .select('id as groupId')
          .where('organization_id', '=', organizationId)
          .where('id', '=', id)
          .executeTakeFirst();
        return row && { ...row, controllerId: null };
      }
      const row = await db
        .selectFrom('controllers')
        .select('id as controllerId')
        .where('organization_id', '=', organizationId)
        .where('serial_number', '=', id)
        .executeTakeFirst();
      return row && { ...row, groupId: null };
    },

    /** What people call a part; undefined where it is gone. */
    async getPartName(
      transaction: DatabaseTransaction,
      organizationId: string,
      { groupId, controllerId }: StoredPlace,
    ): Promise<string | undefined> {
      const { rows } = await sql<{ name: string }>`
        select name from groups where organization_id = ${organizationId} and id = ${groupId}
        union all
        select serial_number from controllers
        where organization_id = ${organizationId} and id = ${controllerId}`.execute(transaction);
      return rows[0]?.name;
    },

    /** Keeps the place where it is until the transaction ends; false when it has gone meanwhile. */
    async holdPlace(
      transaction: DatabaseTransaction,
      organizationId: string,
      { groupId, controllerId }: StoredPlace,
    ): Promise<boolean> {
      if (groupId === null && controllerId === null) return true;
      const row = await transaction
        .selectFrom(groupId === null ? 'controllers' : 'groups')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', groupId ?? controllerId ?? '')
        .forKeyShare()
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
