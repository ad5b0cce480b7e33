import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { readFleetWords } from './fleet-words.ts';
import { expect, test } from './installation.ts';
import { type SeededFleet, seedFleet } from './seed-fleet.ts';
import { closeToasts, logIn } from './steps.ts';

const locales = { en: 'en-GB', ru: 'ru-RU' } as const;
const widths = {
  wide: { width: 1440, height: 900 },
  desk: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
} as const;

/** How often, while the page is scrolled from end to end, the middle of the window shows no row. */
function countBlanks(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const isBlank = () => {
      const middle = document.elementFromPoint(window.innerWidth * 0.6, window.innerHeight / 2);
      return !middle?.closest('tbody tr[aria-rowindex], li[data-index]');
    };
    let blanks = 0;
    const end = document.documentElement.scrollHeight - window.innerHeight;
    for (let step = 1; step <= 40; step += 1) {
      window.scrollTo(0, (end * step) / 40 - 300);
      await frame();
      await frame();
      // A busy machine may draw a frame before React was given its turn: a blank that lasts is one.
      for (let frames = 0; frames < 8 && isBlank(); frames += 1) await frame();
      if (isBlank()) blanks += 1;
    }
    return blanks;
  })()`);
}

/** Pixels; more than the window is wide when something reaches beyond it. */
const measureWidth = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');
const scrollToEnd = (page: Page) =>
  page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');

/** The columns in sight with their widths; headings and statuses that are cut, and others of which less than four letters stay. */
const measureColumns = (page: Page) =>
  page.evaluate<{ widths: Record<string, number>; cut: string[] }>(`(() => {
    const seen = [...document.querySelectorAll('th, tbody td[data-column]')].filter((cell) => cell.offsetWidth > 0);
    const heads = seen.filter((cell) => cell.tagName === 'TH');
    const isCut = (cell) => {
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      const room = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
      return cell.scrollWidth > cell.clientWidth && (cell.tagName === 'TH' || cell.dataset.column === 'status' || room < 60);
    };
    return {
      widths: Object.fromEntries(heads.map((head) => [head.dataset.column, head.offsetWidth])),
      cut: seen.filter(isCut).map((cell) => cell.textContent),
    };
  })()`);

/** Choices of which a name or a count is not seen as a whole. */
const listCutChoices = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('[role="radiogroup"], [role="radiogroup"] label')]
    .filter((part) => part.scrollWidth > part.clientWidth)
    .map((part) => part.textContent)`);

for (const language of ['en', 'ru'] as const) {
  const text = readFleetWords(language);

  test.describe(`${language} at any width`, () => {
    test.use({ locale: locales[language] });

    test(`the list has room for descriptions and paths, and on a phone begins at once: ${language}`, async ({
      page,
      installation,
    }) => {
      const { api } = installation;
      await using fleet = await seedFleet(installation, { name: 'Sites', controllers: 30, never: 20 });
      const create = (name: string, parent: string | null) =>
        api.call('createGroup', { body: { name, parent, organization: fleet.organizationId } });
      for (const [index, site] of ['North', 'South'].entries()) {
        const below = await create('Boilers', (await create(site, null)).id);
        const controllers = [`L00000${index + 1}`];
        await api.call('attachControllers', { params: { groupId: below.id }, body: { controllers } });
      }
      await page.setViewportSize(widths.wide);
      await logIn(page, installation);
      await page.goto(fleet.list);
      // Two groups are called alike: a row tells which of them it is.
      const row = page.getByRole('row', { name: /L000001/ });
      await expect(row.getByText('North › Boilers')).toBeVisible();
      for (const width of ['wide', 'desk'] as const) {
        await page.setViewportSize(widths[width]);
        await expect(row).toBeVisible();
        const { widths: columns, cut } = await measureColumns(page);
        expect(cut).toEqual([]);
        const others = Object.entries(columns).filter(([name]) => name !== 'description');
        expect(columns.description).toBeGreaterThan(Math.max(...others.map(([, pixels]) => pixels)));
      }
      await page.setViewportSize(widths.phone);
      const first = page.getByRole('listitem').filter({ hasText: 'L000001' });
      await expect(first.getByText('North › Boilers')).toBeVisible();
      expect((await first.boundingBox())?.y).toBeLessThanOrEqual(200);
      expect(await measureWidth(page)).toBe(widths.phone.width);
      await expectAccessible(page);
    });
  });

  test.describe(`${language} on a phone`, () => {
    test.use({ locale: locales[language], viewport: widths.phone });

    test(`counts and what is done with the selected fit a phone: ${language}`, async ({
      page,
      installation,
    }) => {
      await using fleet = await seedFleet(installation, { name: 'Large', controllers: 5100, groups: 3 });
      await logIn(page, installation);
      await page.goto(fleet.list);
      const counters = page.getByRole('radiogroup', { name: text.statuses });
      await expect(counters.getByText(text.size, { exact: true })).toHaveCount(2);
      expect(await listCutChoices(page)).toEqual([]);
      await expectAccessible(page);
      for (const serialNumber of ['L000001', 'L000002']) {
        await page.getByRole('checkbox', { name: text.select(serialNumber) }).check();
      }
      // Of the other cards the bar covers now the one or half of the one that stands at its place until somebody scrolls.
      await expectAccessible(page, 'section:has(> [role="status"]), li:has(input:checked)');
      // Where no column of boxes is, the bar of what is selected has the one for all of the page.
      await page.getByRole('checkbox', { name: text.selectPage }).check();
      await expect(page.getByRole('button', { name: text.selectMatching, exact: true })).toBeInViewport({
        ratio: 1,
      });
      expect(await measureWidth(page)).toBe(widths.phone.width);
    });
  });
}

test.describe('5,000 cards', () => {
  test.use({ locale: locales.ru, viewport: widths.phone });

  test('cards are selected and moved, and 5,000 of them scroll', async ({ page, installation }) => {
    const text = readFleetWords('ru');
    await using fleet = await seedFleet(installation, { name: 'Large', controllers: 5100, groups: 3 });
    await logIn(page, installation);
    await page.goto(`${fleet.list}?page_size=5000`);
    await expect(page.getByText('L000001').first()).toBeVisible();
    for (const serialNumber of ['L000001', 'L000002']) {
      await page.getByRole('checkbox', { name: text.select(serialNumber) }).check();
    }
    await page.getByRole('button', { name: text.moveControllers }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('treeitem', { name: 'Site 1' }).click();
    await dialog.getByRole('button', { name: text.move, exact: true }).click();
    await expect(page.getByText(text.attachedTo('Site 1'))).toBeVisible();
    await closeToasts(page);
    expect(await page.getByRole('listitem').count()).toBeLessThan(80);
    expect(await countBlanks(page)).toBe(0);
    await scrollToEnd(page);
    await expect(page.getByText('L005000').first()).toBeInViewport();
    expect(await measureWidth(page)).toBe(widths.phone.width);
  });
});

test.describe('5,000 rows', () => {
  test.use({ viewport: widths.desk });
  let fleet: SeededFleet;
  test.beforeAll(async ({ installation }) => {
    fleet = await seedFleet(installation, { name: 'Large', controllers: 5100 });
  });
  test.afterAll(() => fleet[Symbol.asyncDispose]());

  test('scroll without a blank under a header that stays, and are as they were left on the way back', async ({
    page,
    installation,
  }) => {
    const text = readFleetWords('en');
    await logIn(page, installation);
    await page.goto(`${fleet.list}?page_size=5000`);
    const table = page.getByRole('table');
    await expect(table).toHaveAttribute('aria-rowcount', '5001');
    expect(await table.getByRole('row').count()).toBeLessThan(100);
    expect(await countBlanks(page)).toBe(0);
    await scrollToEnd(page);
    await expect(page.getByRole('row', { name: /L005000/ })).toHaveAttribute('aria-rowindex', '5001');
    await expect(page.getByRole('row', { name: /L005000/ })).toBeInViewport();
    await expect(page.getByRole('columnheader', { name: text.description })).toBeInViewport({ ratio: 1 });

    await page.evaluate('window.scrollTo(0, 90_000)');
    const link = page.getByRole('link', { name: 'L002500', exact: true });
    await expect(link).toBeInViewport();
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name: 'L002500' })).toBeVisible();
    await page.goBack();
    await expect(link).toBeInViewport();

    // What the address may hold that is no page.
    for (const address of ['page_size=0', 'page_size=5001']) {
      await page.goto(`${fleet.list}?${address}`);
      await expect(page.getByRole('row', { name: /L000001/ })).toBeVisible();
    }
    await page.goto(`${fleet.list}?page=999`);
    await expect(page.getByRole('heading', { name: text.noPage })).toBeVisible();
    await page.getByRole('button', { name: text.firstPage }).click();
    await expect(page).toHaveURL(fleet.list);
    await expect(page.getByRole('row', { name: /L000001/ })).toBeVisible();
  });
});
