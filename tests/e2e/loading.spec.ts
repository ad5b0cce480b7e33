import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';

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
