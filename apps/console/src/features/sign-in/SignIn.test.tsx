import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { isAuthorized } from '../../shared/auth/authorization.ts';
import { type Answers, organization, refuse, throttle } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const url = 'https://id.example/authorize?state=1';
const withProvider = { getEnvironments: () => ({ IS_ON_PREMISE: true, SIGN_IN_PROVIDER: 'Acme ID' }) };
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

function open(address: string, answers: Answers, isLoggedIn = false) {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  return { ...renderConsole(address, { answers, isAuthorized: isLoggedIn }), assign };
}

test('the login page offers the provider of the installation, and comes back to where the login leads', async () => {
  const { assign, callsOf } = open('/login?redirect=%2Fsecurity', {
    ...withProvider,
    beginSignIn: () => ({ url }),
  });
  await press('Sign in with Acme ID');
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(url));
  expect(callsOf('beginSignIn')).toMatchObject([
    { params: { provider: 'installation' }, body: { returnTo: '/security' } },
  ]);
});

test('the login page offers no provider where the installation has none', async () => {
  open('/login', {});
  await screen.findByLabelText('Email');
  expect(screen.queryByRole('button', { name: /^Sign in with/ })).toBeNull();
});

test.each([
  ['does not answer', () => refuse(502, 'provider_unavailable', 'The identity provider does not answer.')],
  ['was asked too often', () => throttle(30)],
])('a provider that %s is told beside its button, without a toast', async (_, beginSignIn) => {
  const { assign } = open('/login', { ...withProvider, beginSignIn });
  await press('Sign in with Acme ID');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toMatch(/does not answer|Too many attempts/),
  );
  expect(document.querySelector('.Toastify__toast')).toBeNull();
  expect(assign).not.toHaveBeenCalled();
});

const organizationLogin = `/login/organization/${organization.id}`;

test('the page of an organization’s login leads to its provider and back to the organization', async () => {
  const { assign, callsOf } = open(organizationLogin, {
    getSignInProvider: () => ({ name: 'Works ID', organizationName: 'Plant' }),
    beginSignIn: () => ({ url }),
  });
  await screen.findByRole('heading', { name: 'Sign in to Plant' });
  expect(screen.queryByText(/^You are logged in as/)).toBeNull();
  await press('Sign in with Works ID');
  await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(url));
  expect(callsOf('beginSignIn')).toMatchObject([
    { params: { provider: organization.id }, body: { returnTo: `/organizations/${organization.id}` } },
  ]);
  expect(screen.getByRole('link', { name: 'Log in by password instead' }).getAttribute('href')).toBe(
    '/login',
  );
});

test('the page of an organization’s login tells one who is logged in that this login goes', async () => {
  const getSignInProvider = () => ({ name: 'Works ID', organizationName: 'Plant' });
  open(organizationLogin, { getSignInProvider }, true);
  await screen.findByText(
    'You are logged in as a@example.com. The new sign-in takes the place of that login.',
  );
});

test('the page of an organization’s login stays where a login is over by now', async () => {
  const { address, callsOf } = open(
    organizationLogin,
    {
      getSignInProvider: () => ({ name: 'Works ID', organizationName: null }),
      getCurrentUser: () => refuse(401, 'not_authenticated'),
    },
    true,
  );
  await screen.findByRole('heading', { name: 'Sign in to the organization' });
  await waitFor(() => expect(callsOf('getCurrentUser')).toHaveLength(1));
  await screen.findByRole('button', { name: 'Sign in with Works ID' });
  expect(address()).toBe(organizationLogin);
  expect(document.querySelector('.Toastify__toast')).toBeNull();
});

test('the page of an organization without a provider says so, and leads to the login', async () => {
  open(organizationLogin, {
    getSignInProvider: () => refuse(404, 'provider_not_found', 'There is no such way to sign in here.'),
  });
  await screen.findByText('There is no such way to sign in here.');
  expect(screen.getByRole('link', { name: 'Back to login' }).getAttribute('href')).toBe('/login');
  expect(document.querySelector('.Toastify__toast')).toBeNull();
});

test.each([
  ['sign_in_denied', 'The sign-in was cancelled at the provider.'],
  ['identity_taken', /^This account has another sign-in by this provider/],
  ['sign_in_no_account', /^Your email has no account here/],
  ['identities_limit_reached', /^The limit of 20 sign-ins by providers is reached/],
  ['controller_not_found', /^The provider did not confirm the sign-in/],
  ['<b>', /^The provider did not confirm the sign-in/],
])('a sign-in that ended with the code %s is told of in words', async (code, text) => {
  const { callsOf } = open(`/login/complete?error=${encodeURIComponent(code)}`, {});
  await screen.findByText(text);
  expect(screen.getByRole('link', { name: 'Back to login' })).toBeTruthy();
  expect(callsOf('getOpenSignIn')).toEqual([]);
});

test('a sign-in that is over by the time of its page says so', async () => {
  open('/login/complete', {
    getOpenSignIn: () => refuse(409, 'sign_in_expired', 'This sign-in is over. Begin again.'),
  });
  await screen.findByText('This sign-in is over. Begin again.');
});

test.each([
  ['/security', /^\/security$/],
  ['//evil.example', /^\/organizations\//],
  ['/\\evil.example', /^\/organizations\//],
  ['https://evil.example/', /^\/organizations\//],
])(
  'a sign-in that the server has ended makes authorized and leads to %s only within the console',
  async (to, place) => {
    const { address } = open(`/login/complete?done=1&to=${encodeURIComponent(to)}`, {});
    await waitFor(() => expect(address()).toMatch(place));
    expect(isAuthorized()).toBe(true);
  },
);

const link = {
  provider: { id: organization.id, name: 'Works ID' },
  email: 'me@example.com',
  needs: 'account',
};

test('an account is linked by its password and then its second factor, once', async () => {
  const { address, callsOf } = open('/login/complete', {
    getOpenSignIn: () => link,
    completeSignIn: ({ body }) =>
      (body as { totpCode?: string }).totpCode === undefined
        ? refuse(401, 'totp_required')
        : { access: 'jwt', returnTo: '/security' },
  });
  await screen.findByRole('heading', { name: 'Connect Works ID to your Pult account' });
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('me@example.com');
  type('Password', 'secret Word');
  await press('Connect');
  await screen.findByText('me@example.com has a second factor.');
  type('Authenticator code', '123456');
  await waitFor(() => expect(address()).toBe('/security'));
  expect(isAuthorized()).toBe(true);
  const account = { username: 'me@example.com', password: 'secret Word' };
  expect(callsOf('completeSignIn').map(({ body }) => body)).toEqual([
    account,
    { ...account, totpCode: '123456' },
  ]);
});

test('a wrong password of the account to be linked is told in the form', async () => {
  open('/login/complete', {
    getOpenSignIn: () => link,
    completeSignIn: () => refuse(401, 'invalid_credentials'),
  });
  await screen.findByLabelText('Password');
  type('Password', 'wrong');
  await press('Connect');
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong email or password');
  expect(isAuthorized()).toBe(false);
});

test('a second factor alone ends a sign-in, and a wrong code stays on its page', async () => {
  const { address, callsOf } = open('/login/complete', {
    getOpenSignIn: () => ({ ...link, needs: 'second_factor' }),
    completeSignIn: ({ body }) =>
      (body as { recoveryCode?: string }).recoveryCode === undefined
        ? refuse(401, 'totp_invalid')
        : { access: 'jwt', returnTo: '//evil.example' },
  });
  await screen.findByText('Your account has a second factor.');
  type('Authenticator code', '123456');
  await screen.findByText('The code is wrong or was already used');
  await press('No phone at hand? Use a recovery code');
  type('Recovery code', 'AAAAA-BBBBB');
  await press('Log in');
  await waitFor(() => expect(address()).toMatch(/^\/organizations\//));
  expect(callsOf('completeSignIn').map(({ body }) => body)).toEqual([
    { totpCode: '123456' },
    { recoveryCode: 'AAAAA-BBBBB' },
  ]);
});

// spec: 8.02
test('a sign-in that leads to no rights ends with the reason, on its own page', async () => {
  const { address } = open('/login/complete', {
    getOpenSignIn: () => link,
    completeSignIn: () => refuse(403, 'sign_in_without_rights', 'You have no rights in this organization.'),
  });
  await screen.findByLabelText('Password');
  type('Password', 'secret Word');
  await press('Connect');
  await screen.findByText('You have no rights in this organization.');
  expect(address()).toBe('/login/complete');
});
