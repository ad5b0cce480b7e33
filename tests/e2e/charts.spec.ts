import { readFile } from 'node:fs/promises';
import { systemMetricTable } from '@pult/contract';
import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill, type Language } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { seedMetrics } from './seed-metrics.ts';
import { logIn } from './steps.ts';

/** What the console says about charts in one language, by what a test does with it. */
function readWords(language: Language) {
  const { charts, monitoring } = consoleTexts[language];
  const cpu = systemMetricTable.cpu_usage.label[language];
  const figure = { en: '[\\d.]+%', ru: '[\\d,]+\\s%' }[language];
  return {
    cpu,
    summary: new RegExp(`^${fill(charts.summary, { last: figure, lowest: figure, highest: figure })}$`),
    week: charts.ranges['7d'],
    save: fill(charts.savePicture, { title: cpu }),
    presence: monitoring.presence,
    worst: fill(monitoring.worstTitle, { metric: cpu }),
    controller: monitoring.controller,
  };
}

for (const { locale, width, colorScheme } of [
  { locale: 'en', width: 1280, colorScheme: 'light' },
  { locale: 'ru', width: 360, colorScheme: 'dark' },
] as const) {
  test.describe(`${locale}, ${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme });

    // spec: 1.11
    test('a controller’s charts are drawn, read by keyboard and saved as a picture; the fleet’s lead to it', async ({
      page,
      installation,
      device,
    }) => {
      const text = readWords(locale);
      const { server, organization } = installation;
      await page.addInitScript(`localStorage.setItem('locale', '${locale}')`);
      await device.claim();
      await seedMetrics(installation, { hours: 26 });
      await logIn(page, installation);
      const pages = `${server.url}/organizations/${organization.id}`;

      // Loading shifts nothing that was shown.
      await page.addInitScript(`window.shifted = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) window.shifted += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });`);
      await page.goto(`${pages}/controllers/${device.serialNumber}`);
      const chart = page.getByRole('slider', { name: text.cpu });
      await expect(chart.locator('canvas')).toBeVisible();
      await expect(chart).toHaveAttribute('aria-valuetext', text.summary);
      expect(await page.evaluate('window.shifted')).toBeLessThan(0.1);
      await expectAccessible(page);

      await chart.focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await expect(chart).toHaveAttribute('aria-valuetext', /^\d+ \S+, \d\d:\d\d; [\d.,]+\s?%$/);

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: text.save }).click(),
      ]);
      expect(download.suggestedFilename()).toContain(device.serialNumber.toLowerCase());
      const picture = await readFile(await download.path());
      expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG');
      // The chart with its margins; the height is the next number.
      expect(picture.readUInt32BE(16)).toBeGreaterThan(Math.min(320, width - 40));

      await page.getByText(text.week, { exact: true }).click();
      await expect(page).toHaveURL(/\?range=7d$/);
      await page.reload();
      await expect(page.getByRole('radio', { name: text.week })).toBeChecked();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);

      await page.goto(`${pages}/monitoring/open`);
      await expect(page).toHaveURL(`${pages}/monitoring`);
      await expect(page.getByRole('slider', { name: text.presence }).locator('canvas')).toBeVisible();
      const worst = page.getByRole('table', { name: text.worst });
      await expect(worst.getByRole('link', { name: device.serialNumber })).toHaveAttribute(
        'href',
        `/organizations/${organization.id}/controllers/${device.serialNumber}`,
      );
      await expectAccessible(page);
      const choice = page.getByRole('combobox', { name: text.controller, exact: true });
      await choice.click();
      await choice.fill(device.serialNumber.slice(2).toLowerCase());
      await page.getByRole('option', { name: device.serialNumber }).click();
      await expect(page).toHaveURL(`${pages}/monitoring?var-controller=${device.serialNumber}`);
      await expect(page.getByRole('slider', { name: text.cpu }).locator('canvas')).toBeVisible();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    });
  });
}
