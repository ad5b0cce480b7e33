import { QueryClient } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Answers, refuse } from '../../features/testing/fake-api.ts';
import { renderConsole } from '../../features/testing/render-console.tsx';
import { isAuthorized } from '../../shared/auth/authorization.ts';
import { paths } from '../../shared/paths.ts';
import { findInviteDestination, findRootDestination } from './destinations.ts';

// The router tells developers of what it caught, with parts of the document that Node cannot print.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

const token = 'invite-token';
const email = 'a@example.com'; // whom the fake API knows as the current user
const validate = (invitedUserEmail: string, userExists: boolean) => () => ({
  invitedUserEmail,
  userExists,
  organizationToJoin: { name: 'Boiler Works' },
});

function open(isAuthorized: boolean, answers: Answers, locale: 'ru' | 'en' = 'en') {
  return renderConsole(paths.invite({ token }), { isAuthorized, answers, locale });
}

// spec: 2.21
test('spec 2: an invalid invite goes to root, and says what it is', async () => {
  const { address } = open(false, {
    validateInvite: () => refuse(400, 'invite_invalid', 'The invite is not valid: it has expired.'),
  });
  await waitFor(() => expect(address()).toBe('/login'));
  expect(await screen.findAllByText('The invite is not valid: it has expired')).toHaveLength(1);
});

test('spec 2: so does an invite link without a token, which asks the server nothing', async () => {
  const { address, callsOf } = renderConsole('/invite', { isAuthorized: false });
  await waitFor(() => expect(address()).toBe('/login'));
  expect(callsOf('validateInvite')).toHaveLength(0);
});

// spec: 2.22
test('spec 2: authorized as the invited: to the organizations, with token and orgName', async () => {
  localStorage.setItem('isAuthorized', 'true');
  renderConsole('/login', { isAuthorized: true, answers: { validateInvite: validate(email, true) } });
  expect(await findInviteDestination(token)).toBe('/organizations?token=invite-token&orgName=Boiler+Works');
});

test('spec 2: authorized as the invited: the organizations open', async () => {
  const { address, callsOf } = open(true, { validateInvite: validate(email, true) });
  await waitFor(() => expect(address()).toMatch(/^\/organizations/));
  expect(callsOf('validateInvite')[0]?.body).toEqual({ organizationInviteToken: token });
});

// spec: 2.23
test.each([
  ['en', 'The invite is intended for user other@example.com'],
  ['ru', 'Приглашение предназначено для пользователя other@example.com'],
] as const)('spec 2: authorized as somebody else: told so, and to root (%s)', async (locale, text) => {
  const { address } = open(true, { validateInvite: validate('other@example.com', true) }, locale);
  expect(await screen.findByText(text)).toBeTruthy();
  await waitFor(() => expect(address()).toMatch(/^\/organizations\/.*\/controllers/));
  expect(isAuthorized()).toBe(true);
});

// spec: 2.24
test('spec 2: unauthorized and the user exists: to login, with redirect and email', async () => {
  const { router } = open(false, { validateInvite: validate(email, true) });
  const login = paths.login({ redirect: paths.invite({ token }), email });
  await waitFor(() => expect(router.state.location.href).toBe(login));
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe(email);
});

// spec: 2.25
test('spec 2: unauthorized and no such user: to signup, with token and email', async () => {
  renderConsole('/login', {
    isAuthorized: false,
    answers: { validateInvite: validate('new@example.com', false) },
  });
  expect(await findInviteDestination(token)).toBe('/signup?token=invite-token&email=new%40example.com');
});

test('spec 2: unauthorized and no such user: the sign-up form opens for the invited', async () => {
  const { address } = open(false, { validateInvite: validate('new@example.com', false) });
  await screen.findByRole('heading', { name: 'You are invited to the organization “Boiler Works”' });
  expect(address()).toBe('/signup?email=new@example.com');
});

test('a session that has ended counts as none', async () => {
  const { router } = open(true, {
    validateInvite: validate(email, true),
    getCurrentUser: () => refuse(401, 'not_authenticated'),
  });
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  expect(isAuthorized()).toBe(false);
});

test('a server that is out of order says nothing about the invite: error view with a retry', async () => {
  let isBroken = true;
  const { address } = open(false, {
    validateInvite: () => (isBroken ? refuse(503, 'service_unavailable') : validate(email, true)()),
  });
  await screen.findByRole('heading', { name: 'Server Error' });
  expect(screen.getByText('503')).toBeTruthy();
  expect(address()).toMatch(/^\/invite/);
  isBroken = false;
  screen.getByRole('button', { name: 'Try again' }).click();
  await waitFor(() => expect(address()).toMatch(/^\/login/));
});

test('neither does one that does not answer', async () => {
  open(false, {
    validateInvite: () => {
      throw new TypeError('Failed to fetch');
    },
  });
  await screen.findByRole('heading', { name: 'Server Error' });
});

function stubApi(organizations: string[], controllers: string[] | 'refused') {
  const urls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url);
    if (url.startsWith('/api/v1/organizations/')) return Response.json(organizations.map((id) => ({ id })));
    if (controllers === 'refused') return Response.json({ code: 'permission_denied' }, { status: 403 });
    const results = controllers.map((serialNumber) => ({ serialNumber }));
    return Response.json({ count: results.length, results });
  });
  return { urls, find: () => findRootDestination(new QueryClient()) };
}

test('spec 2: one organization with one controller leads to it', async () => {
  expect(await stubApi(['one'], ['A1']).find()).toBe('/organizations/one/controllers/A1');
});

test('spec 2: one organization with no or several controllers leads to its list', async () => {
  expect(await stubApi(['one'], []).find()).toBe('/organizations/one/controllers');
  expect(await stubApi(['one'], ['A1', 'A2']).find()).toBe('/organizations/one/controllers');
});

// spec: 2.03
test('spec 2: no or several organizations lead to their list', async () => {
  for (const organizations of [[], ['one', 'two']]) {
    const { urls, find } = stubApi(organizations, ['A1']);
    expect(await find()).toBe('/organizations');
    expect(urls).toHaveLength(1);
  }
});

test('spec 8: the root of an organization that refuses its list leads to the security page at once', async () => {
  const { urls, find } = stubApi(['one'], 'refused');
  expect(await find()).toBe('/security');
  expect(urls).toHaveLength(2);
});

// spec: 9.04
test('spec 9: the root probes 2 controllers', async () => {
  const { urls, find } = stubApi(['one'], []);
  await find();
  expect(urls[1]).toBe('/api/v1/controllers/?organization_id=one&page=1&page_size=2');
});
