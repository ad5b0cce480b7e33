import type { Organization, Permission } from '@pult/contract';
import type { Access, Change, Part, Place } from '../../platform/access/index.ts';
import type { Principal } from '../../platform/http/principal.ts';

/**
 * Which organizations a user may enter, and what they may do there: for what no row of the contract says. A permission
 * is asked for on the organization as a whole unless a place is named: `anywhere` where what follows takes a scope and
 * so keeps to the part that is the caller's, a group where that is what is changed.
 */
export function createOrganizationAccess(access: Access) {
  const placeOf = (id: string, at: Part): Place => ({ kind: 'organization', id, at });

  return {
    /**
     * The organization, where the user may do this; otherwise `organization_not_found`, `sign_in_required`,
     * `totp_setup_required` or `role_forbidden`.
     */
    async require(
      principal: Principal,
      id: string,
      permission: Permission,
      at: Part = 'root',
    ): Promise<Organization> {
      return (await access.resolve(principal, permission, placeOf(id, at))).organization;
    },

    /**
     * Changes who belongs to the organization or what it is: see Access.change. Without a permission any member may, even without
     * TOTP.
     */
    async change<T>(
      principal: Principal,
      id: string,
      permission: Permission | undefined,
      act: Change<T>,
      at: Part = 'root',
    ): Promise<T> {
      const place = placeOf(id, at);
      // First without the lock: whoever may not do it cannot hold others up either.
      await access.resolve(principal, permission, place);
      return access.change(principal, { place, organizationId: id }, permission, act);
    },
  };
}
export type OrganizationAccess = ReturnType<typeof createOrganizationAccess>;
