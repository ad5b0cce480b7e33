/** Roles of an organization's member, weakest first. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** Who may do what: the weakest role that may. The server enforces this table, the console reads it. */
export const permissions = {
  'organization.read': 'viewer',
  'organization.update': 'admin',
  'organization.delete': 'owner',
  'members.read': 'viewer',
  'members.invite': 'admin',
  'members.manage': 'admin',
  'controllers.read': 'viewer',
  'controllers.activate': 'member',
  'controllers.update': 'member',
  'controllers.delete': 'admin',
  'enrolment_keys.manage': 'admin',
  'groups.read': 'viewer',
  'groups.manage': 'admin',
  'groups.attach': 'member',
  'telemetry.read': 'viewer',
  'traffic.manage': 'admin',
  'diagnostics.request': 'member',
  'agents.update': 'member',
  'tunnels.open': 'member',
  'tunnels.forward': 'admin',
  'tunnels.manage': 'admin',
  'audit.read': 'admin',
  'alerts.read': 'member',
  'alerts.manage': 'admin',
  'webhooks.manage': 'admin',
  'tokens.manage': 'admin',
  'grants.manage': 'admin',
  'guests.manage': 'admin',
  'sign_in.manage': 'owner',
} as const satisfies Record<string, Role>;
export type Permission = keyof typeof permissions;

/** The names that a token's scopes are chosen of. */
export const permissionNames = Object.keys(permissions) as [Permission, ...Permission[]];

/**
 * What lets others in, or the holder again by another way. A token has such a scope only where it was named by itself: no choice
 * of all scopes holds it.
 */
export const neverImpliedScopes = [
  'members.invite',
  'members.manage',
  'tokens.manage',
  'grants.manage',
  'guests.manage',
  'sign_in.manage',
] as const satisfies Permission[];

/** What a program may ask for by a code that people type (RFC 8628): never to make tokens, whoever types it. */
export const deviceLoginScopes = permissionNames.filter((name) => name !== 'tokens.manage') as [
  Permission,
  ...Permission[],
];

/** Those that a grant on a part of an organization gives. */
export const grantRoles = ['viewer', 'member', 'admin'] as const satisfies readonly Role[];
export type GrantRole = (typeof grantRoles)[number];

/** A permission that is none, as from a text that was not checked, is nobody's. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return rolesAllowed(permission).includes(role);
}

/** The roles that may do it, strongest last; for SQL conditions that carry the permission with them. */
export function rolesAllowed(permission: Permission): readonly Role[] {
  const weakest: Role | undefined = Object.hasOwn(permissions, permission)
    ? permissions[permission]
    : undefined;
  return weakest === undefined ? [] : roles.slice(roles.indexOf(weakest));
}

/** A member manages only roles below their own; an owner manages any. Grants follow the same rule, in invites too. */
export function mayManageRole(actor: Role, role: Role): boolean {
  if (actor === 'owner') return true;
  return isAllowed(actor, 'members.manage') && roles.indexOf(role) < roles.indexOf(actor);
}

/** The roles that such a member may grant, weakest first. */
export function grantableRoles(actor: Role): readonly Role[] {
  return roles.filter((role) => mayManageRole(actor, role));
}
