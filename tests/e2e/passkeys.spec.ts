import type { Page } from '@playwright/test';
import { createTotpCode, startServerProcess } from '@pult/testkit';
import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill } from './console-texts.ts';
import { expect, test } from './installation.ts';

/** A code that has not been used: the next step is accepted early, the one before may have been. */
const nextCode = (secret: string) => createTotpCode(secret, new Date(Date.now() + 30_000));

/** A phone or laptop that knows its user by a finger, in Chromium itself. */
async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

// On a desk one is made below.
test.describe('ru-360', () => {
  test.use({ locale: 'ru-RU', viewport: { width: 360, height: 740 } });

  test('a passkey is made, logs in in place of a code, confirms, and is deleted', async ({
    page,
    installation,
  }) => {
    const { security, passkeys, accounts } = consoleTexts.ru;
    const { url } = installation.server;
    const email = 'passkey-ru@example.com';
    const { stdout } = await installation.server.runPult('user', 'add', email);
    const password = /^Password: (.+)$/m.exec(stdout)?.[1] ?? '';
    await addAuthenticator(page);
    const enterPassword = async () => {
      await page.goto(`${url}/login?redirect=/security`);
      await page.getByRole('textbox', { name: accounts.login.email }).fill(email);
      await page.getByRole('textbox', { name: accounts.login.password }).fill(password);
      await page.getByRole('button', { name: accounts.login.submit, exact: true }).click();
    };
    await enterPassword();

    const section = page.getByRole('region', { name: passkeys.title });
    await expect(section).toContainText(passkeys.needsTotp);
    await page.getByRole('button', { name: security.totp.setUp, exact: true }).click();
    const secret = (await page.getByText(/^[A-Z2-7]{26,}$/).textContent()) ?? '';
    await page.getByRole('dialog').getByRole('textbox').fill(createTotpCode(secret));
    await page.getByRole('dialog').getByRole('checkbox').check();
    await page.getByRole('button', { name: security.codes.finish, exact: true }).click();

    await section.getByRole('button', { name: passkeys.add }).click();
    const form = page.getByRole('dialog', { name: passkeys.addTitle });
    await form.getByRole('textbox', { name: passkeys.name }).fill('Laptop');
    await expectAccessible(page, '[role="dialog"]');
    await form.getByRole('button', { name: passkeys.submit }).click();
    const confirmation = page.getByRole('dialog', { name: security.confirmation.title });
    await confirmation.getByRole('textbox').fill(nextCode(secret));
    await expect(section.getByRole('listitem')).toContainText('Laptop');
    await expectAccessible(page, 'main');

    await page.context().clearCookies();
    await enterPassword();
    await page.getByRole('button', { name: accounts.passkey.code }).click();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    await page.goto(`${url}/security`);
    await expect(section.getByRole('listitem')).toContainText('Laptop');

    await section.getByRole('button', { name: fill(passkeys.deleteOne, { name: 'Laptop' }) }).click();
    await page.getByRole('dialog').getByRole('button', { name: passkeys.delete, exact: true }).click();
    await confirmation.getByRole('button', { name: accounts.passkey.code }).click();
    await expect(section).toContainText(passkeys.none);
    // Nothing is wider than the window.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });
});

test('a passkey is the only login where tunnels have another domain', async ({ page }) => {
  const { security, passkeys, accounts } = consoleTexts.en;
  // Below the host of the console tunnels could ask for its passkeys.
  const server = await startServerProcess({ env: { TUNNEL_DOMAIN: 'tunnels.example' } });
  await using _ = { [Symbol.asyncDispose]: () => server.stop() };
  const { stdout } = await server.runPult('user', 'add', 'passkey@example.com');
  const password = /^Password: (.+)$/m.exec(stdout)?.[1] ?? '';
  await page.addInitScript(`localStorage.setItem('locale', 'en')`);
  const byPasskey = page.getByRole('button', { name: accounts.passkey.login });
  await addAuthenticator(page);
  await page.goto(`${server.url}/login?redirect=/security`);
  await page.getByRole('textbox', { name: accounts.login.email }).fill('passkey@example.com');
  await page.getByRole('textbox', { name: accounts.login.password }).fill(password);
  await page.getByRole('button', { name: accounts.login.submit, exact: true }).click();
  const section = page.getByRole('region', { name: passkeys.title });
  await page.getByRole('button', { name: security.totp.setUp, exact: true }).click();
  const secret = (await page.getByText(/^[A-Z2-7]{26,}$/).textContent()) ?? '';
  await page.getByRole('dialog').getByRole('textbox').fill(createTotpCode(secret));
  await page.getByRole('dialog').getByRole('checkbox').check();
  await page.getByRole('button', { name: security.codes.finish, exact: true }).click();
  await expect(section).toContainText(passkeys.textLogin);
  await section.getByRole('button', { name: passkeys.add }).click();
  const form = page.getByRole('dialog', { name: passkeys.addTitle });
  await form.getByRole('textbox', { name: passkeys.name }).fill('Laptop');
  await expectAccessible(page, '[role="dialog"]');
  await form.getByRole('button', { name: passkeys.submit }).click();
  const confirmation = page.getByRole('dialog', { name: security.confirmation.title });
  await confirmation.getByRole('textbox').fill(nextCode(secret));
  await expect(section.getByRole('listitem')).toContainText('Laptop');
  await expectAccessible(page, 'main');

  await page.context().clearCookies();
  await page.evaluate('localStorage.clear()');
  await page.goto(`${server.url}/login?redirect=/security`);
  await expect(byPasskey).toBeVisible();
  await expectAccessible(page, 'main');
  await byPasskey.click();
  await expect(page).toHaveURL(`${server.url}/security`);
  await expect(section.getByRole('listitem')).toContainText('Laptop');
  const me = await page.request.get(`${server.url}/api/v1/users/me/`);
  expect(await me.json()).toMatchObject({ email: 'passkey@example.com' });
});
