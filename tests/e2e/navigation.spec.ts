import { expect, test } from './installation.ts';
import { fillLogin, logIn, logInByForm } from './steps.ts';

const unknownId = '01890000-0000-7000-8000-000000000000';

// Each of them: apps/console/src/app/router.test.tsx.
const protectedPaths = [`/organizations/${unknownId}/controllers`, '/connect/ssh/X1/'];

// spec: 2.05, 2.06, 2.07, 2.10, 2.11, 2.12, 2.16, 2.29, 2.33
test('pages that need a login lead to it, and it knows the way back', async ({ page, installation }) => {
  for (const path of protectedPaths) {
    await page.goto(installation.server.url + path);
    await expect(page).toHaveURL(/\/login\?/);
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(path);
  }
});

// spec: 2.04
test('the start and an invite that does not exist lead to the login without a login', async ({
  page,
  installation,
}) => {
  for (const path of ['/', '/invite?token=wrong']) {
    await page.goto(installation.server.url + path);
    await expect(page).toHaveURL(`${installation.server.url}/login`);
  }
});

// spec: 2.19, 2.26, 2.27
test('pages around the login are open to everybody', async ({ page, installation }) => {
  for (const path of ['/signup', '/password-reset/', '/password-reset/uid/token/']) {
    await page.goto(installation.server.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(path);
  }
});

// spec: 2.14
test('the login leads back to where one was sent from, its query included', async ({
  page,
  installation,
}) => {
  const path = `/organizations/${installation.organization.id}/controllers?search=abc`;
  await page.goto(installation.server.url + path);
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, installation);
  await expect(page).toHaveURL(installation.server.url + path);
});

// spec: 2.14
test('a redirect that leaves the site is not followed', async ({ page, installation }) => {
  const { url } = installation.server;
  // Others are told as well as this one: apps/console/src/app/navigation/addresses.test.ts.
  await page.goto(`${url}/login?redirect=${encodeURIComponent('//evil.example/')}`);
  await fillLogin(page, installation);
  await expect(page).toHaveURL(/\/organizations/);
  expect(new URL(page.url()).origin).toBe(url);
});

// spec: 2.13, 3.10
test('someone logged in is not asked again', async ({ page, installation }) => {
  await logInByForm(page, installation);
  await page.goto(`${installation.server.url}/login`);
  await expect(page).not.toHaveURL(/\/login/);
});

// spec: 2.02
test('/ leads to the only controller of the only organization, or else to the list', async ({
  page,
  installation,
  device,
}) => {
  const { organization, server } = installation;
  await logInByForm(page, installation);
  await expect(page).toHaveURL(`${server.url}/organizations/${organization.id}/controllers`);
  await device.claim();
  await page.goto(server.url);
  await expect(page).toHaveURL(
    `${server.url}/organizations/${organization.id}/controllers/${device.serialNumber}`,
  );
});

test('/ leads to the organizations when there are several, or none', async ({
  page,
  context,
  installation,
  device,
}) => {
  const { api, server } = installation;
  await device.claim();
  const second = await api.call('createOrganization', { body: { name: 'Second' } });
  await logInByForm(page, installation);
  await expect(page).toHaveURL(`${server.url}/organizations`);
  // The one that was open last changes nothing about it.
  await page.goto(`${server.url}/organizations/${second.id}/controllers`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto(server.url);
  await expect(page).toHaveURL(`${server.url}/organizations`);
  await expect(page.getByRole('link', { name: 'Second' })).toBeVisible();
  await api.call('deleteOrganization', { params: { organizationId: second.id } });

  const { stdout } = await server.runPult('user', 'add', 'nobody@pult.example');
  const password = /^Password: (\S+)$/m.exec(stdout)?.[1] ?? '';
  await context.clearCookies();
  await page.evaluate('localStorage.clear()');
  await page.goto(`${server.url}/login`);
  await page.getByRole('textbox', { name: 'Email' }).fill('nobody@pult.example');
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(`${server.url}/organizations`);
  await expect(page.getByText('No organizations yet')).toBeVisible();
});

// spec: 2.11, 2.12, 5.02
test('a serial number in lower case is replaced: the way back does not lead to it', async ({
  page,
  installation,
  device,
}) => {
  await device.claim();
  await logIn(page, installation);
  const { server, organization } = installation;
  const lower = device.serialNumber.toLowerCase();
  const own = `/organizations/${organization.id}/controllers/`;
  for (const [path, canonical] of [
    [`/controllers/${lower}`, own + device.serialNumber],
    [`${own}${lower}?tab=x#y`, `${own}${device.serialNumber}?tab=x#y`],
  ] as const) {
    await page.goto(`${server.url}/security`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goto(server.url + path);
    await expect(page).toHaveURL(server.url + canonical);
    await page.goBack();
    await expect(page).toHaveURL(`${server.url}/security`);
  }
});

// spec: 2.08, 2.10
test('an organization that does not exist is told once and left', async ({ page, installation }) => {
  await logIn(page, installation);
  for (const path of [`/organizations/${unknownId}`, `/organizations/${unknownId}/controllers`]) {
    await page.goto(installation.server.url + path);
    await expect(page.getByText('Organization does not exist')).toHaveCount(1);
    await expect(page).toHaveURL(`${installation.server.url}/organizations`);
  }
});

// spec: 2.37, 8.03
test('a controller that does not exist is told once', async ({ page, installation }) => {
  await logIn(page, installation);
  await page.goto(`${installation.server.url}/controllers/nosuch1`);
  await expect(page.getByText('Controller NOSUCH1 does not exist')).toHaveCount(1);
});

// spec: 4.02, 8.01
test('a session that ends while one works leads to the login and back', async ({
  page,
  context,
  installation,
  device,
}) => {
  await device.claim();
  await logIn(page, installation);
  const path = `/organizations/${installation.organization.id}/controllers/${device.serialNumber}`;
  await page.goto(installation.server.url + path);
  await expect(page.getByText(device.serialNumber).first()).toBeVisible();
  await context.clearCookies();
  // Whatever asks next learns of it: what is clicked on, or the page itself, which then leaves before the click.
  const overview = page.getByRole('navigation').getByRole('link', { name: 'Overview' });
  await overview.click({ timeout: 3_000 }).catch(() => {});
  await expect(page).toHaveURL(/\/login/);
  await fillLogin(page, installation);
  const { server, organization } = installation;
  const ways = [`${server.url}/organizations/${organization.id}`, installation.server.url + path];
  await expect.poll(() => ways.includes(page.url())).toBe(true);
});
