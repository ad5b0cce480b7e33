import { type Permission, type Role, rolesAllowed } from '@pult/contract';
import type { Actor } from '../http/principal.ts';

/**
 * Where somebody may do something: organizations, and parts of their trees. Every repository method that touches what
 * belongs to an organization takes one, and its SQL holds it: roles and grants are looked up in the same statement, so
 * one that was taken away a moment ago no longer counts.
 */
export interface Scope {
  readonly userId: string;
  readonly roles: readonly Role[];
  /** False leaves out the organizations that require TOTP: the user has none. */
  readonly withTotpOrganizations: boolean;
  /** Nothing but this organization. */
  readonly signedInto?: string | undefined;
  /** Organizations that are left out: see Principal. */
  readonly closed: readonly string[];
  /** False: nobody has granted them anything, and statements are as short as roles allow. */
  readonly hasGrants: boolean;
}

/** The same however its user has logged in: where the refusal has to say what is missing, not that there is nothing. */
export function regardlessOfLogin(scope: Scope): Scope {
  return { ...scope, withTotpOrganizations: true, closed: [] };
}

export function createScope(actor: Actor, permission: Permission): Scope {
  const { userId, mayEnterTotpOrganizations, signedInto, closed = [], hasGrants = true } = actor;
  return {
    userId,
    roles: rolesAllowed(permission),
    withTotpOrganizations: mayEnterTotpOrganizations,
    signedInto,
    closed,
    hasGrants,
  };
}
