import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';

const kilobyte = 1000;

/** Notes the scripts that the page asks for; resolves to their size with gzip, in bytes. */
function weighScripts(page: Page): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!new URL(response.url()).pathname.endsWith('.js')) return;
    sizes.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
  });
  return async () => {
    const all = await Promise.all(sizes);
    expect(all, 'the page asked for scripts').not.toHaveLength(0);
    return all.reduce((sum, size) => sum + size, 0);
  };
}

test('the login page loads at most 200 kB of scripts', async ({ page, installation }) => {
  const weigh = weighScripts(page);
  await page.goto(`${installation.server.url}/login`, { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  expect(await weigh()).toBeLessThan(200 * kilobyte);
});

test('the list of controllers loads at most 350 kB of scripts', async ({ page, context, installation }) => {
  await logIn(page, installation);
  const anew = await context.newPage();
  // As in a browser that has never been here.
  await (await context.newCDPSession(anew)).send('Network.setCacheDisabled', { cacheDisabled: true });
  const weigh = weighScripts(anew);
  const { organization, server } = installation;
  await anew.goto(`${server.url}/organizations/${organization.id}/controllers`, { waitUntil: 'networkidle' });
  await expect(anew.getByRole('heading', { name: 'Controllers', exact: true })).toBeVisible();
  expect(await weigh()).toBeLessThan(350 * kilobyte);
});
