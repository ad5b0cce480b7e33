import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { createTotpCode, type ServerProcess } from '@pult/testkit';
import { expect, test } from './installation.ts';
import { peopleWords } from './people-words.ts';
import { variants } from './variants.ts';

const password = 'seven green kettles';
const newPassword = 'eight blue kettles';

/** A code that has not been used: the next step is accepted early, the one before may have been. */
const nextCode = (secret: string) => createTotpCode(secret, new Date(Date.now() + 30_000));

/** An account of one who belongs to nothing yet. */
async function addUser(server: ServerProcess, email: string): Promise<string> {
  const { stdout } = await server.runPult('user', 'add', email);
  const [, made] = /^Password: (.+)$/m.exec(stdout) ?? [];
  if (made === undefined) throw new Error('no password was printed');
  return made;
}

/** The newest mail of a kind, as the administrator of a server without SMTP reads it. */
async function readMail(server: ServerProcess, kind: string, recipient: string): Promise<string> {
  const { stdout: list } = await server.runPult('mail', 'list');
  const line = list.split('\n').find((each) => each.includes(kind) && each.includes(recipient)) ?? '';
  const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(line) ?? [];
  if (id === undefined) throw new Error(`no ${kind} for ${recipient} in:\n${list}`);
  return (await server.runPult('mail', 'show', id)).stdout;
}

for (const { language, locale, width, height } of variants) {
  const text = peopleWords[language];
  const name = `${language}-${width}`;
  // The whole of it once, where there is the least room. Second factors on a desk: accessibility.spec.ts and passkeys.spec.ts.
  const isWhole = language === 'ru';
  const organization = `Тепло & Co ${name}`;
  const ownerEmail = `owner-${name}@pult.example`;
  const guestEmail = `guest-${name}@pult.example`;
  const lateEmail = `late-${name}@pult.example`;

  const openBrowser = async (browser: Browser): Promise<Page> =>
    (await browser.newContext({ locale, viewport: { width, height } })).newPage();

  const enterPassword = async (page: Page, email: string, value: string) => {
    await page.getByRole('textbox', { name: text.email, exact: true }).fill(email);
    await page.getByLabel(text.password, { exact: true }).fill(value);
    await page.getByRole('button', { name: text.logIn, exact: true }).click();
  };

  const logOut = async (page: Page) => {
    await page.getByRole('button', { name: text.account }).click();
    await page.getByRole('button', { name: text.logOut, exact: true }).click();
    await expect(page).toHaveURL(/\/login/);
  };

  const enterRecoveryCode = async (page: Page, code: string | undefined) => {
    await expect(page.getByRole('heading', { name: text.confirmLogin })).toBeVisible();
    await page.getByRole('button', { name: text.useRecoveryCode }).click();
    await page.getByRole('textbox', { name: text.recoveryCode }).fill(code ?? '');
    await page.getByRole('button', { name: text.logIn, exact: true }).click();
    await expect(page).not.toHaveURL(/\/login/);
  };

  /** Turns the second factor on; the secret and the recovery codes, as they were downloaded. */
  const turnTotpOn = async (page: Page, origin: string) => {
    await page.goto(`${origin}/organizations`);
    await page.getByRole('button', { name: text.account }).click();
    await page.getByRole('link', { name: text.security, exact: true }).click();
    await page.getByRole('button', { name: text.turnOn, exact: true }).click();
    const setUp = page.getByRole('dialog', { name: text.turnOnTitle });
    const secret = (await setUp.getByText(/^[A-Z2-7]{26,}$/).textContent()) ?? '';
    await setUp.getByRole('textbox', { name: text.appCode }).fill(createTotpCode(secret));
    const codes = page.getByRole('dialog', { name: text.recoveryCodes });
    await expect(codes.getByRole('listitem')).toHaveCount(10);
    const shown = await codes.getByRole('listitem').allTextContents();
    // A slip of the way back does not take them away.
    await page.goBack();
    await expect(page).toHaveURL(/\/security$/);
    await expect(codes.getByRole('listitem')).toHaveCount(10);
    const downloading = page.waitForEvent('download');
    await codes.getByRole('button', { name: text.download }).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    for (const code of shown) expect(file).toContain(code);
    await codes.getByRole('checkbox', { name: text.saved }).check();
    await codes.getByRole('button', { name: text.done }).click();
    await expect(page.getByText(text.isOn, { exact: true })).toBeVisible();
    return { secret, recoveryCodes: shown };
  };

  /** The link for one who is invited by the owner. */
  const inviteByOwner = async (page: Page, email: string) => {
    await page.getByRole('button', { name: text.invite, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: text.inviteDialog });
    await dialog.getByRole('combobox', { name: text.invitee }).fill(email);
    await dialog.getByRole('button', { name: text.invite, exact: true }).click();
    const made = page.getByRole('dialog', { name: text.inviteLink });
    const link = (await made.getByText(/\/invite\?token=/).textContent()) ?? '';
    await made.getByRole('button', { name: text.done }).click();
    return link;
  };

  const signUpByInvite = async (page: Page, link: string, email: string) => {
    await page.goto(link);
    await expect(page.getByText(text.invitedTo(organization))).toBeVisible();
    await expect(page.getByRole('textbox', { name: text.email })).toHaveValue(email);
    // The secret of the link does not stay in the address bar.
    expect(page.url()).not.toContain(link.split('token=')[1]);
    await page.getByLabel(text.password, { exact: true }).fill(password);
    await page.getByRole('button', { name: text.signUp, exact: true }).click();
    await expect(page).toHaveURL(/\/organizations/);
  };

  // spec: 1.03, 1.04, 1.05, 2.19, 2.25, 2.26, 2.27, 2.29, 6.01, 6.02, 6.03
  test(`a life in an organization: ${name}`, async ({ browser, installation }) => {
    const { server } = installation;
    const owner = await openBrowser(browser);
    const guest = await openBrowser(browser);
    const late = await openBrowser(browser);
    const ownerPassword = await addUser(server, ownerEmail);

    await test.step('an owner makes an organization', async () => {
      await owner.goto(`${server.url}/login`);
      await enterPassword(owner, ownerEmail, ownerPassword);
      await owner.getByRole('button', { name: text.createOrganization }).first().click();
      const dialog = owner.getByRole('dialog');
      await dialog.getByRole('textbox', { name: text.name }).fill(organization);
      await dialog.getByRole('button', { name: text.create, exact: true }).click();
      await expect(owner).toHaveURL(/\/organizations\/[0-9a-f-]{36}/);
    });
    const [, organizationId] = /\/organizations\/([0-9a-f-]{36})/.exec(owner.url()) ?? [];
    const organizationUrl = `${server.url}/organizations/${organizationId}`;

    await test.step('a guest is invited and signs up', async () => {
      await owner.goto(`${organizationUrl}/access`);
      const link = await inviteByOwner(owner, guestEmail);
      await signUpByInvite(guest, link, guestEmail);
      await guest.goto(organizationUrl);
      await expect(guest.getByRole('navigation').getByRole('button', { name: organization })).toBeVisible();
      // A link that has been used leads nowhere.
      await late.goto(link);
      await expect(late).toHaveURL(/\/login/);
    });

    if (isWhole) {
      const { recoveryCodes } = await test.step('the guest turns the second factor on', () =>
        turnTotpOn(guest, server.url));

      await test.step('loses the phone and comes in by a recovery code', async () => {
        await logOut(guest);
        await enterPassword(guest, guestEmail, password);
        await enterRecoveryCode(guest, recoveryCodes[0]);
      });

      await test.step('forgets the password and sets another one; the second factor is asked for all the same', async () => {
        await logOut(guest);
        await guest.getByRole('link', { name: text.forgot }).click();
        // Both pages have such a field.
        await expect(guest).toHaveURL(/\/password-reset\//);
        await expect(guest.getByRole('button', { name: text.sendLink })).toBeVisible();
        await guest.getByRole('textbox', { name: text.email }).fill(guestEmail);
        await guest.getByRole('button', { name: text.sendLink }).click();
        await expect(guest.getByRole('heading', { name: text.askAdministrator })).toBeVisible();
        const mail = await readMail(server, 'password-reset', guestEmail);
        const [link = ''] = /http\S+\/password-reset\/\S+/.exec(mail) ?? [];
        await guest.goto(link);
        await guest.getByLabel(text.newPassword, { exact: true }).fill(newPassword);
        await guest.getByRole('button', { name: text.setPassword }).click();
        await expect(guest).toHaveURL(/\/login/);
        await enterPassword(guest, guestEmail, newPassword);
        await enterRecoveryCode(guest, recoveryCodes[1]);
      });
    }

    await test.step('the owner makes the guest an administrator', async () => {
      await owner.goto(`${organizationUrl}/access`);
      await owner.getByRole('button', { name: guestEmail, exact: true }).click();
      await owner.getByRole('button', { name: text.changeRole(guestEmail, text.roles.member) }).click();
      await owner.getByRole('menuitem', { name: new RegExp(`^${text.roles.admin}`, 'i') }).click();
      await expect(owner.getByText(text.roleChanged, { exact: true })).toBeVisible();
      await owner.keyboard.press('Escape');
      await expect(owner.getByRole('dialog')).toHaveCount(0);
      await guest.goto(`${organizationUrl}/access`);
      await expect(guest.getByRole('button', { name: text.invite, exact: true })).toBeEnabled();
    });

    if (isWhole) {
      await test.step('a second factor is required, and a member without one is told why and can leave', async () => {
        await signUpByInvite(late, await inviteByOwner(owner, lateEmail), lateEmail);
        const { secret } = await turnTotpOn(owner, server.url);
        await owner.goto(`${organizationUrl}/settings/security`);
        await owner.getByRole('switch', { name: text.require }).click();
        await owner.getByRole('button', { name: text.requireConfirm, exact: true }).click();
        const confirmation = owner.getByRole('dialog', { name: text.confirmAction });
        await confirmation.getByRole('textbox', { name: text.code }).fill(nextCode(secret));
        await expect(owner.getByText(text.required, { exact: true })).toBeVisible();

        await late.goto(`${organizationUrl}/controllers`);
        await expect(late).toHaveURL(`${server.url}/security`);
        await expect(late.getByText(text.requiresBanner(organization))).toBeVisible();
        await late.goto(`${server.url}/organizations`);
        await late.getByRole('button', { name: text.actions(organization) }).click();
        await late.getByRole('menuitem', { name: text.leave }).click();
        await late.getByRole('dialog').getByRole('button', { name: text.leaveConfirm, exact: true }).click();
        await expect(late.getByText(text.left)).toBeVisible();
        await expect(late.getByText(text.noOrganizations)).toBeVisible();
      });
    }

    await test.step('a member who is removed finds the organization gone', async () => {
      await owner.goto(`${organizationUrl}/access`);
      await owner.getByRole('button', { name: guestEmail, exact: true }).click();
      await owner.getByRole('button', { name: text.remove(guestEmail), exact: true }).click();
      const question = owner.getByRole('dialog', { name: text.removeTitle(guestEmail) });
      await question.getByRole('button', { name: text.removeConfirm, exact: true }).click();
      await expect(owner.getByText(text.removed)).toBeVisible();
      await guest.goto(`${organizationUrl}/controllers`);
      await expect(guest.getByText(text.gone)).toBeVisible();
      await expect(guest).toHaveURL(`${server.url}/organizations`);
    });

    for (const page of [owner, guest, late]) await page.context().close();
  });
}
