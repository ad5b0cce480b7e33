import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answers, organization, organizationId, startApp } from './testing/start-app.tsx';

afterEach(cleanup);

const json = { 'content-type': 'application/json; charset=utf-8' };
const refusal = () =>
  Response.json(
    { detail: 'The organization “Acme” requires a second factor.', code: 'totp_setup_required' },
    { status: 403, headers: json },
  );
const banner = 'The organization “Acme” requires a second factor';

/** As the server answers a member without a second factor: the list and leaving work, all else is refused. */
const closed: Answers = {
  'GET /api/v1/organizations/': [{ ...organization, totpRequired: true, userRole: 'member' }],
  [`GET /api/v1/organizations/${organizationId}/`]: refusal(),
  'GET /api/v1/controllers/': refusal(),
  'GET /api/v1/controllers-count/': refusal(),
  'GET /api/v1/controllers/A1/': refusal(),
  [`POST /api/v1/organizations/${organizationId}/leave/`]: 204,
};

/** The app, and every address that it came to rest at. */
function start(path: string, answers: Answers = closed) {
  const app = startApp({ path, answers });
  const places: string[] = [];
  app.router.subscribe('onResolved', ({ toLocation }) => places.push(toLocation.pathname));
  return { ...app, places };
}

test.each([
  '/',
  `/organizations/${organizationId}`,
  `/organizations/${organizationId}?tab=members`,
  `/organizations/${organizationId}/controllers`,
  `/organizations/${organizationId}/controllers/A1`,
  `/organizations/${organizationId}/audit`,
  '/controllers/A1',
])(
  'a member without the second factor that the organization requires comes from %s to /security, once, and reads why',
  async (path) => {
    const { href, places, router } = start(path);
    await screen.findByText(banner);
    expect(href()).toBe('/security');
    expect(places.filter((place) => place === '/security').length).toBe(1);
    // The way back does not lead into the same refusal again.
    expect(router.history.length).toBe(1);
    expect(await screen.findAllByText(banner)).toHaveLength(1);
  },
);

test('the list of organizations stays open, says which one is closed, and asks nothing of it', async () => {
  const { href, calls } = start('/organizations');
  await screen.findByText('Requires a second factor, and yours is off');
  expect(href()).toBe('/organizations');
  expect(calls.filter((call) => /controllers|events/.test(call))).toEqual([]);
});

test('the card of a closed organization leads to /security and says why', async () => {
  const { href } = start('/organizations');
  fireEvent.click(await screen.findByRole('link', { name: 'Acme' }));
  await screen.findByText('The organization “Acme” requires a second factor. Turn it on to open it');
  expect(href()).toBe('/security');
});

test('the way from /security leads to the list of organizations, where one can leave the closed one', async () => {
  const { href, answers, calls } = start('/');
  await screen.findByText(banner);
  fireEvent.click(screen.getByRole('link', { name: 'Organizations' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Acme' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Leave organization' }));
  answers['GET /api/v1/organizations/'] = [];
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('No organizations yet');
  expect(calls).toContain(`POST /api/v1/organizations/${organizationId}/leave/`);
  expect(href()).toBe('/organizations');
});

// spec: 8.02
test('spec 8: an organization that closes behind an open page leads its reader to /security, once, with the reason', async () => {
  const { href, places, answers, queryClient } = start(`/organizations/${organizationId}/controllers`, {});
  await screen.findByRole('heading', { level: 1, name: 'Controllers' });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  Object.assign(answers, closed);
  await queryClient.refetchQueries();
  expect(await screen.findAllByText(banner)).toHaveLength(1);
  expect(href()).toBe('/security');
  expect(places.filter((place) => place === '/security')).toHaveLength(1);
});

// spec: 8.02
test('a list whose organization has closed since it was read sends nobody away', async () => {
  const { href, queryClient } = start('/organizations', {
    'GET /api/v1/controllers-count/': refusal(),
  });
  await screen.findByText('Your role: owner');
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(href()).toBe('/organizations');
});

// spec: 8.02
test('spec 8: an action that is refused leads to /security, and the way back to where it was tried', async () => {
  const refused = Response.json(
    { detail: 'This needs the role “admin” or above.', code: 'role_forbidden' },
    { status: 403, headers: json },
  );
  const { href, router } = start('/organizations', {
    [`POST /api/v1/organizations/${organizationId}/leave/`]: refused,
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Acme' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Leave organization' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('This needs the role “admin” or above');
  expect(href()).toBe('/security');
  router.history.back();
  await waitFor(() => expect(href()).toBe('/organizations'));
});

test('the requirement closes nothing where the server has no second factors', async () => {
  start('/organizations', {
    ...closed,
    'GET /api/v1/environments/': { MAX_ACTIVATED_CONTROLLERS: 0, TOTP_AUTH_ENABLED: false },
    'GET /api/v1/controllers-count/': { count: 3, countOnline: 3, countOffline: 0, countNever: 0 },
  });
  await screen.findByText('3 online');
});

const signInBanner = 'The organization Acme requires a sign-in by its provider';
const signInRefusal = () =>
  Response.json({ detail: `${signInBanner}.`, code: 'sign_in_required' }, { status: 403, headers: json });

/** As the server answers a login that is no sign-in by the organization’s provider. */
const closedToLogin: Answers = {
  'GET /api/v1/organizations/': [{ ...organization, isSignInMissing: true }],
  [`GET /api/v1/organizations/${organizationId}/`]: signInRefusal(),
  'GET /api/v1/controllers/': signInRefusal(),
  'GET /api/v1/controllers-count/': signInRefusal(),
  'GET /api/v1/controllers/A1/': signInRefusal(),
  [`GET /api/v1/auth/providers/${organizationId}/`]: { name: 'Works ID' },
};
const required = 'A sign-in by the provider is required';

// spec: 8.02
test.each([
  `/organizations/${organizationId}`,
  `/organizations/${organizationId}/controllers?search=a+b`,
  `/organizations/${organizationId}/controllers/A1`,
  `/organizations/${organizationId}/monitoring/open`,
])(
  'an organization that wants a sign-in says so at %s, and comes back there from its provider',
  async (path) => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    const { href, places } = start(path, closedToLogin);
    const bodies: unknown[] = [];
    const fetch = globalThis.fetch;
    vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
      if (!String(input).includes('/sign-in/')) return fetch(input, init);
      bodies.push(JSON.parse(String(init?.body)));
      return Promise.resolve(Response.json({ url: 'https://id.example/' }));
    });
    await screen.findByText(required);
    fireEvent.click(await screen.findByRole('button', { name: 'Sign in with Works ID' }));
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith('https://id.example/'));
    expect(bodies).toEqual([{ returnTo: path }]);
    expect(places).not.toContain('/security');
    expect(href().startsWith(path.split('?')[0] ?? '')).toBe(true);
    expect(document.querySelector('.Toastify__toast')).toBeNull();
  },
);

test('the only organization of somebody leads from the root to how to get in', async () => {
  const { href } = start('/', closedToLogin);
  await screen.findByText(required);
  expect(href()).toBe(`/organizations/${organizationId}/controllers`);
});

test('an organization without a provider of its own is entered by that of the installation, or by none', async () => {
  const { [`GET /api/v1/auth/providers/${organizationId}/`]: _, ...withoutOwn } = closedToLogin;
  const path = `/organizations/${organizationId}`;
  start(path, {
    ...withoutOwn,
    'GET /api/v1/environments/': { MAX_ACTIVATED_CONTROLLERS: 0, SIGN_IN_PROVIDER: 'Server ID' },
  });
  await screen.findByRole('button', { name: 'Sign in with Server ID' });
  cleanup();
  start(path, withoutOwn);
  await screen.findByText(/but it has none/);
  expect(screen.queryByRole('button', { name: /^Sign in with/ })).toBeNull();
});

test('the card of an organization that wants a sign-in says so, asks nothing of it and leads to its page', async () => {
  const { href, calls } = start('/organizations', closedToLogin);
  await screen.findByText('Requires a sign-in by its provider');
  expect(calls.filter((call) => /controllers-count/.test(call))).toEqual([]);
  fireEvent.click(screen.getByRole('link', { name: 'Acme' }));
  await screen.findByText(required);
  expect(href()).toBe(`/organizations/${organizationId}/controllers`);
});

test('an organization that wants a sign-in from now on closes behind an open page', async () => {
  const { href, answers, places, queryClient } = start(`/organizations/${organizationId}/controllers`, {});
  await screen.findByRole('heading', { level: 1, name: 'Controllers' });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  Object.assign(answers, closedToLogin);
  await queryClient.refetchQueries();
  await screen.findByText(required);
  expect(href()).toBe(`/organizations/${organizationId}/controllers`);
  expect(places).not.toContain('/security');
});

test('a controller of an organization that wants a sign-in leads to the organizations, with the reason', async () => {
  const { href } = start('/controllers/A1', closedToLogin);
  await screen.findByText(signInBanner);
  expect(href()).toBe('/organizations');
});
