import { expectAccessible } from './accessible.ts';
import { consoleTexts } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { fillLogin } from './steps.ts';
import { variants } from './variants.ts';

interface Begun {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
}

for (const { language, locale, width, height } of variants) {
  const { deviceLogins, audit } = consoleTexts[language];
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    test(`a program is let in by its code with what is left chosen, and another refused: ${name}`, async ({
      page,
      installation,
    }) => {
      const { server } = installation;
      const post = async (path: string, body: object) => {
        const answer = await fetch(`${server.url}/api/v1/auth/device/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        // What each call answers, the test says by what it reads.
        return { status: answer.status, body: (await answer.json()) as Begun };
      };
      const begin = async () =>
        (await post('', { hostName: 'laptop-7', scopes: ['controllers.read', 'tunnels.open'] })).body;
      const enter = async (code: string) => {
        await page.getByRole('textbox', { name: deviceLogins.code }).fill(code.toLowerCase());
        await page.getByRole('button', { name: deviceLogins.next }).click();
      };
      await page.addInitScript(`localStorage.setItem('locale', '${language}')`);
      const { deviceCode, userCode, verificationUri } = await begin();
      // A code in the address is nobody's: it is typed.
      await page.goto(`${verificationUri}?user_code=${userCode}`);
      await fillLogin(page, installation);
      await expect(page.getByRole('textbox', { name: deviceLogins.code })).toHaveValue('');
      await expectAccessible(page, 'main');

      await enter(userCode);
      await expect(page.getByText('laptop-7')).toBeVisible();
      await expectAccessible(page, 'main');
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.getByRole('checkbox', { name: audit.permission.tunnels.open }).uncheck();
      await page.getByRole('button', { name: deviceLogins.allow, exact: true }).click();
      await expect(page.getByText(deviceLogins.outcomeText.allowed)).toBeVisible();
      const token = await post('token/', { deviceCode });
      expect(token).toMatchObject({ status: 200, body: { scopes: ['controllers.read'] } });

      const other = await begin();
      await page.getByRole('button', { name: deviceLogins.again }).click();
      await enter('BCDF-BCDF');
      await expect(page.getByRole('textbox', { name: deviceLogins.code })).toHaveAttribute(
        'aria-invalid',
        'true',
      );
      await enter(other.userCode);
      await page.getByRole('button', { name: deviceLogins.deny, exact: true }).click();
      await expect(page.getByText(deviceLogins.outcomeText.denied)).toBeVisible();
      const refused = await post('token/', { deviceCode: other.deviceCode });
      expect(refused).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    });
  });
}
