import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Download, expect, type Page } from '@playwright/test';
import { routes } from '@pult/contract';
import type { Installation } from './installation.ts';

/** Fills the login form that is on the page. Names are in both languages, so that a step works in either. */
export async function fillLogin(
  page: Page,
  { server }: Pick<Installation, 'server'>,
  password = server.adminPassword,
) {
  await page.getByRole('textbox', { name: /^(Email|Почта)$/ }).fill(server.adminEmail);
  await page
    .getByLabel(/^(Password|Пароль)/)
    .first()
    .fill(password);
  await page.getByRole('button', { name: /^(Log in|Войти)$/ }).click();
}

/** Gives the browser a session, as the form at /login does; the caller opens a page. */
export async function logIn(page: Page, { server }: Installation): Promise<void> {
  const answer = await page.request.post(server.url + routes.login.path, {
    data: { username: server.adminEmail, password: server.adminPassword },
    headers: { origin: server.url },
  });
  expect(answer.status()).toBe(200);
  // The console's own note that somebody is logged in.
  await page.context().addInitScript("localStorage.isAuthorized ??= 'true'");
}

/** Logs in at /login and waits until the console has left that page. */
export async function logInByForm(page: Page, installation: Installation): Promise<void> {
  await page.goto(`${installation.server.url}/login`);
  await fillLogin(page, installation);
  await expect(page).not.toHaveURL(/\/login/);
}

/**
 * Goes on to a page of another heading as the console's own links do, and waits until it is there. To load the console anew takes
 * five times as much of the processor's time, and only the first page shows anything by it.
 */
export async function moveTo(page: Page, path: string): Promise<void> {
  // What is left behind is not what is waited for. As text: the tests' types know no browser.
  await page.evaluate(`(() => {
    for (const heading of document.querySelectorAll('h1')) heading.dataset.left = heading.textContent;
    history.pushState(null, '', ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'));
  })()`);
  const hasCome = () =>
    page.evaluate<boolean>(`[...document.querySelectorAll('h1')]
      .some((heading) => heading.dataset.left !== heading.textContent && heading.checkVisibility())`);
  await expect.poll(hasCome, `${path} has come`).toBe(true);
  await expect(page.getByRole('status', { name: /^(Loading|Загрузка)$/ })).toHaveCount(0);
}

/** Closes what is there, rather than wait for six seconds. */
export async function closeToasts(page: Page): Promise<void> {
  // All at once: one that goes by itself meanwhile is not waited for.
  await page.evaluate("document.querySelectorAll('.Toastify__toast').forEach((toast) => toast.click())");
  await expect(page.locator('.Toastify__toast')).toHaveCount(0);
}

export async function hashDownload(download: Download): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(await download.path()), hash);
  return hash.digest('hex');
}
