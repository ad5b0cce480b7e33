import { expect, it } from 'vitest';
import { buildPath } from './client.ts';
import { type RouteName, routes } from './routes/index.ts';

/**
 * Section 7 of the specification, written out: what it calls a call, and the call of the contract. Nothing here is
 * derived from the contract: a method or path that changes there has to be seen.
 */
const calls: [written: string, name: RouteName][] = [
  ['POST /api/v1/auth/token/', 'login'],
  ['POST /api/v1/auth/logout/', 'logout'],
  ['POST /api/v1/auth/password/reset/', 'requestPasswordReset'],
  ['POST /api/v1/auth/password/reset/confirm/', 'confirmPasswordReset'],
  ['PUT /api/v1/auth/password/change/', 'changePassword'],
  ['POST /api/v1/auth/totp/setup/', 'setUpTotp'],
  ['POST /api/v1/auth/totp/activate/', 'activateTotp'],
  ['POST /api/v1/auth/totp/disable/', 'disableTotp'],
  ['POST /api/v1/auth/totp/verify/', 'verifyTotp'],
  ['GET /api/v1/controllers/', 'listControllers'],
  ['GET /api/v1/controllers-count/', 'countControllers'],
  ['GET /api/v1/controllers-total-count/', 'countAllControllers'],
  ['GET /api/v1/controllers/{serialNumber}/', 'getController'],
  ['PATCH /api/v1/controllers/{serialNumber}/', 'updateController'],
  ['DELETE /api/v1/controllers/{serialNumber}/', 'deleteController'],
  ['GET /api/v1/controllers/{serialNumber}/last-mqtt-data/', 'getLastMqttData'],
  ['POST /api/v1/controllers/{serialNumber}/system-metrics/', 'querySystemMetrics'],
  ['GET /api/v1/controllers/{serialNumber}/diagnostic/', 'getDiagnostic'],
  ['POST /api/v1/controllers/{serialNumber}/request-diagnostic/', 'requestDiagnostic'],
  ['GET /api/v1/download/{id}', 'downloadDiagnostic'],
  ['POST /api/v1/controllers/{serialNumber}/tcp-tunnels/{protocol}/', 'openTunnel'],
  ['POST /api/v1/controllers-activation/activate/', 'activateController'],
  ['POST /api/v1/controllers-activation/validate/', 'validateActivation'],
  ['GET /api/v1/groups/', 'listGroups'],
  ['POST /api/v1/groups/', 'createGroup'],
  ['PATCH /api/v1/groups/{id}/', 'updateGroup'],
  ['DELETE /api/v1/groups/{id}/', 'deleteGroup'],
  ['POST /api/v1/groups/{id}/attach-controllers/', 'attachControllers'],
  ['POST /api/v1/groups-detach-from-controllers/', 'detachControllers'],
  ['POST /api/v1/organizations/{id}/invite-user/', 'inviteUser'],
  ['POST /api/v1/organizations-invite/validate/', 'validateInvite'],
  ['POST /api/v1/organizations-invite/self-enroll/', 'acceptInvite'],
  ['GET /api/v1/organizations/', 'listOrganizations'],
  ['POST /api/v1/organizations/', 'createOrganization'],
  ['GET /api/v1/organizations/{id}/', 'getOrganization'],
  ['PATCH /api/v1/organizations/{id}/', 'updateOrganization'],
  ['POST /api/v1/organizations/{id}/leave/', 'leaveOrganization'],
  ['GET /api/v1/organizations/{id}/members/', 'listMembers'],
  ['DELETE /api/v1/organizations/{id}/members/{userId}/', 'removeMember'],
  ['PUT /api/v1/organizations/{id}/members/{userId}/', 'updateMember'],
  ['GET /api/v1/organizations/{id}/grafana-access/', 'getGrafanaAccess'],
  ['GET /api/v1/users/me/', 'getCurrentUser'],
  ['POST /api/v1/users-sign-up/', 'signUp'],
  ['GET /api/v1/environments/', 'getEnvironments'],
];

// spec: 7.01
it.each(calls)('spec 7: the specification’s call %s is the contract’s %s', (written, name) => {
  const { method, path } = routes[name];
  // The contract says whose id it is.
  const id = /\{(?:organizationId|groupId)\}/;
  expect(`${method} ${path.replace(id, '{id}')}`).toBe(written);
});

// spec: 7.01
it.each(calls)('spec 7: a request of %s is sent to that address (%s)', (written, name) => {
  const values = {
    serialNumber: 'A1',
    protocol: 'ssh',
    userId: 'u',
    id: 'i',
    organizationId: 'i',
    groupId: 'i',
  };
  const address = written
    .replace(/^\w+ /, '')
    .replace('{serialNumber}', 'A1')
    .replace('{protocol}', 'ssh')
    .replace('{userId}', 'u')
    .replace('{id}', 'i');
  expect(buildPath(name, values)).toBe(address);
});

const bodies: [name: RouteName, fields: readonly string[]][] = [
  ['login', ['username', 'password', 'totpCode', 'recoveryCode']],
  ['requestPasswordReset', ['email']],
  ['confirmPasswordReset', ['uid', 'token', 'newPassword']],
  ['changePassword', ['oldPassword', 'newPassword']],
  ['activateTotp', ['code']],
  ['verifyTotp', ['scope', 'code', 'recoveryCode']],
  ['activateController', ['token', 'organization']],
  ['validateActivation', ['token']],
  ['createGroup', ['name', 'parent', 'organization']],
  ['attachControllers', ['controllers']],
  ['detachControllers', ['controllers']],
  ['inviteUser', ['email']],
  ['validateInvite', ['organizationInviteToken']],
  ['acceptInvite', ['organizationInviteToken']],
  ['createOrganization', ['name']],
  ['updateOrganization', ['name', 'totpRequired']],
  ['updateMember', ['role']],
  ['signUp', ['userEmail', 'userPassword', 'organizationInviteToken']],
];

// spec: 7.01
it.each(bodies)('spec 7: the payload of %s has the fields %j', (name, fields) => {
  const route = routes[name];
  if (!('body' in route) || !route.body) throw new Error(`${name} has no body`);
  const everything = Object.fromEntries([...fields, 'surprise'].map((field) => [field, {}]));
  const { error } = route.body.safeParse(everything);
  const unknown = error?.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  expect(unknown).toEqual(['surprise']);
});

// spec: 7.01
it('spec 7: the controllers list takes the filters of the specification, and its count the same', () => {
  const filters = [
    'page',
    'ordering',
    'group_ids',
    'page_size',
    'latitude_max',
    'latitude_min',
    'longitude_max',
    'longitude_min',
    'organization_id',
    'firmware_version',
    'serial_number',
    'group_name',
    'description',
  ];
  for (const name of ['listControllers', 'countControllers'] as const) {
    expect(Object.keys(routes[name].query.shape)).toEqual(expect.arrayContaining(filters));
  }
  expect(Object.keys(routes.listGroups.query.shape)).toContain('organization_id');
});
