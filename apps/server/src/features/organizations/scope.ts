import { type Permission, type Role, rolesAllowed } from '@pult/contract';
import type { Actor } from '../../platform/http/principal.ts';

/**
 * The organizations in which a user may do something. Every repository method that touches what belongs to an
 * organization takes one, and its SQL holds it: the membership is looked up in the same statement, so a role
 * that was taken away a moment ago no longer counts.
 */
export interface Scope {
  readonly userId: string;
  readonly roles: readonly Role[];
  /** False leaves out the organizations that require TOTP: the user has none. */
  readonly withTotpOrganizations: boolean;
}

export function createScope(actor: Actor, permission: Permission): Scope {
  return {
    userId: actor.userId,
    roles: rolesAllowed(permission),
    withTotpOrganizations: actor.mayEnterTotpOrganizations,
  };
}
