import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, TestInfo } from '@playwright/test';
import { ResourceStack, repositoryPath } from '@pult/testkit';
import { consoleTexts, fill, type Language } from './console-texts.ts';
import { type Device, expect, type Installation, startDevice, test } from './installation.ts';
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

/** A page's charts come after its texts, and are drawn after their figures came. */
async function waitForCharts(page: Page, language: Language): Promise<void> {
  const charts = page
    .getByRole('region', { name: consoleTexts[language].telemetry.charts.title })
    .getByRole('figure');
  await expect(charts.first().locator('canvas')).toBeVisible();
  await expect(charts.filter({ hasNot: page.locator('canvas') })).toHaveCount(0);
}

/** What the owner of the machines wrote, in the picture's language. */
const descriptions = {
  en: ['Boiler room, Main street 5', 'Pump station 2', 'Greenhouse, north'],
  ru: ['Котельная, Ленина 5', 'Насосная станция 2', 'Теплица, северная'],
} as const;

const variants = [
  { name: 'en', language: 'en', locale: 'en-GB', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'ru', language: 'ru', locale: 'ru-RU', colorScheme: 'light', width: 1280, height: 800 },
  { name: 'dark', language: 'en', locale: 'en-GB', colorScheme: 'dark', width: 1280, height: 800 },
  { name: 'phone', language: 'ru', locale: 'ru-RU', colorScheme: 'light', width: 360, height: 740 },
] as const;

async function openShell(page: Page, { ssh, server }: Installation, device: Device, language: Language) {
  const { form, terminal } = consoleTexts[language].tunnels;
  await page.goto(`${server.url}/connect/ssh/${device.serialNumber}/`);
  await page.getByRole('textbox', { name: form.username }).fill(ssh.user);
  await page.getByText(form.byKey, { exact: true }).click();
  await page.getByRole('textbox', { name: form.privateKey }).fill(ssh.clientKey.privateKey);
  await page.getByRole('button', { name: form.connect, exact: true }).click();
  await expect(page.getByRole('button', { name: terminal.disconnect })).toBeVisible();
}

for (const { name, language, locale, colorScheme, width, height } of variants) {
  test.describe(name, () => {
    test.use({ locale, colorScheme, viewport: { width, height } });

    test('pictures of the main pages', async ({ page, installation }, info) => {
      const { server, organization, api } = installation;
      const [running, second, third] = descriptions[language];
      const devices = new ResourceStack();
      const start = async (serialNumber: string, description: string) => {
        const device = devices.use(await startDevice(installation, { serialNumber }));
        await device.claim();
        await api.call('updateController', { params: { serialNumber }, body: { description } });
        return device;
      };
      try {
        const device = await start('A7K2M9QX', running);
        await start('B3N8R4TW', second);
        const offline = await start('C5H6V2YD', third);
        await offline.agent.halt();
        await offline.waitForStatus('offline');
        await takePictures(device);
      } finally {
        await devices[Symbol.asyncDispose]();
      }

      async function takePictures(device: Device) {
        const show = async (path: string, picture: string, isReady: () => Promise<void> = async () => {}) => {
          await page.goto(server.url + path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await page.waitForLoadState('networkidle').catch(() => {});
          await isReady();
          await takeScreenshot(page, info, `${picture}-${name}`);
        };

        await show('/login', 'login');
        await logIn(page, installation);
        await show('/organizations', 'organizations');
        await show(`/organizations/${organization.id}/access`, 'access');
        await show(`/organizations/${organization.id}/settings/security`, 'organization-settings');
        await show(`/organizations/${organization.id}/audit`, 'audit');
        await show('/security', 'security');
        await show(`/organizations/${organization.id}/controllers`, 'controllers');
        await show(`/organizations/${organization.id}/controllers/${device.serialNumber}`, 'controller', () =>
          waitForCharts(page, language),
        );
        await show('/controllers', 'add-controller');

        await openShell(page, installation, device, language);
        const { label } = consoleTexts[language].tunnels.terminal;
        const terminal = page.getByRole('textbox', {
          name: fill(label, { serialNumber: device.serialNumber }),
        });
        await terminal.pressSequentially('uname -srm\nuptime -p\n');
        await expect(page.getByText(/^up \d/).first()).toBeVisible();
        await takeScreenshot(page, info, `terminal-${name}`);

        await page.goto(`${server.url}/connect/http/${device.serialNumber}/`);
        await expect(page.getByText('Status: connected')).toBeVisible();
        await takeScreenshot(page, info, `web-interface-${name}`);
      }
    });
  });
}
