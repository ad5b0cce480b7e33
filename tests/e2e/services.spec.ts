import { expectAccessible } from './accessible.ts';
import { consoleTexts } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';
import { crossedVariants } from './variants.ts';

for (const { language, locale, width, height } of crossedVariants) {
  const { access, grants, services, tokens, audit } = consoleTexts[language];
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    test(`a service account is made, given access and a token, acts by it, and is deleted: ${name}`, async ({
      page,
      installation,
    }) => {
      const { organization, server } = installation;
      await page.addInitScript(`localStorage.setItem('locale', '${language}')`);
      await logIn(page, installation);
      await page.goto(`${server.url}/organizations/${organization.id}/access?kind=services`);
      await page.getByRole('button', { name: access.newService, exact: true }).click();
      const form = page.getByRole('dialog', { name: services.form.title });
      const account = `robot-${name}`;
      await form.getByRole('textbox', { name: consoleTexts[language].shared.name }).fill(account);
      await expectAccessible(page, '[role=dialog]');
      await form.getByRole('button', { name: services.form.submit }).click();
      await expect(page.getByRole('heading', { name: account })).toBeVisible();

      await page.getByRole('button', { name: services.giveRights }).click();
      const giving = page.getByRole('dialog', { name: grants.giveTitle });
      await giving.getByLabel(grants.form.where).selectOption('organization');
      await giving.getByRole('button', { name: grants.give }).click();
      await expect(page.getByRole('region', { name: grants.rights })).toContainText(grants.wholeOrganization);

      await page.getByRole('button', { name: tokens.create }).click();
      const making = page.getByRole('dialog', { name: tokens.form.title });
      await making.getByRole('textbox', { name: tokens.form.name }).fill('Nightly');
      await making.getByRole('radio', { name: tokens.form.chosen }).check();
      await making.getByRole('checkbox', { name: audit.permission.controllers.read }).check();
      await making.getByRole('button', { name: tokens.form.submit }).click();
      const made = page.getByRole('dialog', { name: tokens.made.title });
      const token = (await made.getByText(/^pult_svc_\w+$/).textContent()) ?? '';
      await made.getByRole('button', { name: tokens.made.done }).click();
      const ask = () =>
        fetch(`${server.url}/api/v1/users/me/`, { headers: { authorization: `Bearer ${token}` } });
      expect(await (await ask()).json()).toMatchObject({ serviceAccount: { name: account } });
      await expectAccessible(page, 'main');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);

      await page.getByRole('button', { name: services.back }).click();
      await page.getByRole('button', { name: account, exact: true }).click();
      await page.getByRole('button', { name: services.delete }).click();
      await page.getByRole('dialog').getByRole('button', { name: services.delete }).click();
      await expect(page.getByText(account, { exact: true })).toHaveCount(0);
      expect((await ask()).status).toBe(401);
    });
  });
}
