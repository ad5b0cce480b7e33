import { createApiClient } from '@pult/testkit';
import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill, type Language } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { closeToasts, logIn } from './steps.ts';
import { variants } from './variants.ts';

function readWords(language: Language) {
  const { access, activation, grants, organizations, shared } = consoleTexts[language];
  const { form } = grants;
  return {
    ...access,
    ...grants,
    form,
    calendar: fill(shared.date.open, { label: form.until }),
    groupToAddTo: activation.group,
    roles: shared.roleName,
    inviteLink: organizations.invites.linkTitle,
    done: organizations.invites.done,
    partHint: organizations.yourRoleInPart.split('.')[0] ?? '',
    endOne: (name: string, place: string) => fill(grants.endOne, { name, place }),
    endTitle: (name: string) => fill(grants.endTitle, { name }),
    whoReaches: (serialNumber: string) => fill(access.whoReaches, { serialNumber }),
  };
}

for (const { language, locale, width, height } of variants) {
  const text = readWords(language);
  const name = `${language}-${width}`;

  test.describe(name, () => {
    test.use({ locale, viewport: { width, height } });

    test(`somebody is invited to a group, sees it alone, and loses it: ${name}`, async ({
      page,
      browser,
      installation,
      device,
    }) => {
      const { server, organization, api } = installation;
      await device.claim();
      const { serialNumber } = device;
      const plant = `Котельная ${name}`;
      const makeGroup = (body: { name: string; parent?: string }) =>
        api.call('createGroup', { body: { ...body, organization: organization.id } });
      const { id: parent } = await makeGroup({ name: `North ${name}` });
      const { id: groupId } = await makeGroup({ name: plant, parent });
      await makeGroup({ name: `South ${name}` });
      await api.call('attachControllers', { params: { groupId }, body: { controllers: [serialNumber] } });
      const email = `tech-${name}@pult.example`;
      const { stdout } = await server.runPult('user', 'add', email);
      const [, password = ''] = /^Password: (.+)$/m.exec(stdout) ?? [];
      const expectRoom = async (of = page) => {
        await closeToasts(of);
        expect(await of.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      };

      await page.addInitScript(`localStorage.setItem('locale', '${language}')`);
      await logIn(page, installation);
      await page.goto(`${server.url}/organizations/${organization.id}/access`);
      await page.getByRole('button', { name: text.give, exact: true }).click();
      const form = page.getByRole('dialog', { name: text.giveTitle });
      await form.getByLabel(text.form.where).selectOption('group');
      await form.getByRole('button', { name: text.give, exact: true }).click();
      await expect(form.getByText(text.form.personRequired)).toBeVisible();
      await expect(form.getByText(text.form.groupRequired)).toBeVisible();
      await form.getByRole('combobox', { name: text.form.person }).fill(email);
      await form.getByRole('combobox', { name: text.form.group }).fill(plant);
      await page.getByRole('option', { name: plant }).click();
      const until = form.getByLabel(text.form.until, { exact: true });
      await until.fill(language === 'ru' ? '01.05.2031 18:00' : '1 May 2031 18:00');
      await expectAccessible(page, '[role=dialog]');
      await expectRoom();
      // By the keyboard alone.
      await form.getByRole('button', { name: text.calendar }).press('Enter');
      const day = (date: number) => (language === 'ru' ? `${date} мая 2031` : `${date} May 2031`);
      await expect(page.getByRole('button', { name: day(1), exact: true })).toBeFocused();
      await expectAccessible(page, '[data-calendar]');
      await page.keyboard.press('ArrowRight');
      await expect(page.getByRole('button', { name: day(2), exact: true })).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(until).toHaveValue(language === 'ru' ? '02.05.2031 18:00' : '2 May 2031 18:00');
      await form.getByRole('button', { name: text.calendar }).press('Enter');
      await expect(page.getByRole('button', { name: day(2), exact: true })).toBeFocused();
      // The calendar closes, and not what it stands in.
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: day(2), exact: true })).toHaveCount(0);
      await expect(form).toBeVisible();
      await form.getByRole('button', { name: text.give, exact: true }).click();

      const made = page.getByRole('dialog', { name: text.inviteLink });
      const link = (await made.getByText(/\/invite\?token=/).textContent()) ?? '';
      await made.getByRole('button', { name: text.done }).click();
      const guestApi = await createApiClient({ baseUrl: server.url, username: email, password });
      const token = new URL(link).searchParams.get('token') ?? '';
      const joined = await guestApi.call('acceptInvite', { body: { organizationInviteToken: token } });
      expect(joined).toMatchObject({ isPartial: true, userRole: 'member' });

      const guest = await (await browser.newContext({ locale, viewport: { width, height } })).newPage();
      await guest.addInitScript(`localStorage.setItem('locale', '${language}')`);
      await logIn(guest, {
        ...installation,
        server: { ...server, adminEmail: email, adminPassword: password },
      });
      await guest.goto(`${server.url}/organizations/${organization.id}`);
      await expect(guest.getByText(new RegExp(`^${text.partHint}`)).first()).toBeVisible();
      await expectRoom(guest);
      await guest.goto(`${server.url}/organizations/${organization.id}/controllers`);
      await expect(guest.getByText(serialNumber).first()).toBeVisible();
      await expect(guest.getByText(`South ${name}`)).toHaveCount(0);
      await expectRoom(guest);
      await guest.goto(`${server.url}/organizations/${organization.id}/access`);
      await expect(guest.getByText(text.adminsOnly)).toBeVisible();
      await guest.goto(`${server.url}/controllers`);
      await expect(guest.getByRole('combobox', { name: text.groupToAddTo })).toBeVisible();
      await expectRoom(guest);

      await page.reload();
      const table = page.getByRole('table', { name: text.title });
      const row = table.getByRole('row').filter({ hasText: email });
      await expect(row).toContainText(plant);
      await expect(row).toContainText(`North ${name}`);
      await expect(row).toContainText(text.roles.member);
      await expectAccessible(page, 'main');
      await expectRoom();
      await page.getByRole('searchbox', { name: text.controller }).fill(serialNumber.toLowerCase());
      await expect(page.getByText(text.whoReaches(serialNumber))).toBeVisible();
      await expect(row).toContainText(plant);
      await expectRoom();
      await page.getByRole('searchbox', { name: text.search }).fill(email);
      await expect(table.getByRole('rowheader')).toHaveText([email]);

      await row.getByRole('button', { name: email, exact: true }).click();
      const details = page.getByRole('dialog', { name: email });
      await expect(details).toContainText(plant);
      await expectAccessible(page, '[role=dialog]');
      await expectRoom();
      await details.getByRole('button', { name: text.endOne(email, plant) }).click();
      const ending = page.getByRole('dialog', { name: text.endTitle(email) });
      await expectRoom();
      await ending.getByRole('button', { name: text.end, exact: true }).click();
      await expect(row).toHaveCount(0);
      expect(await guestApi.call('listOrganizations')).toEqual([]);
    });
  });
}
