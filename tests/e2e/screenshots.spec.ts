import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { repositoryPath } from '@pult/testkit';
import { type Device, expect, type Installation, test } from './installation.ts';
import { logIn } from './steps.ts';

/** The documentation's pictures are rewritten on request only: every run would draw them a little otherwise. */
async function takeScreenshot(page: Page, info: TestInfo, name: string): Promise<void> {
  const folder = process.env.UPDATE_SCREENSHOTS === '1' ? repositoryPath('docs/images') : info.outputDir;
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.mouse.move(0, 0);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  expect((await stat(path)).size, `${name}.png is small`).toBeLessThan(200_000);
}

const words = {
  en: {
    descriptions: ['Boiler room, Main street 5', 'Pump station 2', 'Greenhouse, north'],
    connected: 'Connected',
    user: 'User',
    privateKey: 'Private key',
    connect: 'Connect',
  },
  ru: {
    descriptions: ['Котельная, Ленина 5', 'Насосная станция 2', 'Теплица, северная'],
    connected: 'Подключено',
    user: 'Пользователь',
    privateKey: 'Закрытый ключ',
    connect: 'Подключиться',
  },
} as const;

const variants = [
  { name: 'en', language: 'en', locale: 'en-GB', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'ru', language: 'ru', locale: 'ru-RU', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'dark', language: 'en', locale: 'en-GB', colorScheme: 'dark', width: 1280, height: 800 },
  { name: 'phone', language: 'ru', locale: 'ru-RU', colorScheme: 'light', width: 360, height: 740 },
] as const;

async function openShell(page: Page, { ssh, server }: Installation, device: Device, text: Words) {
  await page.goto(`${server.url}/connect/ssh/${device.serialNumber}/`);
  await page.getByRole('textbox', { name: text.user }).fill(ssh.user);
  await page.getByText(text.privateKey, { exact: true }).click();
  await page.getByRole('textbox', { name: text.privateKey }).fill(ssh.clientKey.privateKey);
  await page.getByRole('button', { name: text.connect, exact: true }).click();
  await expect(page.getByText(text.connected, { exact: true })).toBeVisible();
}
type Words = (typeof words)[keyof typeof words];

for (const { name, language, locale, colorScheme, width, height } of variants) {
  test.describe(name, () => {
    test.use({ locale, colorScheme, viewport: { width, height } });

    test('pictures of the main pages', async ({ page, installation, device }, info) => {
      const { server, organization, api } = installation;
      const text = words[language];
      await device.claim();
      await api.call('updateController', {
        params: { serialNumber: device.serialNumber },
        body: { description: text.descriptions[0] },
      });
      const show = async (path: string, picture: string) => {
        await page.goto(server.url + path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.waitForLoadState('networkidle').catch(() => {});
        await takeScreenshot(page, info, `${picture}-${name}`);
      };

      await show('/login', 'login');
      await logIn(page, installation);
      await show('/organizations', 'organizations');
      await show(`/organizations/${organization.id}/controllers`, 'controllers');
      await show(`/organizations/${organization.id}/controllers/${device.serialNumber}`, 'controller');
      await show('/controllers', 'add-controller');

      await openShell(page, installation, device, text);
      await page.keyboard.type('uname -a; uptime\n');
      await expect(page.getByText(/load average/).first()).toBeVisible();
      await takeScreenshot(page, info, `terminal-${name}`);

      await page.goto(`${server.url}/connect/http/${device.serialNumber}/`);
      await expect(page.getByText('Status: connected')).toBeVisible();
      await takeScreenshot(page, info, `web-interface-${name}`);
    });
  });
}
