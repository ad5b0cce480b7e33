import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
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

test('a list whose organization has closed since it was read sends nobody away', async () => {
  const { href, queryClient } = start('/organizations', {
    'GET /api/v1/controllers-count/': refusal(),
  });
  await screen.findByText('Your role: owner');
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(href()).toBe('/organizations');
});

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
