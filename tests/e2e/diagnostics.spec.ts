import { expect } from '@playwright/test';
import { consoleTexts, fill } from './console-texts.ts';
import { test } from './installation.ts';
import { hashDownload, logIn } from './steps.ts';

test.describe('ru-360', () => {
  test.use({ locale: 'ru-RU', viewport: { width: 360, height: 740 } });

  // spec: 1.10, 4.04
  test('diagnostics are requested, become ready without a reload, and are downloaded whole', async ({
    page,
    installation,
    device,
  }) => {
    const { controllers, diagnostics } = consoleTexts.ru;
    await device.claim();
    await logIn(page, installation);
    await page.goto(
      `${installation.server.url}/organizations/${installation.organization.id}/controllers/${device.serialNumber}`,
    );
    await page.getByRole('tab', { name: controllers.tabs.diagnostics }).click();
    await expect(page.getByText(diagnostics.empty)).toBeVisible();
    await page.getByRole('button', { name: diagnostics.request }).click();
    const link = page.getByRole('link', {
      name: new RegExp(`^${fill(diagnostics.downloadNamed, { time: '.+' })}$`),
    });
    await expect(link).toBeVisible({ timeout: 60_000 });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^diagnostics-${device.serialNumber}-\\d{8}-\\d{6}\\.tar\\.gz$`),
    );
    const params = { serialNumber: device.serialNumber };
    const [kept] = await installation.api.call('listDiagnostics', { params });
    expect(await hashDownload(download)).toBe(kept?.sha256);
    // Nothing is wider than the window.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);

    // A download with a session that is over is none, and leads to the login.
    const downloads: unknown[] = [];
    page.on('download', (each) => downloads.push(each));
    await page.context().clearCookies();
    await link.click();
    await expect(page).toHaveURL(/\/login\?redirect=/);
    expect(downloads).toEqual([]);
  });
});
