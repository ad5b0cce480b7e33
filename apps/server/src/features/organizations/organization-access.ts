import { isAllowed, type Organization, type Permission, type Role } from '@pult/contract';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, RoleRefusal } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { OrganizationsRepository, Standing } from './organizations.repository.ts';
import type { RolePlace } from './roles.repository.ts';

/**
 * Throws `sign_in_required` where the organization wants a sign-in by its provider that this login is none of, and
 * `totp_setup_required` for a user without TOTP where it wants that.
 */
export function requireEntry(
  principal: Pick<Principal, 'mayEnterTotpOrganizations' | 'closed'>,
  organization: { id: string; name: string; totpRequired: boolean },
): void {
  if (principal.closed?.includes(organization.id)) {
    throw new DomainError('sign_in_required', { organization: organization.name });
  }
  if (organization.totpRequired && !principal.mayEnterTotpOrganizations) {
    throw new DomainError('totp_setup_required', { organization: organization.name });
  }
}

/** What the caller may do at further places of the organization, asked within the change. */
export interface Rights {
  getRole(place: RolePlace): Promise<Role | null>;
  isAllowed(permission: Permission, place: RolePlace): Promise<boolean>;
  /** Throws `role_forbidden`. */
  require(permission: Permission, place: RolePlace): Promise<void>;
}

/**
 * Which organizations a user may enter, and what they may do there: the one check of every call by an id. A permission
 * is asked for on the organization as a whole unless a place is named: `anywhere` where what follows takes a scope and
 * so keeps to the part that is the caller's, a group where that is what is changed.
 */
export function createOrganizationAccess(db: Database, repository: OrganizationsRepository) {
  /** A foreign one is answered as none: nobody learns which ids exist. */
  async function find(principal: Principal, id: string, place: RolePlace, transaction?: DatabaseTransaction) {
    const standing = await repository.getStanding(principal, id, place, transaction);
    if (!standing) throw new DomainError('organization_not_found');
    return standing;
  }

  function check(
    principal: Principal,
    { organization, role }: Standing,
    permission: Permission,
  ): Organization {
    requireEntry(principal, organization);
    if (role === null || !isAllowed(role, permission)) {
      throw new RoleRefusal({ organizationId: organization.id, subject: organization.name });
    }
    return organization;
  }

  return {
    /**
     * The organization, where the user may do this; otherwise `organization_not_found`, `sign_in_required`,
     * `totp_setup_required` or `role_forbidden`.
     */
    async require(
      principal: Principal,
      id: string,
      permission: Permission,
      place: RolePlace = 'root',
    ): Promise<Organization> {
      return check(principal, await find(principal, id, place), permission);
    },

    /** For a filter by an organization, or none: a foreign one has nothing to show, and says no more than that. */
    async requireEntryOf(principal: Principal, id: string | undefined): Promise<void> {
      if (!id || (principal.mayEnterTotpOrganizations && !principal.closed)) return;
      const standing = await repository.getStanding(principal, id, 'root');
      if (standing) requireEntry(principal, standing.organization);
    },

    /**
     * Changes who belongs to the organization or what it is, one change at a time: the roles that `act` sees stay
     * what they are until it is done. Without a permission any member may, even without TOTP.
     */
    async change<T>(
      principal: Principal,
      id: string,
      permission: Permission | undefined,
      act: (transaction: DatabaseTransaction, organization: Organization, rights: Rights) => Promise<T>,
      place: RolePlace = 'root',
    ): Promise<T> {
      const may = (standing: Standing) =>
        permission === undefined ? standing.organization : check(principal, standing, permission);
      // First without the lock: whoever may not do it cannot hold others up either.
      may(await find(principal, id, place));
      return db.transaction().execute(async (transaction) => {
        await repository.lockOrganization(transaction, id);
        const rights: Rights = {
          getRole: async (at) => (await find(principal, id, at, transaction)).role,
          async isAllowed(wanted, at) {
            const role = await rights.getRole(at);
            return role !== null && isAllowed(role, wanted);
          },
          async require(wanted, at) {
            check(principal, await find(principal, id, at, transaction), wanted);
          },
        };
        return act(transaction, may(await find(principal, id, place, transaction)), rights);
      });
    },
  };
}
export type OrganizationAccess = ReturnType<typeof createOrganizationAccess>;
