import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Download, expect, type Page } from '@playwright/test';
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

/** Logs in at /login and waits until the console has left that page. */
export async function logIn(page: Page, installation: Installation): Promise<void> {
  await page.goto(`${installation.server.url}/login`);
  await fillLogin(page, installation);
  await expect(page).not.toHaveURL(/\/login/);
}

export async function hashDownload(download: Download): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(await download.path()), hash);
  return hash.digest('hex');
}
