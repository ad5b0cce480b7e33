import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill, type Language } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';
import { crossedVariants } from './variants.ts';

/** What the console says in the palette in one language, by what a test does with it. */
function readWords(language: Language) {
  const { app: shell, palette, controllers, tunnels, tunnelKinds } = consoleTexts[language];
  return {
    search: shell.search,
    title: palette.title,
    recent: palette.section.recent,
    nothing: fill(palette.nothing, { text: 'zzzz' }),
    actionsOf: (serialNumber: string) => fill(palette.actionsOf, { serialNumber }),
    terminal: tunnelKinds.kind.ssh.name,
    offline: controllers.connect.offline,
    command: palette.command.dark,
    user: tunnels.form.username,
  };
}

/** What is looked for, and by which words. */
const things = {
  en: {
    description: 'Boiler room, Main street 5',
    word: 'main boiler',
    group: 'North cellar',
    organization: 'School 5',
  },
  ru: {
    description: 'Котельная, Ленина 5',
    word: 'ленина котельная',
    group: 'Северный подвал',
    organization: 'Школа № 5',
  },
} as const;

for (const { language, locale, width, height } of crossedVariants) {
  const text = readWords(language);
  const thing = things[language];
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    test(`everything is found and acted on from anywhere: ${name}`, async ({
      page,
      installation,
      device,
    }) => {
      const { server, organization, api } = installation;
      const { serialNumber } = device;
      await device.claim();
      await api.call('updateController', {
        params: { serialNumber },
        body: { description: thing.description },
      });
      const other = await api.call('createOrganization', { body: { name: thing.organization } });
      const group = await api.call('createGroup', { body: { name: thing.group, organization: other.id } });

      const dialog = page.getByRole('dialog', { name: text.title });
      const field = dialog.getByRole('combobox');
      const option = (label: string | RegExp) => dialog.getByRole('option', { name: label });
      const open = async () => {
        // The button is there at any size; the keys are tried below.
        await page.getByRole('button', { name: text.search, exact: true }).click();
        await expect(field).toBeFocused();
      };

      await logIn(page, installation);
      await page.goto(`${server.url}/security`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const controllerUrl = `${server.url}/organizations/${organization.id}/controllers/${serialNumber}`;

      await test.step('a serial number in lower case with spaces around, and Enter at once', async () => {
        await page.keyboard.press('Control+k');
        await expect(field).toBeFocused();
        await field.pressSequentially(`  ${serialNumber.toLowerCase()} `);
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL(controllerUrl);
        await expect(dialog).toBeHidden();
      });

      await test.step('the controllers opened last come first', async () => {
        await open();
        await expect(dialog.getByText(text.recent)).toBeVisible();
        await expect(option(new RegExp(`^${serialNumber}`))).toBeVisible();
        await expectAccessible(page, '[role=dialog]');
      });

      await test.step('words of the description, and what can be done', async () => {
        await field.fill(thing.word);
        const found = option(new RegExp(`^${serialNumber}.*${thing.description}.*${organization.name}`));
        await expect(found).toHaveAttribute('aria-selected', 'true');
        await expectAccessible(page, '[role=dialog]');
        await page.keyboard.press('ArrowRight');
        await expect(field).toHaveAccessibleName(text.actionsOf(serialNumber));
        await expect(option(text.terminal)).toBeVisible();
        await expectAccessible(page, '[role=dialog]');
        await page.keyboard.press('Escape');
        await expect(field).toHaveValue(thing.word);
      });

      // By keys, which a phone has none of, to where the pages are the same.
      if (width > 1200) {
        await test.step('the web interface opens in a tab of its own, by its keys', async () => {
          const opened = page.context().waitForEvent('page');
          await page.keyboard.press('Control+Enter');
          const web = await opened;
          await web.waitForURL(`http://${serialNumber.toLowerCase()}.http.localhost:${server.port}/`);
          await expect(web.getByRole('heading', { name: 'Boiler room' })).toBeVisible();
          await web.close();
          await expect(dialog).toBeHidden();
        });

        await test.step('the terminal opens by its keys', async () => {
          await open();
          await field.fill(serialNumber);
          await expect(option(new RegExp(`^${serialNumber}`))).toBeVisible();
          await page.keyboard.press('Alt+Enter');
          await expect(page).toHaveURL(`${server.url}/connect/ssh/${serialNumber}/`);
          await expect(page.getByRole('textbox', { name: text.user })).toBeVisible();
          await page.goto(controllerUrl);
        });

        await test.step('a group of another organization leads to its list', async () => {
          await open();
          await field.fill(thing.group.toUpperCase());
          await option(new RegExp(`^${thing.group}`)).click();
          await expect(page).toHaveURL(
            `${server.url}/organizations/${other.id}/controllers?group_ids=${group.id}`,
          );
        });

        await test.step('other organizations and commands', async () => {
          await open();
          await field.fill(organization.name);
          await option(organization.name).click();
          await expect(page).toHaveURL(`${server.url}/organizations/${organization.id}/controllers`);
          await open();
          await field.fill(text.command);
          await page.keyboard.press('Enter');
          await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
        });
      } else await page.keyboard.press('Escape');

      await test.step('nothing found is said', async () => {
        await open();
        await field.fill('zzzz');
        await expect(dialog.getByText(text.nothing)).toBeVisible();
        await page.keyboard.press('Escape');
      });

      await test.step('tunnels of an offline controller stay closed, with the reason', async () => {
        await device.agent.halt();
        await device.waitForStatus('offline');
        await open();
        await field.fill(serialNumber);
        await expect(option(new RegExp(`^${serialNumber}.*`))).toBeVisible();
        await page.keyboard.press('Control+Enter');
        await expect(dialog.getByRole('status').filter({ hasText: text.offline })).toBeVisible();
        await expectAccessible(page, '[role=dialog]');
        expect(page.context().pages()).toHaveLength(1);
        await page.keyboard.press('Escape');
      });

      await api.call('deleteOrganization', { params: { organizationId: other.id } });
    });
  });
}
