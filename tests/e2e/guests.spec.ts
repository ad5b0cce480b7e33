import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';
import { variants } from './variants.ts';

for (const { language, locale, width, height } of variants) {
  const { guests, tunnels } = consoleTexts[language];
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    test(`a guest comes in by a link and its PIN, and is out with one click: ${name}`, async ({
      page,
      browser,
      installation,
      device,
    }) => {
      const { organization, server, ssh } = installation;
      await device.claim();
      await page.addInitScript(`localStorage.setItem('locale', '${language}')`);
      await logIn(page, installation);
      const { serialNumber } = device;
      await page.goto(
        `${server.url}/organizations/${organization.id}/controllers/${serialNumber}?tab=settings`,
      );
      const section = page.getByRole('region', { name: guests.title, exact: true });

      async function share(service: 'http' | 'ssh', guest: string) {
        await section.getByRole('button', { name: guests.share }).click();
        const form = page.getByRole('dialog', { name: guests.form.title });
        await form.getByRole('textbox', { name: guests.form.name }).fill(guest);
        await form.getByLabel(guests.form.service).selectOption(service);
        await expectAccessible(page, '[role=dialog]');
        await form.getByRole('button', { name: guests.form.submit }).click();
        const made = page.getByRole('dialog', { name: guests.made.title });
        const url = (await made.getByText(/\/guest\/#/).textContent()) ?? '';
        const pin = (await made.getByText(/^\d{4} \d{4}$/).textContent()) ?? '';
        await expectAccessible(page, '[role=dialog]');
        await made.getByRole('button', { name: guests.made.done }).click();
        await expect(section.getByRole('listitem').filter({ hasText: guest })).toBeVisible();
        return { url, pin };
      }

      const viewport = { width, height };
      const context = await browser.newContext({ locale, viewport, reducedMotion: 'reduce' });
      const own = await context.newPage();
      const enter = async (pin: string) => {
        await own.getByLabel(guests.page.pin).fill(pin);
        await own.getByRole('button', { name: guests.page.submit }).click();
      };

      const web = await share('http', 'Ivan');
      await own.goto(web.url);
      await expect(own.getByRole('heading', { name: guests.page.title })).toBeVisible();
      // The link is out of the address, which is shown and kept.
      expect(own.url()).toBe(`${server.url}/guest/`);
      await expectAccessible(own, 'main');
      expect(await own.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const shown = await own.locator('body').textContent();
      for (const name of [serialNumber, server.adminEmail]) expect(shown).not.toContain(name);
      await enter(web.pin === '0000 0000' ? '11111111' : '00000000');
      await expect(own.getByRole('alert')).toContainText(/4/);
      await enter(web.pin);
      await expect(own.getByRole('heading', { name: 'Boiler room' })).toBeVisible();

      // A terminal once, where there is the least room for it.
      if (language === 'en') return await context.close();
      const shell = await share('ssh', 'Maria');
      await own.goto(shell.url);
      await enter(shell.pin);
      await expect(
        own.getByRole('heading', { name: fill(guests.page.terminal, { serialNumber }) }),
      ).toBeVisible();
      await own.getByRole('textbox', { name: tunnels.form.username }).fill(ssh.user);
      await own.getByText(tunnels.form.byKey, { exact: true }).click();
      await own.getByRole('textbox', { name: tunnels.form.privateKey }).fill(ssh.clientKey.privateKey);
      await own.getByRole('button', { name: tunnels.form.connect, exact: true }).click();
      const input = own.getByRole('textbox', { name: fill(tunnels.terminal.label, { serialNumber }) });
      await expect(own.getByText(tunnels.hostKey.newTitle)).toBeVisible();
      await input.focus();
      await own.keyboard.type('echo $((6*7))-by-a-guest');
      await own.keyboard.press('Enter');
      await expect(own.getByText('42-by-a-guest', { exact: true })).toBeVisible();

      await page.reload();
      await expectAccessible(page, 'main');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await section.getByRole('button', { name: fill(guests.endOne, { name: 'Maria' }) }).click();
      await expect(section.getByRole('listitem').filter({ hasText: 'Maria' })).toHaveCount(0);
      await expect(own.getByRole('button', { name: tunnels.end.reconnect })).toBeVisible();
      await context.close();
    });
  });
}
