import type { Page, Route } from '@playwright/test';
import { startServerProcess } from '@pult/testkit';
import { expectFits } from './fits.ts';
import { expect, test } from './installation.ts';
import { listInsidePages, openPages } from './pages.ts';
import { fillLogin, logIn, moveTo } from './steps.ts';

const theme = (page: Page) => page.locator('html').getAttribute('data-mantine-color-scheme');

// spec: 1.12
test('the title is the page’s, a separator and the brand, in the language of the page', async ({
  page,
  installation,
}) => {
  await page.goto(`${installation.server.url}/login`);
  await expect(page).toHaveTitle('Log in · Pult');
  await fillLogin(page, installation);
  await expect(page).toHaveTitle('Controllers · Pult');
  await page.goto(`${installation.server.url}/organizations`);
  await expect(page).toHaveTitle('Organizations · Pult');
});

// spec: 1.12
test('the brand of the installation alone is the title of what has none, from the first byte on', async ({
  page,
}) => {
  const server = await startServerProcess({ env: { SERVICE_NAME: 'Boiler Watch' } });
  try {
    let answer = () => {};
    let asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const hold = async (route: Route) => {
      await asked;
      await route.continue();
    };
    // Neither script nor settings have come.
    await page.route('**/api/v1/environments/', hold);
    await page.goto(`${server.url}/login`);
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    await expect(page).toHaveTitle('Boiler Watch');
    answer();
    await expect(page).toHaveTitle('Log in · Boiler Watch');
    await fillLogin(page, { server });
    await expect(page).toHaveTitle('Controllers · Boiler Watch');
    // From page to page without a load of the document.
    asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/organizations/', hold);
    // What was read within the last second is not asked anew, and then nothing loads.
    const loading = page.getByRole('status', { name: 'Loading' });
    await expect(async () => {
      // On a busy machine it comes later than it is waited for, and then there is no link any more.
      if (!(await loading.isVisible())) {
        await page.getByRole('link', { name: 'Boiler Watch' }).click({ timeout: 1_000 });
      }
      await expect(loading).toBeVisible({ timeout: 500 });
      // A list that loads says so as well, on a page with a title.
      await expect(page).toHaveTitle('Boiler Watch', { timeout: 500 });
    }).toPass();
    answer();
    await expect(page).toHaveTitle('Controllers · Boiler Watch');
  } finally {
    await server.stop();
  }
});

// spec: 3.11
test('the language is the browser’s at first, then the chosen one, and stays', async ({
  page,
  installation,
}) => {
  await page.goto(`${installation.server.url}/login`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await page.getByText('Русский', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
  await expect(page).toHaveTitle('Вход · Pult');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Войти' })).toBeVisible();
  // The server answers in it too.
  await page.getByRole('textbox', { name: 'Почта' }).fill('nobody@pult.example');
  await page.getByRole('textbox', { name: 'Пароль' }).fill('wrong password');
  await page.getByRole('button', { name: 'Войти' }).click();
  await expect(page.getByText('Неверная почта или пароль')).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});

test.describe('of a browser in another language', () => {
  test.use({ locale: 'de-DE' });
  test('English is chosen', async ({ page, installation }) => {
    await page.goto(`${installation.server.url}/login`);
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  });
});

test.describe('of a dark system', () => {
  test.use({ colorScheme: 'dark' });
  test('pages are dark, unless light is chosen', async ({ page, installation }) => {
    await page.goto(`${installation.server.url}/login`);
    await expect.poll(() => theme(page)).toBe('dark');
    await page.getByText('Light', { exact: true }).click();
    await expect.poll(() => theme(page)).toBe('light');
    await page.reload();
    await expect.poll(() => theme(page)).toBe('light');
  });
});

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('all pages begin at one place, and what is set takes the width of the window', async ({
    page,
    installation,
    device,
  }) => {
    await device.claim();
    await logIn(page, installation);
    const own = `/organizations/${installation.organization.id}`;
    await page.goto(`${installation.server.url}${own}/controllers`);
    const left = async () => (await page.getByRole('heading', { level: 1 }).boundingBox())?.x;
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const start = await left();
    for (const path of [`${own}/access`, '/organizations', '/installation']) {
      await moveTo(page, path);
      expect(await left(), path).toBe(start);
    }
    for (const path of ['/security', `${own}/settings/general`, '/device']) {
      await moveTo(page, path);
      expect(await left(), path).toBe(start);
      const section = page.getByRole('main').getByRole('region').first();
      const box = await section.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), path).toBe(1440 - 24);
      // What it is about stands at the left, and beside it what is set.
      const title = await section.getByRole('heading', { level: 2 }).boundingBox();
      const content = await section.locator('> div').boundingBox();
      expect(title?.x, path).toBeLessThan((start ?? 0) + 24);
      expect(content?.x, path).toBeGreaterThan((title?.x ?? 0) + 240);
      expect(content?.y, path).toBe(box && box.y + 1);
    }
  });
});

// In Russian the pages are looked at with axe.
test.describe('on a phone in English', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('no page is wider than the screen, and no tab or choice is cut', async ({
    page,
    installation,
    device,
  }) => {
    await device.claim();
    const { server } = installation;
    await page.goto(`${server.url}/login`);
    await expectFits(page);
    for (const path of openPages) {
      await moveTo(page, path);
      await expectFits(page);
    }
    await logIn(page, installation);
    await page.goto(`${server.url}/controllers`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFits(page);
    for (const path of listInsidePages(installation, device)) {
      await moveTo(page, path);
      await expectFits(page);
    }
  });
});
