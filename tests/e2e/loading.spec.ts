import type { Request } from '@playwright/test';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';

// spec: 2.01
test('spec 2: / shows a loading view until it knows where to lead', async ({ page, installation }) => {
  await logIn(page, installation);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/organizations/', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(installation.server.url);
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/');
  answer();
  await expect(page).toHaveURL(/\/organizations\//);
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
});

test('spec 2: before the settings of the installation are known there is a loading view, and no page', async ({
  page,
  installation,
}) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/environments/', async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(`${installation.server.url}/login`);
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Log in' })).toHaveCount(0);
  answer();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
});

test('no list or figure is asked of the server twice when a page is opened', async ({
  page,
  installation,
  device,
}) => {
  await device.claim();
  const { server, organization } = installation;
  await logIn(page, installation);
  const pages = `/organizations/${organization.id}`;
  for (const path of ['', '/controllers', '/map', '/alerts', '/audit', '/connections', '/access']) {
    const asked: string[] = [];
    const note = (request: Request) => {
      const { pathname, search } = new URL(request.url());
      // Who one is and where may be asked again when a slow page comes a second after them.
      const isList = !/\/(users\/me|organizations\/[^/]+)\/$/.test(pathname);
      if (pathname.startsWith('/api/') && isList) asked.push(`${request.method()} ${pathname}${search}`);
    };
    // What the page before says as it goes is none of this one's.
    await page.goto('about:blank');
    const stream = page.waitForResponse(/\/api\/v1\/events\//);
    page.on('request', note);
    await page.goto(server.url + pages + path);
    await stream;
    // What must not come has the time to.
    await page.waitForTimeout(1500);
    page.off('request', note);
    expect(asked.join(), path).toContain('GET /api/v1/events/');
    expect(
      asked.filter((call, index) => asked.indexOf(call) !== index),
      path,
    ).toEqual([]);
  }
});
