import { expectAccessible } from './accessible.ts';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('nothing serious on the pages of those who come by a link', async ({ page, installation }) => {
      const { server, organization, api } = installation;
      const email = `axe-${colorScheme}@pult.example`;
      const body = { email, role: 'viewer' } as const;
      const params = { organizationId: organization.id };
      const { inviteUrl = '' } = await api.call('inviteUser', { params, body });
      await page.goto(inviteUrl);
      await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(email);
      await expectAccessible(page);
      await page.goto(`${server.url}/signup/confirm/token/`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page);
    });

    test('nothing serious in the dialogs of people', async ({ page, installation }) => {
      const { server, organization } = installation;
      await logIn(page, installation);
      await page.goto(`${server.url}/security`);
      await page.getByRole('button', { name: 'Turn on', exact: true }).click();
      await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${server.url}/organizations/${organization.id}?tab=members`);
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${server.url}/organizations`);
      await page.getByRole('button', { name: `Actions for ${organization.name}` }).click();
      await expect(page.getByRole('menuitem')).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${server.url}/organizations?token=none&orgName=Teplo`);
      await expect(page.getByRole('dialog').getByText('The invite is not valid')).toBeVisible();
      await expectAccessible(page);
    });

    test('nothing serious on the pages without a login', async ({ page, installation }) => {
      for (const path of [
        '/login',
        '/login/complete?error=sign_in_denied',
        '/signup',
        '/password-reset/',
        '/password-reset/uid/token/',
      ]) {
        await page.goto(installation.server.url + path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page);
      }
    });

    test('nothing serious on the pages with a login', async ({ page, installation, device }) => {
      await device.claim();
      const { server, organization } = installation;
      await logIn(page, installation);
      for (const path of [
        '/organizations',
        '/installation',
        `/organizations/${organization.id}`,
        `/organizations/${organization.id}?tab=members`,
        `/organizations/${organization.id}?tab=settings`,
        `/organizations/${organization.id}?tab=tunnels`,
        `/organizations/${organization.id}/audit`,
        `/organizations/${organization.id}/alerts`,
        `/organizations/${organization.id}/monitoring`,
        `/organizations/${organization.id}/controllers`,
        `/organizations/${organization.id}/controllers?search=nothing-like-this`,
        `/organizations/${organization.id}/controllers/${device.serialNumber}`,
        '/controllers',
        '/security',
      ]) {
        await page.goto(server.url + path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page);
      }
      await page.goto(`${server.url}/connect/ssh/${device.serialNumber}/`);
      await expect(page.getByRole('button', { name: 'Connect' })).toBeVisible();
      await expectAccessible(page);
      await device.agent.halt();
      await page.goto(`${server.url}/connect/http/${device.serialNumber}/`);
      await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible();
      await expectAccessible(page);
    });
  });
}
