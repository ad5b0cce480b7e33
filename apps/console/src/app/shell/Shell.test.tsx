import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { setReachable } from '../../shared/api/connection.ts';
import { isAuthorized } from '../../shared/auth/authorization.ts';
import { organization, organizationId, startApp } from '../testing/start-app.tsx';

afterEach(() => {
  cleanup();
  setReachable(true);
});

// spec: 4.02
test('spec 4: logout ends the session, makes unauthorized and leads to login', async () => {
  const { href, calls } = startApp({ path: '/security' });
  fireEvent.click(await screen.findByRole('button', { name: 'Account: me@example.com' }));
  expect(await screen.findByText('Version 1.2.3')).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  await waitFor(() => expect(href()).toBe('/login'));
  expect(calls).toContain('POST /api/v1/auth/logout/');
  expect(isAuthorized()).toBe(false);
});

// spec: 4.02
test('nothing is asked for any more after a logout, not who one is either', async () => {
  const { calls, queryClient } = startApp({ path: '/security' });
  fireEvent.click(await screen.findByRole('button', { name: 'Account: me@example.com' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  await screen.findByRole('button', { name: 'Log in' });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(calls.slice(calls.indexOf('POST /api/v1/auth/logout/') + 1)).toEqual([]);
});

// spec: 4.02
test.each([
  ['without an answer', new TypeError('Failed to fetch')],
  ['that the server fails at', 500],
  ['of a session that is over', 401],
])('a logout %s logs out here all the same', async (_, answer) => {
  const { href } = startApp({ path: '/security', answers: { 'POST /api/v1/auth/logout/': answer } });
  fireEvent.click(await screen.findByRole('button', { name: 'Account: me@example.com' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Log out' }));
  await screen.findByRole('button', { name: 'Log in' });
  expect(href()).toMatch(/^\/login/);
  expect(isAuthorized()).toBe(false);
});

test('the language changes at once, with <html lang> and the title', async () => {
  startApp({ path: '/security' });
  await waitFor(() => expect(document.title).toBe('Account · Pult'));
  fireEvent.click(await screen.findByRole('radio', { name: 'Русский' }));
  await waitFor(() => expect(document.title).toBe('Учётная запись · Pult'));
  expect(document.documentElement.lang).toBe('ru');
  expect(localStorage.getItem('locale')).toBe('ru');
});

// spec: 7.16
test('the license banner tells of 98 of 100 controllers and can be closed', async () => {
  startApp({
    path: '/security',
    answers: {
      'GET /api/v1/environments/': { MAX_ACTIVATED_CONTROLLERS: 100 },
      'GET /api/v1/controllers-total-count/': { count: 98 },
    },
  });
  const text = /98 of 100 controllers/;
  await screen.findByText(text);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText(text)).toBeNull();
});

const ends = {
  'GET /api/v1/ending-certificates/': {
    results: [{ name: 'server', validUntil: '2030-01-02T10:00:00Z' }],
  },
};

test('the banner of a certificate that ends tells owners whom to tell, and can be closed', async () => {
  startApp({ path: '/security', answers: ends });
  const line = await screen.findByText(/certificate of the server is valid until .*2030/);
  expect(line.closest('[role=status]')?.textContent).toMatch(/Tell the administrator of the server\.$/);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText(/valid until/)).toBeNull();
});

test('the banner of a certificate that ends leads an administrator to the page of the server', async () => {
  startApp({
    path: '/security',
    locale: 'ru',
    answers: {
      ...ends,
      'GET /api/v1/users/me/': { id: 'u', email: 'me@example.com', locale: 'ru', isAdministrator: true },
      'GET /api/v1/organizations/': [],
    },
  });
  await screen.findByText(/Сертификат сервера действует до .*2030/);
  expect(screen.getByRole('link', { name: 'Статус сервера' }).getAttribute('href')).toBe('/installation');
});

test('the certificates that end are not asked for by members who are no owners', async () => {
  const { calls } = startApp({
    path: '/security',
    answers: { ...ends, 'GET /api/v1/organizations/': [{ ...organization, userRole: 'admin' }] },
  });
  await screen.findByRole('heading', { level: 1 });
  expect(calls).not.toContain('GET /api/v1/ending-certificates/');
  expect(screen.queryByText(/valid until/)).toBeNull();
});

test('a lost connection is told until the server answers again', async () => {
  startApp({ path: '/security' });
  await screen.findByRole('heading', { level: 1 });
  setReachable(false);
  await screen.findByText(/^No connection to the server/);
  setReachable(true);
  await waitFor(() => expect(screen.queryByText(/^No connection to the server/)).toBeNull());
});

test('spec 8: what a toast tells, the page under it does not repeat', async () => {
  const refusal = Response.json(
    { detail: 'The list is refused.' },
    { status: 400, headers: { 'content-type': 'application/json; charset=utf-8' } },
  );
  startApp({ path: '/organizations', answers: { 'GET /api/v1/organizations/': refusal } });
  await screen.findByRole('heading', { name: 'Could not load this' });
  await screen.findByText('The list is refused');
  expect(screen.getAllByText(/The list is refused/).map((element) => element.textContent)).toEqual([
    'The list is refused',
  ]);
});

test('the menu of the user leads to Account, at the address it always had', async () => {
  const { href } = startApp({ path: `/organizations/${organizationId}` });
  fireEvent.click(await screen.findByRole('button', { name: 'Account: me@example.com' }));
  expect(screen.queryByRole('link', { name: 'Security' })).toBeNull();
  fireEvent.click(await screen.findByRole('link', { name: 'Account' }));
  await screen.findByRole('heading', { level: 1, name: 'Account' });
  expect(href()).toBe('/security');
});

test('navigation leads to the organization last open, and the first link skips it', async () => {
  startApp({ path: '/security' });
  const link = await screen.findByRole('link', { name: 'Controllers' });
  expect(link.getAttribute('href')).toBe(`/organizations/${organizationId}/controllers`);
  expect(screen.getAllByRole('link')[0]?.getAttribute('href')).toBe('#content');
});

test('the sections of an organization are one click away, and the current one is marked', async () => {
  const path = `/organizations/${organizationId}`;
  const { href, answers } = startApp({ path: '/security' });
  for (const call of ['members', 'grants', 'invites', 'service-accounts', 'guest-links']) {
    answers[`GET /api/v1/organizations/${organizationId}/${call}/`] = [];
  }
  await screen.findByRole('link', { name: 'Overview' });
  const links = screen.getAllByRole('link');
  const sections = links
    .filter((link) => link.querySelector('[class*=linkLabel]'))
    .map((link) => link.textContent);
  expect(sections).toEqual([
    'Overview',
    'Controllers',
    'Alerts',
    'Monitoring',
    'Connections',
    'Access',
    'Settings',
    'Audit log',
  ]);
  fireEvent.click(screen.getByRole('link', { name: 'Access' }));
  await waitFor(() => expect(href()).toBe(`${path}/access`));
  const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'page');
  expect(current.map((link) => link.textContent)).toEqual(['Access']);
  // On a phone that link is in the menu, which is marked in its place.
  const more = screen.getByText('More').closest('button');
  expect(more?.getAttribute('aria-current')).toBe('true');
  fireEvent.click(screen.getByRole('link', { name: 'Controllers' }));
  await waitFor(() => expect(href()).toBe(`${path}/controllers`));
  expect(more?.getAttribute('aria-current')).toBeNull();
});

test('a section stays marked when its page changes its address', async () => {
  const path = `/organizations/${organizationId}`;
  const { href, answers } = startApp({ path: `${path}/connections` });
  answers[`GET ${path.replace('/organizations', '/api/v1/organizations')}/tunnels/`] = {
    count: 0,
    results: [],
  };
  fireEvent.click(await screen.findByRole('radio', { name: 'History' }));
  await waitFor(() => expect(href()).toBe(`${path}/connections?state=ended`));
  expect(screen.getByRole('link', { name: 'Connections' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByText('More').closest('button')?.getAttribute('aria-current')).toBe('true');
});

test('list and map of the controllers are one section, and so are all pages of settings', async () => {
  const path = `/organizations/${organizationId}`;
  const { router } = startApp({ path: `${path}/settings/general` });
  const current = () =>
    screen
      .getAllByRole('link')
      .filter(
        (link) => link.querySelector('[class*=linkLabel]') && link.getAttribute('aria-current') === 'page',
      )
      .map((link) => link.textContent);
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  expect(current()).toEqual(['Settings']);
  await router.navigate({ to: `${path}/map` });
  await waitFor(() => expect(current()).toEqual(['Controllers']));
});

test('alerts that fire are counted, and a role is shown only the sections that it has', async () => {
  const path = `/organizations/${organizationId}`;
  const firing = { count: 120, results: [] };
  const alerts = { [`GET /api/v1/organizations/${organizationId}/alerts/`]: firing };
  startApp({ path: '/security', answers: alerts });
  const link = await screen.findByRole('link', { name: /^Alerts/ });
  await waitFor(() => expect(link.textContent).toBe('Alerts 99+'));
  expect(link.getAttribute('href')).toBe(`${path}/alerts`);
  cleanup();
  const viewer = { ...organization, userRole: 'viewer' };
  startApp({ path: '/security', answers: { ...alerts, 'GET /api/v1/organizations/': [viewer] } });
  await screen.findByRole('link', { name: 'Access' });
  for (const name of [/^Alerts/, 'Connections', 'Audit log']) {
    expect(screen.queryByRole('link', { name })).toBeNull();
  }
});

test('a server that needs attention is marked for its administrators, who are asked for no code', async () => {
  const user = { id: 'u', email: 'me@example.com', locale: 'en', isAdministrator: true, totpEnabled: false };
  const part = { problems: ['disk_low'] };
  const answers = { 'GET /api/v1/users/me/': user, 'GET /api/v1/installation/': { disk: part } };
  startApp({ path: '/security', answers });
  await screen.findByRole('link', { name: 'Server Needs attention' });
  cleanup();
  const { calls } = startApp({
    path: '/security',
    answers: { ...answers, 'GET /api/v1/users/me/': { ...user, totpEnabled: true } },
  });
  await screen.findByRole('link', { name: 'Server' });
  expect(calls).not.toContain('GET /api/v1/installation/');
});

test('no navigation is shown that another one would replace at once', async () => {
  let answer = (_: unknown) => {};
  const asked = new Promise((resolve) => {
    answer = resolve;
  });
  startApp({ path: '/security', answers: { 'GET /api/v1/organizations/': asked } });
  const switcher = await screen.findByRole('button', { name: 'Switch organization' });
  expect(switcher.textContent).toBe('');
  expect(screen.queryByRole('link', { name: 'Organizations' })).toBeNull();
  answer([organization]);
  expect(await screen.findByRole('link', { name: 'Controllers' })).toBeTruthy();
});

test('the list of organizations leads to a new one', async () => {
  const { href } = startApp({ path: '/security' });
  fireEvent.click(await screen.findByRole('button', { name: /^Switch organization/ }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Create organization' }));
  expect(await screen.findByRole('dialog', { name: 'Create organization' })).toBeTruthy();
  expect(href()).toBe('/organizations');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
