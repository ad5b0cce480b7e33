import type { ConnectionKind, Organization, Role } from '@pult/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../db/schema.ts';
import type { Actor } from '../http/principal.ts';
import type { Place } from './place.ts';
import { type RolePlace, strongestRole } from './roles.repository.ts';

/** What somebody is at a place, and what is there: see Place. */
export interface PlaceAccess {
  readonly organization: Organization;
  /** Of the organization as a whole; null for whoever has only parts of it. */
  readonly rootRole: Role | null;
  /** At the place that was asked for. */
  readonly role: Role | null;
  readonly controller?: FoundController;
  readonly group?: FoundGroup;
}

export interface FoundController {
  readonly id: string;
  readonly serialNumber: string;
  readonly groupId: string | null;
  readonly connectionKind: ConnectionKind;
}

export interface FoundGroup {
  readonly id: string;
  readonly name: string;
}

/** Whose access a statement asks for: values, or columns of its own. */
interface Subject {
  readonly userId: RawBuilder<unknown>;
  /** Null: any organization. */
  readonly signedInto: RawBuilder<unknown>;
  /** See Principal; where it is not known they are looked for. */
  readonly hasGrants?: boolean | undefined;
}

/** As the database tells it. */
export interface PlaceAccessRow extends Omit<PlaceAccess, 'organization'> {
  readonly organization: Omit<Organization, 'userRole'> & { signInRequired: boolean };
  /** At the place, or wherever in the organization where all of it was asked for. */
  readonly strongestRole: Role | null;
}

interface Source {
  from: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  at: RolePlace;
  /** Further values of the answer. */
  found?: RawBuilder<unknown>;
}

const controllerFound = sql`'controller', jsonb_build_object('id', controllers.id,
  'serialNumber', controllers.serial_number, 'groupId', controllers.group_id,
  'connectionKind', controllers.connection_kind)`;
const controllers = sql`controllers join organizations on organizations.id = controllers.organization_id`;

/** Where an id of each kind is looked for. `at` is the place in the organization whose role counts. */
function sourceOf(place: Place): Source {
  const { id } = place;
  switch (place.kind) {
    case 'organization':
      return { from: sql`organizations`, where: sql`organizations.id = ${id}`, at: place.at };
    case 'controller':
      return {
        from: controllers,
        where: sql`controllers.serial_number = ${id}`,
        at: 'controller',
        found: controllerFound,
      };
    case 'diagnostic':
      return {
        from: sql`diagnostics join ${controllers} on controllers.id = diagnostics.controller_id`,
        where: sql`diagnostics.id = ${id}`,
        at: 'controller',
        found: controllerFound,
      };
    case 'group':
      return {
        from: sql`groups join organizations on organizations.id = groups.organization_id`,
        where: sql`groups.id = ${id}`,
        at: { groupId: id },
        found: sql`'group', jsonb_build_object('id', groups.id, 'name', groups.name)`,
      };
    case 'move':
    case 'deletedGroup':
      return {
        from: sql`group_undos join organizations on organizations.id = group_undos.organization_id`,
        where: sql`group_undos.id = ${id}
          and group_undos.kind = ${place.kind === 'move' ? 'move' : 'deletion'}`,
        at: 'anywhere',
      };
  }
}

/** One value about a place, for a select list: null where nothing is there, or another organization’s provider has signed them in. */
function accessAt(place: Place, subject: Subject): RawBuilder<PlaceAccessRow | null> {
  const { from, where, at, found } = sourceOf(place);
  const { userId, signedInto, hasGrants = true } = subject;
  const organizationId = sql.ref('organizations.id');
  const roleAt = (part: RolePlace) =>
    hasGrants
      ? strongestRole(userId, organizationId, part)
      : sql`(select memberships.role from memberships
          where memberships.user_id = ${userId} and memberships.organization_id = ${organizationId})`;
  const isWithin = at !== 'root' && at !== 'anywhere';
  const role = isWithin ? sql`held.here` : at === 'root' ? sql`held.root` : sql`held.anywhere`;
  // Without the offset each role is looked for as often as it is named.
  return sql<PlaceAccessRow | null>`(
    select jsonb_build_object(
      'organization', jsonb_build_object('id', organizations.id, 'name', organizations.name,
        'totpRequired', organizations.totp_required, 'signInRequired', organizations.sign_in_required),
      'rootRole', held.root, 'role', ${role}, 'strongestRole', ${found ? role : sql`held.anywhere`}
      ${found ? sql`, ${found}` : sql``})
    from ${from} cross join lateral (select ${roleAt('root')} as root
      ${isWithin ? sql`, ${roleAt(at)} as here` : sql``}
      ${found ? sql`` : sql`, ${roleAt('anywhere')} as anywhere`} offset 0) held
    where ${where} and (${signedInto} is null or organizations.id = ${signedInto}))`;
}

/** For a statement that finds a login: null without a place. */
export function selectPlaceAccess(
  userId: RawBuilder<unknown>,
  signedInto: RawBuilder<unknown>,
  place: Place | undefined,
): RawBuilder<PlaceAccessRow | null> {
  return place ? accessAt(place, { userId, signedInto }) : sql<PlaceAccessRow | null>`null::jsonb`;
}

/** Undefined where they have nothing there: then for them there is nothing. */
export function toPlaceAccess(
  { closed = [] }: Pick<Actor, 'closed'>,
  row: PlaceAccessRow | null | undefined,
): PlaceAccess | undefined {
  if (!row) return undefined;
  const { organization, strongestRole: strongest, ...access } = row;
  const userRole = access.rootRole ?? strongest;
  // Of a group that was deleted: as good as none.
  if (userRole === null) return undefined;
  const { signInRequired, ...shown } = organization;
  return {
    ...access,
    organization: {
      ...shown,
      ...(signInRequired ? { signInRequired, isSignInMissing: closed.includes(shown.id) } : {}),
      userRole,
      ...(access.rootRole === null ? { isPartial: true as const } : {}),
    },
  };
}

/** The same in a statement of its own. */
export async function findPlaceAccess(
  executor: Database | DatabaseTransaction,
  actor: Actor,
  place: Place,
): Promise<PlaceAccess | undefined> {
  const subject: Subject = {
    userId: sql`${actor.userId}::uuid`,
    signedInto: sql`${actor.signedInto ?? null}::uuid`,
    hasGrants: actor.hasGrants,
  };
  const { rows } = await sql<{ found: PlaceAccessRow | null }>`
    select ${accessAt(place, subject)} as found`.execute(executor);
  return toPlaceAccess(actor, rows[0]?.found);
}

/**
 * Holds the organization until the transaction ends: members come, go and change roles one after another.
 * Whatever decides by a role reads it after this, in a statement of its own: one that waited for a lock
 * still sees the other tables as they were before.
 */
export async function lockOrganization(transaction: DatabaseTransaction, id: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
