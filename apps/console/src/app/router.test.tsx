import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { isAuthorized } from '../shared/auth/authorization.ts';
import { getBanner, showBanner } from '../shared/banner/banner.ts';
import { paths } from '../shared/paths.ts';
import { organization, organizationId, startApp } from './testing/start-app.tsx';

afterEach(cleanup);

const list = `/organizations/${organizationId}/controllers`;

// spec: 2.05, 2.06, 2.07, 2.10, 2.11, 2.12, 2.16, 2.29, 2.33
test.each([
  ['/controllers', '/controllers'],
  ['/organizations', '/organizations'],
  [`/organizations/${organizationId}`, `/organizations/${organizationId}`],
  [`${list}?search=a%20b`, `${list}?search=a+b`],
  [`${list}/A1`, `${list}/A1`],
  ['/controllers/a1', '/controllers/a1'],
  ['/connect/ssh/A1/', '/connect/ssh/A1/'],
  ['/security', '/security'],
  ['/device', '/device'],
])('spec 2: %s without a login leads to login, which knows the way back', async (path, redirect) => {
  const { href } = startApp({ path, authorized: false });
  await waitFor(() => expect(href()).toBe(paths.login({ redirect })));
});

test('spec 2: / without a login leads to login', async () => {
  const { href } = startApp({ path: '/', authorized: false });
  await waitFor(() => expect(href()).toBe('/login'));
});

test('spec 2: /login when authorized leads to the root, and on', async () => {
  const { href } = startApp({ path: '/login?redirect=%2Fsecurity' });
  await waitFor(() => expect(href()).toBe(list));
});

test('the way back from a page that leads elsewhere leads past it', async () => {
  const { href, router } = startApp({ path: '/security' });
  await screen.findByRole('heading', { level: 1 });
  await router.navigate({ href: '/login' });
  await waitFor(() => expect(href()).toBe(list));
  expect(router.history.length).toBe(2);
  router.history.back();
  await waitFor(() => expect(href()).toBe('/security'));
});

// spec: 2.17, 2.30, 5.03
test('spec 2: any other path leads to the root', async () => {
  for (const path of ['/nothing/here', '/connect/ftp/A1/', '/organizations/1/2/3']) {
    const { href } = startApp({ path });
    await waitFor(() => expect(href()).toBe(list));
    await screen.findByText(`There is no page ${path}`);
    cleanup();
  }
});

// spec: 2.30
test.each([
  ['en', 'Only server administrators see this page', 'There is no page /каталог'],
  ['ru', 'Эту страницу видят только администраторы сервера', 'Страницы /каталог нет'],
] as const)('a page that somebody does not get says why in %s', async (locale, refused, unknown) => {
  const { href, router } = startApp({ path: '/installation', locale });
  await screen.findByText(refused);
  await waitFor(() => expect(href()).toBe(list));
  await router.navigate({ href: '/%D0%BA%D0%B0%D1%82%D0%B0%D0%BB%D0%BE%D0%B3' });
  await screen.findByText(unknown);
});

// spec: 2.28
test('spec 2: /password-change leads to /security', async () => {
  const { href } = startApp({ path: '/password-change' });
  await waitFor(() => expect(href()).toBe('/security'));
});

test('spec 2: an invalid invite leads to the root', async () => {
  const { href } = startApp({ path: '/invite?token=x', authorized: false });
  await waitFor(() => expect(href()).toBe('/login'));
});

test('spec 2: a serial number is upper-cased by a replace redirect that keeps the query', async () => {
  const { router, href } = startApp({ path: `${list}/a1-b2?tab=data` });
  await waitFor(() => expect(href()).toBe(`${list}/A1-B2?tab=data`));
  expect(router.history.length).toBe(1);
});

// spec: 2.18
test('spec 2: /connect upper-cases the serial number', async () => {
  const { href } = startApp({ path: '/connect/http/a1/' });
  await waitFor(() => expect(href()).toBe('/connect/http/A1/'));
});

// spec: 2.09
test.each([
  ['en', 'Organization does not exist'],
  ['ru', 'Организация не существует'],
] as const)(
  'spec 2: an organization that does not exist is told once and left (%s)',
  async (locale, text) => {
    const { href } = startApp({ path: '/organizations/01890000-0000-7000-8000-00000000dead', locale });
    await waitFor(() => expect(href()).toBe('/organizations'));
    expect(await screen.findAllByText(text)).toHaveLength(1);
  },
);

// spec: 2.20
test.each([
  [
    'en',
    'An existing account cannot yet be added to an organization by invite. Create a new account with this form',
  ],
  [
    'ru',
    'Существующую учётную запись пока нельзя добавить в организацию по приглашению. Создайте новую с помощью этой формы',
  ],
] as const)('spec 2: /signup logs an authorized user out and tells why (%s)', async (locale, text) => {
  const answers = {
    'POST /api/v1/organizations-invite/validate/': {
      invitedUserEmail: 'new@example.com',
      userExists: false,
      organizationToJoin: { name: 'Acme' },
    },
  };
  const { calls, href } = startApp({ path: '/signup?token=t', locale, answers });
  expect(await screen.findAllByText(text)).toHaveLength(1);
  expect(calls).toContain('POST /api/v1/auth/logout/');
  expect(isAuthorized()).toBe(false);
  expect(href()).toBe('/signup');
});

const needsInvite = {
  en: 'An existing account cannot yet be added to an organization by invite. To get a new one, ask an administrator of your organization for an invite and open the link in the mail',
  ru: 'Существующую учётную запись пока нельзя добавить в организацию по приглашению. Чтобы создать новую, попросите администратора своей организации прислать приглашение и откройте ссылку из письма',
};
const environments = (IS_ON_PREMISE: boolean) => ({
  'GET /api/v1/environments/': { IS_ON_PREMISE, MAX_ACTIVATED_CONTROLLERS: 0 },
});

// spec: 2.20
test.each([
  ['en', 'without an invite', '/signup', true],
  ['ru', 'without an invite', '/signup', true],
  ['en', 'with an invite that is none', '/signup?token=t', true],
  ['en', 'with an invite that is none where anybody may sign up', '/signup?token=t', false],
] as const)(
  'spec 2: /signup without a form tells an authorized user how to get an invite (%s, %s)',
  async (locale, _, path, isOnPremise) => {
    const { calls } = startApp({ path, locale, answers: environments(isOnPremise) });
    expect(await screen.findAllByText(needsInvite[locale])).toHaveLength(1);
    expect(calls).toContain('POST /api/v1/auth/logout/');
    expect(isAuthorized()).toBe(false);
    expect(screen.queryByText(/with this form/)).toBeNull();
  },
);

// spec: 2.20
test('spec 2: /signup of an installation where anybody may sign up tells an authorized user of its form', async () => {
  startApp({ path: '/signup', answers: environments(false) });
  expect(await screen.findByText(/Create a new account with this form$/)).toBeTruthy();
  expect(isAuthorized()).toBe(false);
});

// spec: 2.31
test('spec 2: the banner is cleared before each navigation', async () => {
  const { router } = startApp({ path: '/security' });
  await screen.findByRole('heading', { level: 1 });
  showBanner('Why you are here');
  await router.navigate({ href: '/organizations' });
  expect(getBanner()).toBeUndefined();
});

// spec: 2.32
test('spec 2: a page of another organization resets what is cached of the first; one of the same does not', async () => {
  const other = { ...organization, id: '01890000-0000-7000-8000-000000000002', name: 'Works' };
  const { queryClient, router, answers } = startApp({ path: `/organizations/${organizationId}/audit` });
  answers[`GET /api/v1/organizations/${other.id}/`] = other;
  await screen.findByRole('heading', { level: 1 });
  const cached = ['controllers', 'organizations', 'groups'].map((name) => [name, 'cached']);
  const left = () => cached.filter((key) => queryClient.getQueryData(key) !== undefined);
  const environments = queryClient.getQueryData(['environments']);
  for (const key of cached) queryClient.setQueryData(key, 'of the first');
  await router.navigate({ href: `/organizations/${organizationId}/alerts` });
  expect(left()).toEqual(cached);
  await router.navigate({ href: `/organizations/${other.id}/alerts` });
  expect(left()).toEqual([]);
  expect(queryClient.getQueryData(['environments'])).toBe(environments);
});

// spec: 2.34
test('spec 2: after a navigation without authorization all cached data but the environments is reset', async () => {
  const { queryClient, router } = startApp({ path: '/security' });
  await screen.findByRole('heading', { level: 1 });
  localStorage.setItem('isAuthorized', 'false');
  await router.navigate({ href: '/login' });
  await waitFor(() =>
    expect(
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ queryKey }) => queryKey),
    ).toEqual([['environments']]),
  );
});

// spec: 2.35
test('spec 2: when the current user cannot be loaded an error view replaces the page', async () => {
  // The router tells developers of what it caught, with parts of the document that Node cannot print.
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  startApp({ path: '/organizations', answers: { 'GET /api/v1/users/me/': 400 } });
  await screen.findByRole('heading', { name: 'Server Error' });
  expect(screen.getByText('400')).toBeTruthy();
  told.mockRestore();
});

test('spec 8: a dead session leads to login and marks the user unauthorized', async () => {
  const { href } = startApp({ path: '/organizations', answers: { 'GET /api/v1/users/me/': 401 } });
  await waitFor(() => expect(href()).toBe(paths.login({ redirect: '/organizations' })));
  expect(isAuthorized()).toBe(false);
});

test('spec 8: a refused page leads to the security page, where the banner tells why', async () => {
  const refusal = Response.json(
    { detail: 'Acme requires a second factor.', code: 'totp_setup_required' },
    {
      status: 403,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    },
  );
  const { href } = startApp({
    path: list,
    answers: { [`GET /api/v1/organizations/${organizationId}/`]: refusal },
  });
  await waitFor(() => expect(href()).toBe('/security'));
  await screen.findByText('Acme requires a second factor');
});

// spec: 2.36
test.each([
  ['en', 'Server Error', 'You can check service status', 'here'],
  ['ru', 'Ошибка сервера', 'Вы можете проверить статус', 'здесь'],
] as const)(
  'spec 2: the environments come first; without them the server-error view (%s)',
  async (locale, title, text, link) => {
    const meta = document.createElement('meta');
    meta.name = 'pult:service-status-url';
    meta.content = 'https://status.example.com/';
    document.head.append(meta);
    const { calls } = startApp({ path: '/security', locale, answers: { 'GET /api/v1/environments/': 418 } });
    await screen.findByRole('heading', { name: title });
    expect(screen.getByText('418')).toBeTruthy();
    expect(screen.getByText(text, { exact: false })).toBeTruthy();
    const anchor = screen.getByRole('link', { name: link });
    expect(anchor.getAttribute('href')).toBe('https://status.example.com/');
    expect(anchor.getAttribute('target')).toBe('_blank');
    expect(anchor.getAttribute('rel')).toContain('noopener');
    expect(calls).toEqual(['GET /api/v1/environments/']);
    meta.remove();
  },
);

// spec: 2.40, 8.14
test.each([
  ['en', 'Server Error', 'The server is unavailable. Try again in a minute'],
  ['ru', 'Ошибка сервера', 'Сервер недоступен. Повторите через минуту'],
] as const)(
  'spec 8: the status of the server-error view is 500 by default, and without an address of a status page there is no talk of one (%s)',
  async (locale, title, text) => {
    startApp({
      path: '/',
      locale,
      answers: { 'GET /api/v1/environments/': new TypeError('Failed to fetch') },
    });
    await screen.findByRole('heading', { name: title });
    expect(screen.getByText('500')).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
  },
);

// spec: 2.39
test.each([
  ['its settings', '/security', { 'GET /api/v1/environments/': 503 }],
  ['its user', '/organizations', { 'GET /api/v1/users/me/': 503 }],
  ['its organization', list, { [`GET /api/v1/organizations/${organizationId}/`]: 503 }],
  ['what the root probes', '/', { 'GET /api/v1/organizations/': 503 }],
  ['its invite', '/invite?token=x', { 'POST /api/v1/organizations-invite/validate/': 503 }],
  ['the invite of a sign-up', '/signup?token=x', { 'POST /api/v1/organizations-invite/validate/': 503 }],
])(
  'spec 2: the server-error view of a page without %s is the full page, and its only <main>',
  async (_, path, answers) => {
    // The router tells developers of what it caught, with parts of the document that Node cannot print.
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    startApp({ path, answers });
    const title = await screen.findByRole('heading', { name: 'Server Error' });
    expect(screen.getByText('503')).toBeTruthy();
    const [main, ...others] = screen.getAllByRole('main');
    expect(others).toEqual([]);
    expect(main?.contains(title)).toBe(true);
    for (const role of ['navigation', 'banner', 'contentinfo']) expect(screen.queryByRole(role)).toBeNull();
    told.mockRestore();
  },
);

test('spec 2: a server error after a page is the full page too, and its retry brings the next one', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { answers, href } = startApp({ path: '/security' });
  const overview = await screen.findByRole('link', { name: 'Overview' });
  const call = `GET /api/v1/organizations/${organizationId}/`;
  const known = answers[call];
  answers[call] = 503;
  overview.click();
  await screen.findByRole('heading', { name: 'Server Error' });
  expect(screen.getAllByRole('main')).toHaveLength(1);
  expect(screen.queryByRole('navigation')).toBeNull();
  answers[call] = known;
  screen.getByRole('button', { name: 'Try again' }).click();
  await screen.findByRole('navigation');
  expect(href()).toBe(`/organizations/${organizationId}`);
  told.mockRestore();
});

test.each([
  ['Overview', `/organizations/${organizationId}`],
  ['Pult', list],
])(
  'the shell stays where the server is away, and the link %s leads on once it is back',
  async (name, destination) => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { answers, href } = startApp({ path: '/security' });
    const link = await screen.findByRole('link', { name });
    const known = { ...answers };
    for (const call of Object.keys(answers)) answers[call] = new TypeError('Failed to fetch');
    link.click();
    await screen.findByRole('heading', { name: 'No connection to the server' });
    expect(screen.getByText(/^Trying again in \d s$/)).toBeTruthy();
    expect(screen.getByRole('navigation')).toBeTruthy();
    expect(screen.queryByText('500')).toBeNull();
    Object.assign(answers, known);
    screen.getByRole('button', { name: 'Try again' }).click();
    await waitFor(() => expect(href()).toBe(destination));
    await waitFor(() => expect(screen.queryByText('No connection to the server')).toBeNull());
    told.mockRestore();
  },
);

// spec: 1.12
test('spec 1: a page without a title has the brand alone, whatever page was before', async () => {
  const meta = document.createElement('meta');
  meta.name = 'pult:service-name';
  meta.content = 'Boiler Watch';
  document.head.append(meta);
  const { router, answers } = startApp({ path: '/security' });
  await waitFor(() => expect(document.title).toBe('Account · Boiler Watch'));
  let answer = (_: unknown) => {};
  answers['GET /api/v1/organizations/'] = new Promise((resolve) => {
    answer = resolve;
  });
  void router.navigate({ href: '/' });
  await screen.findByRole('status', { name: 'Loading' });
  await waitFor(() => expect(document.title).toBe('Boiler Watch'));
  answer([]);
  await waitFor(() => expect(document.title).toBe('Organizations · Boiler Watch'));
  meta.remove();
});

test('spec 8: a session that ends while one works leads to login, by whatever asks first', async () => {
  const { answers, href } = startApp({ path: list });
  await screen.findByRole('heading', { level: 1 });
  for (const call of Object.keys(answers)) answers[call] = 401;
  const overview = `/organizations/${organizationId}`;
  screen.getByRole('link', { name: 'Overview' }).click();
  await waitFor(() => expect(href()).toBe(paths.login({ redirect: overview })));
});
