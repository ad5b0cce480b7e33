import { hashByteSource } from '@pult/testkit';
import { consoleTexts, fill, type Language } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { fillLogin, hashDownload } from './steps.ts';

/** What the console says on this way in one language. */
function readWords(language: Language) {
  const { activation, controllers, tunnelKinds, tunnels } = consoleTexts[language];
  const { form, terminal } = tunnels;
  return {
    claim: activation.activate,
    online: fill(controllers.statusSince.online, { time: '' }),
    offline: fill(controllers.statusSince.offline, { time: '' }),
    openWeb: tunnelKinds.kind.http.name,
    openTerminal: tunnelKinds.kind.ssh.name,
    user: form.username,
    byKey: form.byKey,
    privateKey: form.privateKey,
    connect: form.connect,
    disconnect: terminal.disconnect,
    terminal: (serialNumber: string) => fill(terminal.label, { serialNumber }),
  };
}

// The first visit has no chosen language: the browser's own decides.
for (const [language, locale] of [
  ['en', 'en-GB'],
  ['ru', 'ru-RU'],
] as const) {
  test.describe(language, () => {
    test.use({ locale });

    // spec: 1.01, 1.07, 2.05, 4.05
    test('the way from the activation link to a shell on the controller', async ({
      page,
      installation,
      device,
    }) => {
      const { server, ssh, organization } = installation;
      const { serialNumber } = device;
      const text = readWords(language);

      await test.step('the activation link asks for a login and does not lose the token', async () => {
        await page.goto(device.activation.url);
        await expect(page).toHaveURL(/\/login/);
        await fillLogin(page, installation);
        await expect(page.getByText(serialNumber).first()).toBeVisible();
        // A secret does not stay in the address bar.
        expect(page.url()).not.toContain(device.activation.token);
      });

      await test.step('claiming shows the controller, which turns online without a reload', async () => {
        await page.getByRole('button', { name: text.claim, exact: true }).click();
        await expect(page).toHaveURL(
          `${server.url}/organizations/${organization.id}/controllers/${serialNumber}`,
        );
        await expect(page.getByRole('status').filter({ hasText: text.online })).toBeVisible();
      });
      // The way on is the same in each language.
      if (language === 'ru') return;
      const controllerUrl = page.url();

      // It opens in a tab of its own.
      const opened = page.context().waitForEvent('page');
      await page.getByRole('link', { name: text.openWeb }).click();
      const web = await opened;

      await test.step('the web interface opens on its own host, with its WebSocket', async () => {
        await web.waitForURL(`http://${serialNumber.toLowerCase()}.http.localhost:${server.port}/`);
        await expect(web.getByRole('heading', { name: 'Boiler room' })).toBeVisible();
        await expect(web.getByText('Status: connected')).toBeVisible();
        await web.getByLabel('Message').fill('насос включён');
        await web.getByRole('button', { name: 'Send' }).click();
        await expect(web.getByRole('list', { name: 'Echoes' })).toHaveText('echo: насос включён');
      });

      await test.step('a download of 100 MB arrives unchanged', async () => {
        const started = web.waitForEvent('download');
        await web.getByRole('link', { name: 'Download archive' }).click();
        expect(await hashDownload(await started)).toBe(hashByteSource(100 * 1024 * 1024));
        await web.close();
      });

      await test.step('the SSH terminal runs uname -a on the device', async () => {
        await page.getByRole('link', { name: text.openTerminal }).click();
        await expect(page).toHaveURL(`${server.url}/connect/ssh/${serialNumber}/`);
        await page.getByRole('textbox', { name: text.user }).fill(ssh.user);
        await page.getByText(text.byKey, { exact: true }).click();
        await page.getByRole('textbox', { name: text.privateKey }).fill(ssh.clientKey.privateKey);
        await page.getByRole('button', { name: text.connect, exact: true }).click();
        await expect(page.getByRole('button', { name: text.disconnect })).toBeVisible();
        await page
          .getByRole('textbox', { name: text.terminal(serialNumber) })
          .pressSequentially('uname -a\n');
        await expect(page.getByText(/Linux \S+ \d+\.\d+/).first()).toBeVisible();
      });

      await test.step('the stopped agent shows as offline without a reload, and comes back', async () => {
        await page.goto(controllerUrl);
        await expect(page.getByRole('status').filter({ hasText: text.online })).toBeVisible();
        await device.agent.halt();
        await expect(page.getByRole('status').filter({ hasText: text.offline })).toBeVisible();
        device.agent.start();
        await expect(page.getByRole('status').filter({ hasText: text.online })).toBeVisible();
      });
    });
  });
}
