import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill, type Language } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { closeToasts, logIn } from './steps.ts';
import { crossedVariants } from './variants.ts';

/** What the console says about groups in one language, by what the test does with it. */
function readWords(language: Language) {
  const { groups, controllers } = consoleTexts[language];
  return {
    groups: groups.groups,
    openGroups: fill(groups.openGroups, { name: '' }),
    create: groups.createTitle,
    name: consoleTexts[language].shared.name,
    submit: groups.submit,
    save: groups.save,
    move: groups.move,
    actions: (name: string) => fill(groups.actions, { name }),
    subgroup: groups.createSubgroup,
    rename: groups.rename,
    delete: groups.delete,
    undo: groups.undo,
    select: (serialNumber: string) => fill(controllers.selection.one, { serialNumber }),
    moveControllers: controllers.selection.move,
    attachedTo: (name: string) => fill(groups.attachedSingle, { name }),
    ungrouped: new RegExp(`^${groups.ungrouped}`),
    noMatch: controllers.noMatch.title,
    export: controllers.list.download,
  };
}

for (const { language, locale, width, height } of crossedVariants) {
  const text = readWords(language);
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    // spec: 1.02, 4.03
    test(`groups are made, filled, filtered by, renamed and deleted: ${name}`, async ({
      page,
      installation,
      device,
    }) => {
      const { server, organization, api } = installation;
      await device.claim();
      const { serialNumber } = device;
      const isWide = width > 1200;
      const address = `${server.url}/organizations/${organization.id}/controllers`;
      const tree = page.getByRole('tree', { name: text.groups });
      const item = (group: string | RegExp) => tree.getByRole('treeitem', { name: group });
      /** On a phone the tree is behind a button. */
      const showTree = async () => {
        if (!isWide && !(await tree.isVisible()))
          await page.getByRole('button', { name: text.openGroups }).click();
        await expect(tree).toBeVisible();
      };
      const fillName = async (group: string, submit: string) => {
        const dialog = page.getByRole('dialog').last();
        await dialog.getByRole('textbox', { name: text.name }).fill(group);
        await dialog.getByRole('button', { name: submit, exact: true }).click();
      };
      const act = async (group: string, action: string) => {
        await page.getByRole('button', { name: text.actions(group) }).click();
        await page.getByRole('menuitem', { name: action, exact: true }).click();
      };
      const [site, room] = [`Site ${name}`, `Котельная ${name}`];

      await logIn(page, installation);
      await page.goto(address);
      await showTree();
      await page.getByRole('button', { name: text.create, exact: true }).click();
      await fillName(site, text.submit);
      await expect(item(`${site}, 0`)).toBeVisible();

      // A second one of the name is refused where it was typed.
      await page.getByRole('button', { name: text.create, exact: true }).click();
      await fillName(site, text.submit);
      const field = page.getByRole('textbox', { name: text.name });
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await page.keyboard.press('Escape');

      await showTree();
      await act(site, text.subgroup);
      await fillName(room, text.submit);
      await expect(item(`${room}, 0`)).toBeVisible();
      await expect(item(`${room}, 0`)).toHaveAttribute('aria-level', '2');
      // What a drawer covers in part cannot be pressed, and is no small target.
      await expectAccessible(page, isWide ? undefined : '[role=dialog]');

      if (isWide) {
        await page.getByRole('checkbox', { name: text.select(serialNumber) }).check();
        await closeToasts(page);
        await page.getByRole('button', { name: text.moveControllers }).click();
        const dialog = page.getByRole('dialog');
        // By keyboard: to the site, into it, down to the room.
        await dialog.getByRole('tree').focus();
        await page.keyboard.press('Home');
        await dialog.getByRole('treeitem', { name: site }).click();
        await dialog.getByRole('tree').focus();
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
        await expect(dialog.getByRole('treeitem', { name: room })).toHaveAttribute('aria-selected', 'true');
        await closeToasts(page);
        await dialog.getByRole('button', { name: text.move, exact: true }).click();
        await expect(page.getByText(text.attachedTo(room))).toBeVisible();
      } else {
        const groups = await api.call('listGroups', { query: { organization_id: organization.id } });
        const groupId = groups.find((group) => group.name === site)?.subgroups[0]?.id ?? '';
        await api.call('attachControllers', { params: { groupId }, body: { controllers: [serialNumber] } });
      }
      // Told by an event where another client moved it.
      await expect(item(`${site}, 1`)).toBeVisible();
      await expect(item(`${room}, 1`)).toBeVisible();
      await closeToasts(page);

      /** On a phone the choice closes the drawer; until it has, its tree still counts as shown. */
      const choose = async (group: string | RegExp) => {
        await item(group).click();
        if (!isWide) await expect(tree).toBeHidden();
      };
      await choose(room);
      await expect(page).toHaveURL(/group_ids=[\da-f-]{36}$/);
      await expect(page.getByText(serialNumber).first()).toBeVisible();
      await closeToasts(page);
      await showTree();
      await choose(text.ungrouped);
      await expect(page).toHaveURL(/ungrouped=true/);
      await expect(page.getByText(text.noMatch)).toBeVisible();
      await page.goBack();
      await expect(page.getByText(serialNumber).first()).toBeVisible();

      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: text.export }).click();
      expect((await downloading).suggestedFilename()).toMatch(/\.csv$/);

      await showTree();
      await act(room, text.rename);
      await fillName(`${room} 2`, text.save);
      await expect(item(`${room} 2, 1`)).toBeVisible();

      const deleteSite = async () => {
        await act(site, text.delete);
        const dialog = page.getByRole('dialog').last();
        await dialog.getByRole('button', { name: text.delete, exact: true }).click();
      };
      await deleteSite();
      await page.getByRole('button', { name: text.undo }).click();
      await showTree();
      await expect(item(`${site}, 1`)).toBeVisible();
      await expect(item(text.ungrouped)).toHaveAccessibleName(/0$/);

      await deleteSite();
      await expect(page).toHaveURL(address);
      await showTree();
      await expect(item(text.ungrouped)).toHaveAccessibleName(/1$/);
      await expect(page.getByRole('treeitem', { name: site })).toHaveCount(0);

      await page.goto(`${server.url}/organizations/${organization.id}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle').catch(() => {});
      await closeToasts(page);
      await expectAccessible(page);
    });
  });
}
