import { expectAccessible } from './accessible.ts';
import { consoleTexts } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';
import { crossedVariants } from './variants.ts';

for (const { language, locale, width, height } of crossedVariants) {
  const { tokens, audit } = consoleTexts[language];
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    test(`a token is made, does what it may and no more, and is deleted: ${name}`, async ({
      page,
      installation,
    }) => {
      const { organization, server } = installation;
      await page.addInitScript(`localStorage.setItem('locale', '${language}')`);
      await logIn(page, installation);
      await page.goto(`${server.url}/security`);
      const section = page.getByRole('region', { name: tokens.title });
      await section.getByRole('button', { name: tokens.create }).click();

      const form = page.getByRole('dialog', { name: tokens.form.title });
      await form.getByRole('button', { name: tokens.form.submit }).click();
      await expect(form.getByText(tokens.form.nameRequired)).toBeVisible();
      await expect(form.getByText(tokens.form.scopesRequired)).toBeVisible();
      await form.getByRole('textbox', { name: tokens.form.name }).fill(`Report ${name}`);
      await form.getByRole('radio', { name: tokens.form.chosen }).check();
      await form.getByRole('checkbox', { name: audit.permission.controllers.read }).check();
      await expectAccessible(page, '[role=dialog]');
      await form.getByRole('button', { name: tokens.form.submit }).click();

      const made = page.getByRole('dialog', { name: tokens.made.title });
      const token = (await made.getByText(/^pult_pat_\w+$/).textContent()) ?? '';
      await expectAccessible(page, '[role=dialog]');
      await made.getByRole('button', { name: tokens.made.done }).click();

      const ask = (path: string, method = 'GET') =>
        fetch(`${server.url}/api/v1/${path}`, { method, headers: { authorization: `Bearer ${token}` } });
      expect((await ask(`controllers/`)).status).toBe(200);
      expect((await ask(`organizations/${organization.id}/members/`)).status).toBe(403);
      await page.reload();
      const row = section.getByRole('listitem').filter({ hasText: `Report ${name}` });
      await expect(row).toContainText('127.0.0.1');
      await expectAccessible(page, 'main');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);

      await row.getByRole('button').click();
      await page.getByRole('dialog').getByRole('button', { name: tokens.delete }).click();
      await expect(row).toHaveCount(0);
      expect((await ask(`controllers/`)).status).toBe(401);
    });
  });
}
