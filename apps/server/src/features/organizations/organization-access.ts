import { isAllowed, type Organization, type Permission } from '@pult/contract';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, RoleRefusal } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { OrganizationsRepository } from './organizations.repository.ts';
import { createScope } from './scope.ts';

/** Throws `totp_setup_required` for a user without TOTP where the organization wants it. */
export function requireSecondFactor(
  principal: Pick<Principal, 'mayEnterTotpOrganizations'>,
  organization: { name: string; totpRequired: boolean },
): void {
  if (organization.totpRequired && !principal.mayEnterTotpOrganizations) {
    throw new DomainError('totp_setup_required', { organization: organization.name });
  }
}

/** Which organizations a user may enter, and what they may do there: the one check of every call by an id. */
export function createOrganizationAccess(db: Database, repository: OrganizationsRepository) {
  /** A foreign one is answered as none: nobody learns which ids exist. */
  async function find(principal: Principal, id: string, transaction?: DatabaseTransaction) {
    const scope = createScope(principal, 'organization.read');
    const organization = await repository.getOrganization(scope, id, transaction);
    if (!organization) throw new DomainError('organization_not_found');
    return organization;
  }

  function check(principal: Principal, organization: Organization, permission: Permission): Organization {
    requireSecondFactor(principal, organization);
    if (!isAllowed(organization.userRole, permission)) {
      throw new RoleRefusal({ organizationId: organization.id, subject: organization.name });
    }
    return organization;
  }

  return {
    /**
     * The organization, where the user may do this; otherwise `organization_not_found`, `totp_setup_required` or
     * `role_forbidden`.
     */
    async require(principal: Principal, id: string, permission: Permission): Promise<Organization> {
      return check(principal, await find(principal, id), permission);
    },

    /** For a filter by an organization, or none: a foreign one has nothing to show, and says no more than that. */
    async requireSecondFactorOf(principal: Principal, id: string | undefined): Promise<void> {
      if (!id || principal.mayEnterTotpOrganizations) return;
      const scope = createScope(principal, 'organization.read');
      const organization = await repository.getOrganization(scope, id);
      if (organization) requireSecondFactor(principal, organization);
    },

    /**
     * Changes who belongs to the organization or what it is, one change at a time: the roles that `act` sees stay
     * what they are until it is done. Without a permission any member may, even without TOTP.
     */
    async change<T>(
      principal: Principal,
      id: string,
      permission: Permission | undefined,
      act: (transaction: DatabaseTransaction, organization: Organization) => Promise<T>,
    ): Promise<T> {
      const may = (organization: Organization) =>
        permission === undefined ? organization : check(principal, organization, permission);
      // First without the lock: whoever may not do it cannot hold others up either.
      may(await find(principal, id));
      return db.transaction().execute(async (transaction) => {
        await repository.lockOrganization(transaction, id);
        return act(transaction, may(await find(principal, id, transaction)));
      });
    },
  };
}
export type OrganizationAccess = ReturnType<typeof createOrganizationAccess>;
