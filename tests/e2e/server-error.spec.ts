import type { Page } from '@playwright/test';
import { expect, serviceStatusUrl, test } from './installation.ts';
import { logIn, logInByForm } from './steps.ts';

const texts = {
  en: { locale: 'en-GB', title: 'Server Error', line: 'You can check service status', link: 'here' },
  ru: { locale: 'ru-RU', title: 'Ошибка сервера', line: 'Вы можете проверить статус', link: 'здесь' },
} as const;

async function expectServerError(page: Page, status: number, language: 'en' | 'ru'): Promise<void> {
  const { title, line, link } = texts[language];
  const view = page.getByRole('main');
  await expect(view.getByRole('heading', { name: title })).toBeVisible();
  await expect(view.getByText(String(status), { exact: true })).toBeVisible();
  await expect(view.getByText(line)).toBeVisible();
  const statusLink = view.getByRole('link', { name: link });
  await expect(statusLink).toHaveAttribute('href', serviceStatusUrl);
  await expect(statusLink).toHaveAttribute('target', '_blank');
  await expectFullPage(page);
}

/** Nothing stands beside it, and it is as large as the window. */
async function expectFullPage(page: Page): Promise<void> {
  const view = page.getByRole('main');
  await expect(view).toHaveCount(1);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  expect(await view.boundingBox()).toMatchObject({ x: 0, y: 0, ...page.viewportSize() });
}

for (const language of ['en', 'ru'] as const) {
  test.describe(language, () => {
    test.use({ locale: texts[language].locale });

    // spec: 2.36, 2.39, 2.40, 2.41, 2.42, 2.43, 8.08
    test('settings that cannot be loaded are the error view with the status', async ({
      page,
      installation,
    }) => {
      await page.route('**/api/v1/environments/', (route) => route.fulfill({ status: 503, body: '' }));
      await page.goto(`${installation.server.url}/login`);
      await expectServerError(page, 503, language);
      await page.unroute('**/api/v1/environments/');
      await page.reload();
      await expect(page.getByRole('button', { name: /^(Log in|Войти)$/ })).toBeVisible();
    });
  });
}

// spec: 2.39, 8.14
test('settings without an answer from a server that is down are the error view with 500', async ({
  page,
  installation,
}) => {
  // The page itself has arrived when the API goes away.
  await page.route('**/api/v1/environments/', (route) => route.abort('connectionrefused'));
  await page.goto(`${installation.server.url}/login`);
  await expectServerError(page, 500, 'en');
});

test('a stopped server: the shell stays around the page one goes to, which comes by itself once it is back', async ({
  page,
  installation,
}) => {
  const { server } = installation;
  await logInByForm(page, installation);
  const overview = page.getByRole('navigation').getByRole('link', { name: 'Overview' });
  await expect(overview).toBeVisible();
  try {
    await server.halt();
    await overview.click();
    await expect(page.getByRole('heading', { name: 'No connection to the server' })).toBeVisible();
    await expect(overview).toBeVisible();
  } finally {
    await server.start();
  }
  await expect(page.getByRole('heading', { name: 'No connection to the server' })).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/organizations/${installation.organization.id}$`));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a stopped server is told by a banner on the pages that are shown, which goes when it is back', async ({
  page,
  browser,
  context,
  installation,
}) => {
  const { server, organization } = installation;
  const lost = 'No connection to the server';
  const guest = await browser.newPage({ locale: 'en-GB' });
  const second = await context.newPage();
  try {
    await guest.goto(`${server.url}/login`);
    await logIn(page, installation);
    await page.goto(`${server.url}/organizations/${organization.id}`);
    await second.goto(`${server.url}/security`);
    const pages = [guest, page, second];
    for (const each of pages) await expect(each.getByRole('heading', { level: 1 })).toBeVisible();
    try {
      await server.halt();
      await second.evaluate('window.scrollTo(0, document.body.scrollHeight)');
      for (const each of pages) {
        await expect(each.getByText(lost)).toBeInViewport();
        await expect(each.getByRole('heading', { name: 'Server Error' })).toHaveCount(0);
      }
    } finally {
      await server.start();
    }
    for (const each of pages) {
      await each.bringToFront();
      await expect(each.getByText(lost)).toHaveCount(0);
    }
  } finally {
    await guest.close();
    await second.close();
  }
});
