import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { readFleetWords } from './fleet-words.ts';
import { expect, test } from './installation.ts';
import { seedFleet } from './seed-fleet.ts';
import { closeToasts, logIn } from './steps.ts';

const locales = { en: 'en-GB', ru: 'ru-RU' } as const;
const widths = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;

/** Drags with the mouse over something in the tree, and holds it there; the caller lets go. */
async function dragOver(page: Page, from: Locator, to: Locator): Promise<void> {
  // They may lie over what is dragged.
  await closeToasts(page);
  await expect(async () => {
    await page.mouse.up();
    await from.hover();
    await page.mouse.down();
    const box = await to.boundingBox();
    if (!box) throw new Error('nowhere to drag to');
    const [x, y] = [box.x + 60, box.y + box.height / 2];
    await page.mouse.move(x, y - 2, { steps: 3 });
    // Over it, as a hand that comes to rest.
    await page.mouse.move(x, y, { steps: 3 });
    // Playwright takes the drag over from the browser; should it miss its beginning, there is none.
    await expect(page.locator('[data-dragging]')).toHaveCount(1, { timeout: 3000 });
  }).toPass({ timeout: 20_000 });
}

/** All that is about the list stands on one line. */
async function expectOneLine(page: Page, text: ReturnType<typeof readFleetWords>): Promise<void> {
  const top = async (part: Locator) => (await part.boundingBox())?.y;
  const columns = page.getByRole('button', { name: text.columns });
  expect(await top(columns)).toBe(await top(page.getByRole('searchbox', { name: text.search }).first()));
}

test.describe('en on a desk', () => {
  test.use({ locale: locales.en, viewport: widths.desk });

  test('groups and controllers are dragged', async ({ page, installation }) => {
    const text = readFleetWords('en');
    await using fleet = await seedFleet(installation, { name: 'Dragged', controllers: 40, groups: 60 });
    const item = (name: string | RegExp) => page.getByRole('treeitem', { name });
    const tree = page.getByRole('tree', { name: text.groups });
    await logIn(page, installation);
    await page.goto(fleet.list);
    await expect(item('Site 1, 0')).toBeVisible();
    await expectOneLine(page, text);

    // Two of the selected go where one of them is dropped.
    for (const serialNumber of ['L000002', 'L000004']) {
      await page.getByRole('checkbox', { name: text.select(serialNumber) }).check();
    }
    const row = page.getByRole('row', { name: /L000002/ });
    await dragOver(page, row, item(/^Site 2,/));
    await expect(page.getByText(text.dropInto)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(page.getByText(text.dropInto)).toHaveCount(0);
    await expect(item('Site 2, 0')).toBeVisible();
    await dragOver(page, row, item(/^Site 2,/));
    await expect(page.getByText(text.dropInto)).toBeVisible();
    await page.mouse.up();
    await expect(page.getByText(text.attachedTo('Site 2'))).toBeVisible();
    await expect(item('Site 2, 2')).toBeVisible();

    // A group into another and back to the top; into itself it cannot go.
    await dragOver(page, item(/^Site 10,/), item(/^Site 11,/));
    await page.mouse.up();
    await expect(page.getByText(text.groupMoved).first()).toBeVisible();
    await expect(item(/^Site 10,/)).toHaveAttribute('aria-level', '2');
    await dragOver(page, item(/^Site 10,/), item(/^Site 10,/));
    await expect(page.getByText(text.itself)).toBeVisible();
    await page.mouse.up();
    await dragOver(page, item(/^Site 10,/), item(text.all));
    await expect(item(text.topLevel)).toHaveAttribute('data-drop', 'yes');
    await page.mouse.up();
    await expect(item(/^Site 10,/)).toHaveAttribute('aria-level', '1');

    // Near its end the tree scrolls by itself.
    await dragOver(page, page.getByRole('row', { name: /L000001/ }), item(/^Site 1,/));
    const box = await tree.boundingBox();
    if (!box) throw new Error('no tree');
    expect(box.y + box.height).toBeLessThan(widths.desk.height);
    // A browser tells again and again where a drag rests; Playwright tells it once for each move.
    let rest = 3;
    const scrollOn = async () => {
      rest = 10 - rest;
      await page.mouse.move(box.x + 60, box.y + box.height - rest);
      return tree.evaluate(({ scrollTop }) => scrollTop);
    };
    await expect.poll(scrollOn).toBeGreaterThan(300);
    // Playwright's Escape ends a drag without a word to what it is over, so that the browser would go on scrolling the tree
    // and then the page.
    await page.mouse.move(box.x + 60, box.y + box.height / 2);
    await page.keyboard.press('Escape');
    await page.mouse.up();
  });
});

test.describe('ru on a desk', () => {
  test.use({ locale: locales.ru, viewport: widths.desk });

  test('all that match are moved, as their filter', async ({ page, installation }) => {
    const text = readFleetWords('ru');
    await using fleet = await seedFleet(installation, { name: 'Large', controllers: 5100, groups: 60 });
    await logIn(page, installation);
    await page.goto(fleet.list);
    await expect(page.getByRole('treeitem', { name: 'Site 1, 0' })).toBeVisible();
    await expectOneLine(page, text);

    // Once; meanwhile it is seen that it goes on.
    await page.getByRole('checkbox', { name: text.selectPage }).check();
    await page.getByRole('button', { name: text.selectMatching, exact: true }).click();
    await expect(page.getByText(text.matching, { exact: true })).toBeVisible();
    await expectAccessible(page);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const bodies: unknown[] = [];
    await page.route('**/attach-controllers/', async (route) => {
      bodies.push(route.request().postDataJSON());
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: text.moveControllers }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('treeitem', { name: 'Site 1', exact: true }).click();
    await dialog.getByRole('button', { name: text.move, exact: true }).click();
    await expect(page.getByText(text.moving, { exact: true })).toBeVisible();
    await expectAccessible(page);
    release();
    await expect(page.getByText(text.moved, { exact: true })).toBeVisible();
    await expect(page.getByText(text.moving, { exact: true })).toHaveCount(0);
    expect(bodies).toEqual([{ filter: { organization_id: fleet.organizationId } }]);
    await expect(page.getByRole('treeitem', { name: /^Site 1, 5.100$/ })).toBeVisible();
  });
});

const names = ['<b onclick="alert(1)">Boilers</b>', '🏭👩🏽‍🔧 Цех №1', 'مبنى الإدارة', 'Ш'.repeat(255)];

for (const [language, width] of [
  ['en', 'desk'],
  ['ru', 'phone'],
] as const) {
  test.describe(`${language} on a ${width}`, () => {
    test.use({ locale: locales[language], viewport: widths[width] });

    test(`a tree 5,000 wide and 20 deep holds groups of any name: ${language}, ${width}`, async ({
      page,
      installation,
    }) => {
      const text = readFleetWords(language);
      const { api } = installation;
      await using fleet = await seedFleet(installation, { name: 'Wide', controllers: 3, groups: 5000 });
      const create = (name: string, parent: string | null) =>
        api.call('createGroup', { body: { name, parent, organization: fleet.organizationId } });
      for (const name of names) await create(name, null);
      let parent: string | null = null;
      for (let level = 1; level <= 20; level += 1) parent = (await create(`!Level ${level}`, parent)).id;
      await api.call('attachControllers', {
        params: { groupId: parent ?? '' },
        body: { controllers: ['L000001'] },
      });

      await logIn(page, installation);
      // The address names the deepest group: the tree opens down to it.
      await page.goto(`${fleet.list}?group_ids=${parent}`);
      await expect(page.getByText('L000001').first()).toBeVisible();
      if (width === 'phone') await page.getByRole('button', { name: text.openGroups('!Level 20') }).click();
      const tree = page.getByRole('tree', { name: text.groups });
      const deepest = tree.getByRole('treeitem', { name: '!Level 20, 1' });
      await expect(deepest).toHaveAttribute('aria-level', '20');
      await expect(deepest).toHaveAttribute('aria-selected', 'true');
      await expect(deepest).toBeInViewport({ ratio: 1 });
      expect(await tree.getByRole('treeitem').count()).toBeLessThan(100);
      await tree.focus();
      await page.keyboard.press('End');
      for (const name of names.slice(1)) {
        const item = tree.getByRole('treeitem', { name: `${name}, 0`, exact: true });
        await expect(item).toBeVisible();
        expect((await item.boundingBox())?.height).toBe(36);
      }
      await page.keyboard.press('Home');
      await expect(tree.getByText(names[0] ?? '')).toBeVisible();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(widths[width].width);
      await expectAccessible(page);
    });
  });
}
