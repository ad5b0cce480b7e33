import { randomInt } from 'node:crypto';
import { startAgentProcess } from '@pult/testkit';
import { expectAccessible } from './accessible.ts';
import { consoleTexts } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';
import { variants } from './variants.ts';

for (const { language, locale, width, height } of variants) {
  const { activation, enrolmentKeys } = consoleTexts[language];
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    test(`a key is made for a group, claims a machine, and is revoked: ${name}`, async ({
      page,
      installation,
    }) => {
      const { api, organization, server } = installation;
      const group = `Line ${name}`;
      await api.call('createGroup', { body: { name: group, organization: organization.id } });
      await page.addInitScript(`localStorage.setItem('locale', '${language}')`);
      await logIn(page, installation);
      await page.goto(`${server.url}/controllers`);
      await page.getByRole('link', { name: activation.install.manyLink }).click();
      const section = page.getByRole('region', { name: enrolmentKeys.title });
      await expect(section).toBeInViewport();

      await section.getByRole('button', { name: enrolmentKeys.create }).click();
      const form = page.getByRole('dialog', { name: enrolmentKeys.form.title });
      await form.getByRole('textbox', { name: enrolmentKeys.form.name }).fill(`Batch ${name}`);
      await form.getByRole('combobox', { name: enrolmentKeys.form.group }).click();
      await page.getByRole('option', { name: group }).click();
      await form.getByRole('textbox', { name: enrolmentKeys.form.maxUses }).fill('5');
      await expectAccessible(page, '[role=dialog]');
      await form.getByRole('button', { name: enrolmentKeys.form.submit }).click();

      const made = page.getByRole('dialog', { name: enrolmentKeys.made.title });
      const key = (await made.getByText(/^pek_\w+$/).textContent()) ?? '';
      await expect(made.getByText(`install.sh | sudo sh -s -- --enrolment-key ${key}`)).toBeVisible();
      await expectAccessible(page, '[role=dialog]');
      await made.getByRole('button', { name: enrolmentKeys.made.done }).click();

      const serialNumber = `K${randomInt(1e9)}`;
      const env = { PULT_ENROLLMENT_KEY: key };
      // Tests share the installation, and one of them wants to find a single controller there.
      await using _claimed = {
        [Symbol.asyncDispose]: () =>
          api.call('deleteController', { params: { serialNumber } }).catch(() => {}) as Promise<void>,
      };
      await using agent = await startAgentProcess({ serverUrl: server.url, serialNumber, env });
      await agent.process.waitForLine(/^activated$/);
      await page.reload();
      const row = section.getByRole('listitem').filter({ hasText: `Batch ${name}` });
      await expect(row).toContainText(enrolmentKeys.uses.replace('{{uses}}', '1').replace('{{max}}', '5'));
      const claimed = await api.call('getController', { params: { serialNumber } });
      expect(claimed.group?.name).toBe(group);

      await row.getByRole('button').click();
      await page.getByRole('dialog').getByRole('button', { name: enrolmentKeys.revoke }).click();
      await expect(row).toContainText(enrolmentKeys.state.revoked);
      await expectAccessible(page, 'main');
      // Nothing is wider than the window.
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    });
  });
}
