import { isAllowed, type Organization, type Permission, type Role } from '@pult/contract';
import type { Database, DatabaseTransaction } from '../db/schema.ts';
import { DomainError, RoleRefusal } from '../errors.ts';
import type { Actor } from '../http/principal.ts';
import { notFound, type Place } from './place.ts';
import { findPlaceAccess, lockOrganization, type PlaceAccess } from './place-access.repository.ts';
import type { Part } from './roles.repository.ts';

/**
 * Throws `sign_in_required` where the organization wants a sign-in by its provider that this login is none of, and
 * `totp_setup_required` for a user without TOTP where it wants that.
 */
export function requireEntry(
  actor: Pick<Actor, 'mayEnterTotpOrganizations' | 'closed'>,
  organization: { id: string; name: string; totpRequired: boolean },
): void {
  if (actor.closed?.includes(organization.id)) {
    throw new DomainError('sign_in_required', { organization: organization.name });
  }
  if (organization.totpRequired && !actor.mayEnterTotpOrganizations) {
    throw new DomainError('totp_setup_required', { organization: organization.name });
  }
}

declare const asked: unique symbol;

/** Says that somebody was asked for what they may: nothing but this file makes one. */
export interface Asked {
  readonly [asked]: true;
}

/** What somebody is at a place where they may do what they were asked for. */
export type AllowedAccess = PlaceAccess & Asked;

/**
 * Throws that there is nothing, `sign_in_required`, `totp_setup_required` or `role_forbidden`, in this order. Without a permission
 * whoever has anything of it may, whatever login it takes to enter.
 */
export function requireAccess(
  actor: Actor,
  place: Place,
  found: PlaceAccess | undefined,
  permission: Permission | undefined,
): AllowedAccess {
  if (!found) throw notFound(place);
  const allowed = found as AllowedAccess;
  if (permission === undefined) return allowed;
  const { organization, role, controller } = found;
  requireEntry(actor, organization);
  requireRole(role, permission, {
    organizationId: organization.id,
    subject: controller?.serialNumber ?? organization.name,
  });
  return allowed;
}

/** Throws `role_forbidden` unless the role allows it. */
export function requireRole(
  role: Role | null,
  permission: Permission,
  refused: { organizationId: string; subject: string },
): Asked {
  if (role === null || !isAllowed(role, permission)) throw new RoleRefusal(refused);
  return { role } as unknown as Asked;
}

/** What somebody may do at further places of the organization, asked within a change. */
export interface Rights {
  /** That they may make the change. */
  readonly by: Asked;
  getRole(part: Part): Promise<Role | null>;
  isAllowed(permission: Permission, part: Part): Promise<boolean>;
  /** Throws `role_forbidden`. */
  require(permission: Permission, part: Part): Promise<void>;
}

export type Change<T> = (
  transaction: DatabaseTransaction,
  organization: Organization,
  rights: Rights,
) => Promise<T>;

/** The one judge of who may do what at which place, of calls and of all that is none. */
export function createAccess(db: Database) {
  const find = (actor: Actor, place: Place, transaction?: DatabaseTransaction) =>
    findPlaceAccess(transaction ?? db, actor, place);

  async function resolve(
    actor: Actor,
    permission: Permission | undefined,
    place: Place,
    transaction?: DatabaseTransaction,
  ): Promise<AllowedAccess> {
    return requireAccess(actor, place, await find(actor, place, transaction), permission);
  }

  return {
    /** Undefined where they have nothing there; what they may is not asked. */
    find,

    /** Throws what `requireAccess` does. */
    resolve,

    /**
     * Changes who belongs to an organization or what it is, one change at a time: the roles that `act` sees stay what they are until
     * it is done. It is asked anew whether they may.
     */
    change: <T>(
      actor: Actor,
      { place, organizationId }: { place: Place; organizationId: string },
      permission: Permission | undefined,
      act: Change<T>,
    ): Promise<T> =>
      db.transaction().execute(async (transaction) => {
        await lockOrganization(transaction, organizationId);
        const at = (part: Part): Place => ({ kind: 'organization', id: organizationId, at: part });
        const allowed = await resolve(actor, permission, place, transaction);
        const { organization } = allowed;
        // What was held is another: nothing moves between organizations by itself.
        if (organization.id !== organizationId) throw notFound(place);
        const rights: Rights = {
          by: allowed,
          getRole: async (part) => (await resolve(actor, undefined, at(part), transaction)).role,
          async isAllowed(wanted, part) {
            const role = await rights.getRole(part);
            return role !== null && isAllowed(role, wanted);
          },
          async require(wanted, part) {
            await resolve(actor, wanted, at(part), transaction);
          },
        };
        return act(transaction, organization, rights);
      }),
  };
}
export type Access = ReturnType<typeof createAccess>;
