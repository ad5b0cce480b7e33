import { expectAccessible } from './accessible.ts';
import { consoleTexts } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { seedFleet } from './seed-fleet.ts';
import { seedTraffic } from './seed-traffic.ts';
import { logIn } from './steps.ts';
import { crossedVariants } from './variants.ts';

for (const { language, locale, width, height } of crossedVariants) {
  const { traffic } = consoleTexts[language];
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    test(`the traffic of a controller is seen by day, and its budget is set: ${name}`, async ({
      page,
      installation,
    }) => {
      await using seeded = await seedFleet(installation, { name: `Traffic ${name}`, controllers: 3 });
      await seedTraffic(installation, seeded.organizationId);
      await page.addInitScript(`localStorage.setItem('locale', '${language}')`);
      await logIn(page, installation);
      await page.goto(`${seeded.list}/L000001?tab=traffic`);
      const days = page.getByRole('list', { name: traffic.chart });
      await expect(days.getByRole('img')).toHaveCount(28);
      await page.getByRole('textbox', { name: traffic.budget.field }).fill('200');
      await page.getByRole('button', { name: traffic.budget.save }).click();
      await expect(page.getByText(traffic.use.over)).toBeVisible();
      await expect(page.getByRole('meter', { name: traffic.use.label })).toHaveAttribute('value', '1');
      await expectAccessible(page, 'main');
      // Nothing is wider than the window.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.getByRole('button', { name: traffic.budget.remove }).click();
      await expect(page.getByText(traffic.budget.none)).toBeVisible();
    });
  });
}
