import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { seedFleet } from './seed-fleet.ts';
import { logIn } from './steps.ts';

for (const [locale, width] of [
  ['en', 1280],
  ['ru', 360],
] as const) {
  test(`a webhook is made and tested, and its delivery is looked at (${locale}, ${width} px)`, async ({
    page,
    installation,
  }) => {
    const text = consoleTexts[locale].webhooks;
    await using seeded = await seedFleet(installation, {
      name: `Hooks ${locale}`,
      controllers: 1,
      groups: 1,
    });
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(`localStorage.setItem('locale', '${locale}')`);
    await logIn(page, installation);
    await page.goto(`${installation.server.url}/organizations/${seeded.organizationId}/settings/webhooks`);

    await page.getByRole('button', { name: text.create }).click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: text.form.name }).fill('SIEM');
    const url = form.getByRole('textbox', { name: text.form.url });
    await url.fill('http://127.0.0.1:9/');
    await page.getByRole('radio', { name: text.form.eventsSome }).check();
    await page.getByRole('combobox', { name: text.form.eventsPlaceholder }).click();
    await page.getByRole('option', { name: text.event.controllers.offline }).click();
    // The choice stays open for more.
    await form.getByText(text.form.createTitle).click();
    await expectAccessible(page, '[role="dialog"]');
    await form.getByRole('button', { name: text.form.submit }).click();
    // Refused at its field: such an address is of the server's own network.
    await expect(url).toHaveAttribute('aria-invalid', 'true');
    await url.fill('https://hook.invalid/pult');
    await form.getByRole('button', { name: text.form.submit }).click();
    await expect(page.getByText(/^whsec_/)).toBeVisible();
    await page.getByRole('button', { name: text.secret.done }).click();

    const row = page.getByRole('list', { name: text.title }).getByRole('listitem');
    await expect(row).toContainText('https://hook.invalid/pult');
    await page.getByRole('button', { name: fill(text.menu, { name: 'SIEM' }) }).click();
    await page.getByRole('menuitem', { name: text.test }).click();
    await expect(page.getByText(text.testFailed)).toBeVisible();
    await expect(row).toContainText(text.state.failed);
    await row.getByRole('link', { name: text.deliveries }).click();

    const table = page.getByRole('table', { name: text.list.title });
    await table.getByRole('button', { name: new RegExp(text.event.test) }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('"type": "pult.test"');
    await expectAccessible(page, '[role="dialog"]');
    await dialog.getByRole('button', { name: text.delivery.repeat }).click();
    await expect(page.getByText(text.delivery.repeatFailed)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(table).toContainText('2');
    await expectAccessible(page, 'main');
    // Nothing is wider than the window.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
}
