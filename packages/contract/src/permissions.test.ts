import { expect, it } from 'vitest';
import {
  grantableRoles,
  isAllowed,
  mayManageRole,
  neverImpliedScopes,
  type Permission,
  permissions,
  roles,
  rolesAllowed,
} from './permissions.ts';
import { scopeOfCall } from './route.ts';
import { routes } from './routes/index.ts';

const all = Object.keys(permissions) as Permission[];

/** The table of the product's roles, written out: a change of it is a decision, not an accident. */
const weakest: Record<Permission, (typeof roles)[number]> = {
  'organization.read': 'viewer',
  'members.read': 'viewer',
  'controllers.read': 'viewer',
  'groups.read': 'viewer',
  'telemetry.read': 'viewer',
  'controllers.activate': 'member',
  'controllers.update': 'member',
  'groups.attach': 'member',
  'diagnostics.request': 'member',
  'agents.update': 'member',
  'tunnels.open': 'member',
  'alerts.read': 'member',
  'organization.update': 'admin',
  'webhooks.manage': 'admin',
  'members.invite': 'admin',
  'members.manage': 'admin',
  'controllers.delete': 'admin',
  'enrolment_keys.manage': 'admin',
  'groups.manage': 'admin',
  'traffic.manage': 'admin',
  'tunnels.forward': 'admin',
  'tunnels.manage': 'admin',
  'audit.read': 'admin',
  'alerts.manage': 'admin',
  'tokens.manage': 'admin',
  'grants.manage': 'admin',
  'guests.manage': 'admin',
  'organization.delete': 'owner',
  'sign_in.manage': 'owner',
};

it('gives each permission to the decided role and to every stronger one', () => {
  expect(permissions).toEqual(weakest);
  for (const permission of all) {
    const first = roles.indexOf(weakest[permission]);
    roles.forEach((role, strength) => {
      expect([permission, role, isAllowed(role, permission)]).toEqual([permission, role, strength >= first]);
    });
  }
});

it('lists for SQL the same roles that it allows', () => {
  for (const permission of all) {
    expect(rolesAllowed(permission)).toEqual(roles.filter((role) => isAllowed(role, permission)));
  }
});

it.each(['', 'controllers', 'toString', '__proto__'])(
  'allows nobody the unknown permission "%s"',
  (unknown) => {
    const permission = unknown as Permission;
    expect(rolesAllowed(permission)).toEqual([]);
    expect(roles.filter((role) => isAllowed(role, permission))).toEqual([]);
  },
);

it('allows an owner everything', () => {
  expect(all.every((permission) => isAllowed('owner', permission))).toBe(true);
});

it('lets one manage only roles below one’s own, and an owner any', () => {
  expect(grantableRoles('owner')).toEqual(['viewer', 'member', 'admin', 'owner']);
  expect(grantableRoles('admin')).toEqual(['viewer', 'member']);
  expect(grantableRoles('member')).toEqual([]);
  expect(grantableRoles('viewer')).toEqual([]);
  expect(mayManageRole('admin', 'admin')).toBe(false);
});

it.each([
  'createToken',
  'createServiceAccountToken',
  'createGrant',
  'createGuestLink',
  'inviteUser',
  'updateMember',
] as const)('leaves the scope of %s, which lets others in, out of every choice of all', (name) => {
  expect(neverImpliedScopes).toContain(scopeOfCall(routes[name]));
});
