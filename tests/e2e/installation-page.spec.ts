import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';
import { crossedVariants } from './variants.ts';

const words = {
  en: {
    title: 'Server',
    backups: 'Backups',
    backUp: 'Back up now',
    checked: 'by restoring it',
    runs: 'Recent backups',
    doctor: 'Examination',
  },
  ru: {
    title: 'Сервер',
    backups: 'Резервные копии',
    backUp: 'Сделать сейчас',
    checked: 'восстановлением',
    runs: 'Последние копии',
    doctor: 'Проверка',
  },
} as const;

for (const { language, locale, width, height } of crossedVariants) {
  test.describe(`${language}, ${width} px`, () => {
    test.use({ locale, viewport: { width, height } });

    test('an administrator sees how the installation does, and backs it up', async ({
      page,
      installation,
    }) => {
      const text = words[language];
      const { server } = installation;
      await logIn(page, installation);
      await page.goto(`${server.url}/installation`);
      await expect(page.getByRole('heading', { level: 1, name: text.title })).toBeVisible();
      const doctor = page.getByRole('region', { name: text.doctor });
      await expect(doctor.getByText('PUBLIC_URL').first()).toBeVisible();
      const backups = page.getByRole('region', { name: text.backups, exact: true });
      await backups.getByRole('button', { name: text.backUp }).click();
      await expect(backups.getByText(text.checked)).toBeVisible({ timeout: 90_000 });
      await backups.getByText(text.runs).click();
      await expect(backups.getByText(server.adminEmail).first()).toBeVisible();
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBe(0);
    });

    test('an owner who is no administrator finds no such page', async ({ browser, installation }) => {
      const { server, api } = installation;
      const email = `owner-${language}@pult.example`;
      const { stdout } = await server.runPult('user', 'add', email);
      const [, password = ''] = /^Password: (.+)$/m.exec(stdout) ?? [];
      const context = await browser.newContext({ locale, viewport: { width, height } });
      const page = await context.newPage();
      await page.goto(`${server.url}/login?redirect=/installation`);
      await page.getByRole('textbox', { name: /^(Email|Почта)$/ }).fill(email);
      await page
        .getByLabel(/^(Password|Пароль)/)
        .first()
        .fill(password);
      await page.getByRole('button', { name: /^(Log in|Войти)$/ }).click();
      await expect(page).toHaveURL(/\/organizations$/);
      const refused = await page.request.get(`${server.url}/api/v1/installation/`);
      expect(refused.status()).toBe(403);
      await expect(page.getByRole('link', { name: words[language].title, exact: true })).toHaveCount(0);
      await context.close();
      expect((await api.call('getCurrentUser')).isAdministrator).toBe(true);
    });
  });
}
