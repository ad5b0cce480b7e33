import { expect, test, vi } from 'vitest';
import { type ErrorEffects, reportError } from './errors.ts';
import { makeApiError } from './testing.ts';

function makeEffects() {
  return {
    setUnauthorized: vi.fn(),
    goToLogin: vi.fn(),
    goToSecurity: vi.fn(),
    showError: vi.fn(),
    leaveOrganization: vi.fn(),
    closeOrganization: vi.fn(),
    controllerDoesNotExist: (serialNumber: string) => `Controller ${serialNumber} does not exist`,
    serverUnreachable: () => 'unreachable',
  } satisfies ErrorEffects;
}

const page = { kind: 'page' } as const;
const action = { kind: 'action' } as const;
const background = { kind: 'background' } as const;

// spec: 8.01
test('spec 8: 401 marks the user unauthorized and goes to login', async () => {
  const effects = makeEffects();
  await reportError(makeApiError('listOrganizations', { status: 401 }), effects, page);
  expect(effects.setUnauthorized).toHaveBeenCalledOnce();
  expect(effects.goToLogin).toHaveBeenCalledOnce();
  expect(effects.showError).not.toHaveBeenCalled();
});

// spec: 6.04, 8.02
test('spec 8: 403 goes to the security page and tells why', async () => {
  const effects = makeEffects();
  const body = { detail: 'The organization requires a second factor.', code: 'totp_setup_required' };
  await reportError(makeApiError('listControllers', { status: 403, body }), effects, page);
  expect(effects.goToSecurity).toHaveBeenCalledExactlyOnceWith(
    'The organization requires a second factor',
    page,
  );
  expect(effects.showError).not.toHaveBeenCalled();
});

// spec: 8.02
test('an organization that requires a sign-in by its provider is closed, and nobody is sent to the security page', async () => {
  const effects = makeEffects();
  const body = { detail: 'The organization requires a sign-in.', code: 'sign_in_required' };
  const refused = makeApiError('listControllers', { status: 403, body });
  Object.defineProperty(refused.response, 'url', { value: '/api/v1/controllers/?page=1&organization_id=7' });
  await reportError(refused, effects, page);
  await reportError(makeApiError('getCurrentUser', { status: 403, body }), effects, action);
  const params = { organizationId: '7' };
  await reportError(makeApiError('getOrganization', { status: 403, body, params }), effects, page);
  expect(effects.closeOrganization.mock.calls).toEqual([
    ['7', 'The organization requires a sign-in', page],
    [undefined, 'The organization requires a sign-in', action],
  ]);
  expect(effects.goToSecurity).not.toHaveBeenCalled();
});

test.each(['totp_required', 'totp_expired'])('spec 8: a 403 with the code %s has no effect', async (code) => {
  const effects = makeEffects();
  await reportError(makeApiError('createOrganization', { status: 403, body: { code } }), effects, action);
  expect(effects.goToSecurity).not.toHaveBeenCalled();
  expect(effects.showError).not.toHaveBeenCalled();
});

test('spec 8: a refresh behind the page that is refused goes to the security page as well', async () => {
  const effects = makeEffects();
  const body = { detail: 'Your role is too weak.', code: 'role_forbidden' };
  await reportError(makeApiError('listControllers', { status: 403, body }), effects, background);
  expect(effects.goToSecurity).toHaveBeenCalledExactlyOnceWith('Your role is too weak', background);
});

test('spec 8: a call that stays where it is refused goes nowhere', async () => {
  const effects = makeEffects();
  const origin = { ...page, call: { stays: [403], inPlace: 'refusals' } } as const;
  await reportError(makeApiError('listControllers', { status: 403 }), effects, origin);
  expect(effects.goToSecurity).not.toHaveBeenCalled();
  expect(effects.showError).not.toHaveBeenCalled();
});

// spec: 8.02
test.each([
  ['port_reserved', 0],
  ['role_forbidden', 1],
])(
  'spec 8: a call that stays for one reason goes to the security page for another (%s)',
  async (code, times) => {
    const effects = makeEffects();
    const origin = { ...action, call: { stays: ['port_reserved'] } } as const;
    const body = { detail: 'Refused.', code };
    const params = { serialNumber: 'A1', protocol: '1883' };
    await reportError(makeApiError('openTunnel', { status: 403, body, params }), effects, origin);
    expect(effects.goToSecurity).toHaveBeenCalledTimes(times);
  },
);

// spec: 8.03
test('spec 8: 404 on a controller url says that the controller does not exist', async () => {
  const effects = makeEffects();
  const body = { detail: 'Not found.', code: 'controller_not_found' };
  const error = makeApiError('getController', { status: 404, body, params: { serialNumber: 'a1-b2' } });
  await reportError(error, effects, page);
  expect(effects.showError).toHaveBeenCalledExactlyOnceWith(
    'Controller A1-B2 does not exist',
    'controller-gone:A1-B2',
  );
});

// spec: 8.03
test.each([
  ['getController', '/'],
  ['updateController', '/'],
  ['deleteController', '/'],
  ['getLastMqttData', '/last-mqtt-data/'],
  ['querySystemMetrics', '/system-metrics/'],
  ['getDiagnostic', '/diagnostic/'],
  ['requestDiagnostic', '/request-diagnostic/'],
  ['openTunnel', '/tcp-tunnels/ssh/'],
] as const)('spec 8: 404 on the controller address of %s says so too (…%s)', async (route, end) => {
  for (const origin of [page, action, background]) {
    const effects = makeEffects();
    const body = { detail: 'Not found.', code: 'controller_not_found' };
    const params = { serialNumber: 'a1-b2', protocol: 'ssh' };
    const error = makeApiError(route, { status: 404, body, params });
    expect(error.response.url).toMatch(new RegExp(`/api/v1/controllers/a1-b2${end}$`));
    await reportError(error, effects, origin);
    expect(effects.showError.mock.calls).toEqual([
      ['Controller A1-B2 does not exist', 'controller-gone:A1-B2'],
    ]);
  }
});

test('404 of a service of a controller, which is there, is told in the words of the answer', async () => {
  const effects = makeEffects();
  const body = { detail: 'The controller has no such service.', code: 'service_not_found' };
  const params = { serialNumber: 'A1', port: '1880' };
  await reportError(makeApiError('deleteService', { status: 404, body, params }), effects, action);
  expect(effects.showError.mock.calls).toEqual([['The controller has no such service']]);
});

// spec: 8.04, 8.13
test('spec 8: another 4xx shows its messages, each in a toast without its full stop', async () => {
  const effects = makeEffects();
  const body = { name: ['Too long.', 'Odd.'], other: 'No' };
  await reportError(makeApiError('createOrganization', { status: 400, body }), effects, action);
  expect(effects.showError.mock.calls).toEqual([['Too long'], ['Odd'], ['No']]);
});

test('an organization that is gone is told by its page alone', async () => {
  const effects = makeEffects();
  const params = { organizationId: '01890000-0000-7000-8000-000000000000' };
  await reportError(makeApiError('getOrganization', { status: 404, params }), effects, page);
  expect(effects.showError).not.toHaveBeenCalled();
  expect(effects.leaveOrganization).not.toHaveBeenCalled();
});

test.each([
  ['getOrganization', background],
  ['listMembers', page],
  ['updateOrganization', action],
] as const)('an organization that turns out to be gone is left: %s', async (route, origin) => {
  const effects = makeEffects();
  const organizationId = '01890000-0000-7000-8000-000000000000';
  const body = { detail: 'Organization does not exist.', code: 'organization_not_found' };
  const error = makeApiError(route, { status: 404, body, params: { organizationId } });
  await reportError(error, effects, origin);
  expect(effects.leaveOrganization).toHaveBeenCalledExactlyOnceWith(organizationId, origin);
  expect(effects.showError).not.toHaveBeenCalled();
});

test('a member who is gone is told, and the organization stays open', async () => {
  const effects = makeEffects();
  const params = { organizationId: '01890000-0000-7000-8000-000000000000', userId: 'u' };
  const body = { detail: 'Member does not exist.', code: 'member_not_found' };
  await reportError(makeApiError('removeMember', { status: 404, body, params }), effects, action);
  expect(effects.showError).toHaveBeenCalledExactlyOnceWith('Member does not exist');
  expect(effects.leaveOrganization).not.toHaveBeenCalled();
});

test('a server that does not answer is told after an action, and by the page otherwise', async () => {
  const effects = makeEffects();
  await reportError(new TypeError('Failed to fetch'), effects, page);
  expect(effects.showError).not.toHaveBeenCalled();
  await reportError(new TypeError('Failed to fetch'), effects, action);
  expect(effects.showError).toHaveBeenCalledExactlyOnceWith('unreachable', 'server-unreachable');
});
