import { validationTexts } from '@pult/contract';
import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill, type Language } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { seedAlerts } from './seed-alerts.ts';
import { seedFleet } from './seed-fleet.ts';
import { logIn } from './steps.ts';

/** What the console says about alerts in one language, by what the test does with it. */
function readWords(language: Language) {
  const { rules, form, tested, history } = consoleTexts[language].alerts;
  return {
    empty: rules.empty,
    add: rules.add,
    place: form.place,
    members: form.members,
    webhook: form.webhook,
    create: form.create,
    refused: validationTexts.webhook_private[language].replace(/\.$/, ''),
    rules: rules.table,
    after: fill(rules.after, {
      duration: fill(consoleTexts[language].alerts.duration.minutes, { value: '10' }),
    }),
    history: history.table,
    open: history.firing,
    actions: fill(rules.menu, { place: 'Site 2' }),
    test: rules.test,
    kept: tested.mailsKept,
  };
}

for (const [locale, width] of [
  ['en', 1280],
  ['ru', 360],
] as const) {
  test(`a rule is made for a group and tested, and its alerts are found (${locale}, ${width} px)`, async ({
    page,
    installation,
  }) => {
    const text = readWords(locale);
    const fleet = { name: `Alerts ${locale}`, controllers: 3, groups: 2 };
    await using seeded = await seedFleet(installation, fleet);
    await seedAlerts(installation, seeded.organizationId);
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(`localStorage.setItem('locale', '${locale}')`);
    await logIn(page, installation);
    await page.goto(
      `${installation.server.url}/organizations/${seeded.organizationId}/settings/notifications`,
    );
    await expect(page.getByText(text.empty)).toBeVisible();

    await page.getByRole('button', { name: text.add }).click();
    await page.getByRole('combobox', { name: text.place }).click();
    await page.getByRole('option', { name: 'Site 2' }).click();
    await page.getByRole('combobox', { name: text.members }).click();
    await page.getByRole('option', { name: installation.server.adminEmail }).click();
    const webhook = page.getByRole('textbox', { name: text.webhook });
    await webhook.fill('http://127.0.0.1:9/');
    await page.getByRole('button', { name: text.create }).click();
    await expect(page.getByRole('alert').getByText(text.refused)).toBeVisible();
    await expect(webhook).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page, '[role="dialog"]');
    await webhook.fill('');
    await page.getByRole('button', { name: text.create }).click();

    const rule = page.getByRole('table', { name: text.rules }).getByRole('row', { name: /Site 2/ });
    await expect(rule).toContainText(text.after);
    await expect(rule).toContainText(installation.server.adminEmail);
    await page.getByRole('button', { name: text.actions }).click();
    await page.getByRole('menuitem', { name: text.test }).click();
    await expect(page.getByText(text.kept)).toBeVisible();

    await page.goto(`${installation.server.url}/organizations/${seeded.organizationId}/alerts`);
    const history = page.getByRole('table', { name: text.history });
    await expect(history.getByRole('rowheader')).toHaveCount(2);
    // What one sees of the choice is its label.
    await page.getByRole('radiogroup').getByText(text.open, { exact: true }).click();
    await expect(history.getByRole('rowheader')).toHaveText([/L000001/]);
    await expect(page).toHaveURL(/state=firing/);
    await expectAccessible(page, 'main');
    // Nothing is wider than the window.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
}
