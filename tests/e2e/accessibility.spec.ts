import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill } from './console-texts.ts';
import { expectFits } from './fits.ts';
import { expect, test } from './installation.ts';
import { expectStill, slowAnswers } from './layout-shift.ts';
import { listInsidePages, openPages } from './pages.ts';
import { logIn, moveTo } from './steps.ts';
import { variants } from './variants.ts';

async function expectSound(page: Page): Promise<void> {
  await expectAccessible(page);
  await expectFits(page);
}

for (const { language, locale, width, height } of variants) {
  const { accounts, grants, security, organizations, tunnels, controllers } = consoleTexts[language];
  const isPhone = width < 400;
  const name = `${language}-${width}`;

  test.describe(isPhone ? 'dark, on a phone' : 'light', () => {
    test.use({
      locale,
      viewport: { width, height },
      colorScheme: isPhone ? 'dark' : 'light',
      isMobile: isPhone,
      hasTouch: isPhone,
    });

    test('nothing serious on the pages of those who come by a link', async ({ page, installation }) => {
      const { server, organization, api } = installation;
      const email = `axe-${name}@pult.example`;
      const body = { email, role: 'viewer' } as const;
      const params = { organizationId: organization.id };
      const { inviteUrl = '' } = await api.call('inviteUser', { params, body });
      await page.goto(inviteUrl);
      await expect(page.getByRole('textbox', { name: accounts.login.email })).toHaveValue(email);
      await expectSound(page);
      await page.goto(`${server.url}/signup/confirm/token/`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectSound(page);
    });

    test('nothing serious in the dialogs of people', async ({ page, installation }) => {
      const { server, organization } = installation;
      await logIn(page, installation);
      await page.goto(`${server.url}/security`);
      await page.getByRole('button', { name: security.totp.setUp, exact: true }).click();
      await expect(page.getByRole('img', { name: security.setUp.qr })).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${server.url}/organizations/${organization.id}/access`);
      await page.getByRole('button', { name: grants.give, exact: true }).click();
      const field = page.getByRole('dialog').getByRole('combobox', { name: grants.form.person });
      await expect(field).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${server.url}/organizations`);
      const { cardActions } = organizations;
      await page.getByRole('button', { name: fill(cardActions, { name: organization.name }) }).click();
      await expect(page.getByRole('menuitem')).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${server.url}/organizations?token=none&orgName=Teplo`);
      await expect(page.getByRole('dialog').getByText(organizations.accept.invalid)).toBeVisible();
      await expectAccessible(page);
    });

    test('nothing serious on the pages without a login, and nothing jumps', async ({
      page,
      installation,
    }) => {
      await slowAnswers(page);
      await page.goto(`${installation.server.url}/login`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectSound(page);
      await expectStill(page);
      for (const path of openPages) {
        await moveTo(page, path);
        await expectSound(page);
        await expectStill(page);
      }
    });

    test('nothing serious on the pages with a login, and nothing jumps', async ({
      page,
      installation,
      device,
    }) => {
      await device.claim();
      const { server } = installation;
      await logIn(page, installation);
      await slowAnswers(page);
      await page.goto(`${server.url}/controllers`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectSound(page);
      await expectStill(page);
      for (const path of listInsidePages(installation, device)) {
        await moveTo(page, path);
        await expectSound(page);
        await expectStill(page);
      }
      await expect(page.getByRole('button', { name: tunnels.form.connect, exact: true })).toBeVisible();
      await device.agent.halt();
      await page.goto(`${server.url}/connect/http/${device.serialNumber}/`);
      const offline = page.getByRole('status').filter({ hasText: controllers.status.offline });
      await expect(offline).toBeVisible();
      await expectSound(page);
    });
  });
}
