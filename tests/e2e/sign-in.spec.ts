import { type IdentityProvider, startIdentityProvider, startServerProcess } from '@pult/testkit';
import { expectAccessible } from './accessible.ts';
import { consoleTexts, fill } from './console-texts.ts';
import { expect, test } from './installation.ts';

const callback = (url: string, provider: string) => `${url}/api/v1/auth/providers/${provider}/callback/`;

async function startPeer(): Promise<IdentityProvider> {
  return startIdentityProvider({ redirectUris: ['http://localhost/'], isRefreshing: true });
}

test('somebody signs in by the provider of the installation, and links it to the account they have', async ({
  page,
}) => {
  const { accounts, signIn } = consoleTexts.en;
  await using peer = await startPeer();
  const { issuer, clientId, clientSecret } = peer;
  const server = await startServerProcess({
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Example ID',
    },
  });
  await using _ = { [Symbol.asyncDispose]: () => server.stop() };
  peer.addRedirectUri(callback(server.url, 'installation'));
  const button = page.getByRole('button', { name: fill(accounts.signIn.with, { name: 'Example ID' }) });

  peer.account = { subject: 'new', claims: { email: 'new@example.com', email_verified: true } };
  await page.goto(`${server.url}/login?redirect=/security`);
  await button.click();
  await expect(page).toHaveURL(`${server.url}/security`);
  await expect(page.getByRole('region', { name: signIn.identities.title })).toContainText(issuer);
  await expectAccessible(page, 'main');

  await page.context().clearCookies();
  await page.evaluate('localStorage.clear()');
  peer.account = { subject: 'admin', claims: { email: server.adminEmail, email_verified: true } };
  await page.goto(`${server.url}/login`);
  await button.click();
  const brand = { brand: 'Pult', name: 'Example ID' };
  await expect(page.getByRole('heading', { name: fill(signIn.link.title, brand) })).toBeVisible();
  await expect(page.getByRole('textbox', { name: accounts.login.email })).toHaveValue(server.adminEmail);
  await expectAccessible(page, 'main');
  await page.getByRole('textbox', { name: accounts.login.password }).fill('wrong password');
  await page.getByRole('button', { name: signIn.link.submit }).click();
  await expect(page.getByText(accounts.login.wrong)).toBeVisible();
  await page.getByRole('textbox', { name: accounts.login.password }).fill(server.adminPassword);
  await page.getByRole('button', { name: signIn.link.submit }).click();
  await expect(page.getByRole('navigation').first()).toBeVisible();

  // Somebody who gives up there is told so here.
  await page.context().clearCookies();
  await page.evaluate('localStorage.clear()');
  peer.account = undefined;
  await page.goto(`${server.url}/login`);
  await button.click();
  await expect(page.getByText('The sign-in was cancelled at the provider.')).toBeVisible();
  await expectAccessible(page, 'main');
});

for (const [locale, width] of [
  ['en', 1280],
  ['ru', 360],
] as const) {
  // The whole of it once, where there is the least room; the pages of the provider on a desk are seen above.
  const isWhole = locale === 'ru';
  test(`an owner sets up the sign-in of an organization, and a colleague comes by it (${locale}, ${width} px)`, async ({
    page,
    browser,
  }) => {
    const { organizationSignIn: texts, grants, accounts, signIn } = consoleTexts[locale];
    await using peer = await startPeer();
    const server = await startServerProcess({ env: { OIDC_PRIVATE: 'true' } });
    await using _ = { [Symbol.asyncDispose]: () => server.stop() };
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(`localStorage.setItem('locale', '${locale}')`);
    await page.goto(`${server.url}/login`);
    await page.getByRole('textbox', { name: accounts.login.email }).fill(server.adminEmail);
    await page.getByRole('textbox', { name: accounts.login.password }).fill(server.adminPassword);
    await page.getByRole('button', { name: accounts.login.submit, exact: true }).click();
    await expect(page.getByRole('navigation').first()).toBeVisible();
    const listed = await page.request.get(`${server.url}/api/v1/organizations/`);
    const [{ id } = { id: '' }] = (await listed.json()) as { id: string }[];
    peer.addRedirectUri(callback(server.url, id));
    await page.request.post(`${server.url}/api/v1/groups/`, {
      data: { name: 'North', organization: id },
      headers: { origin: server.url },
    });

    await page.goto(`${server.url}/organizations/${id}/settings/single-sign-on`);
    const section = page.getByRole('region', { name: texts.title });
    await section.getByRole('button', { name: texts.provider.set }).click();
    const form = page.getByRole('dialog', { name: texts.form.title });
    await form.getByRole('textbox', { name: texts.provider.name }).fill('Corp');
    const issuer = form.getByRole('textbox', { name: texts.provider.issuer });
    await form.getByRole('textbox', { name: texts.provider.clientId }).fill(peer.clientId);
    await form.getByLabel(texts.form.clientSecret).fill(peer.clientSecret);
    if (isWhole) {
      await issuer.fill(`${peer.issuer}/wrong`);
      await form.getByRole('button', { name: texts.form.submit }).click();
      await expect(issuer).toHaveAttribute('aria-invalid', 'true');
    }
    await expectAccessible(page, '[role="dialog"]');
    await issuer.fill(peer.issuer);
    await form.getByRole('button', { name: texts.form.submit }).click();
    await expect(section).toContainText(`${server.url}/login/organization/${id}`);

    await section.getByRole('button', { name: texts.groups.add }).click();
    const rule = page.getByRole('dialog', { name: texts.groups.addTitle });
    await rule.getByRole('textbox', { name: texts.groups.group }).fill('technicians');
    await rule.getByRole('combobox', { name: grants.form.group, exact: true }).click();
    await page.getByRole('option', { name: 'North' }).click();
    await rule.getByRole('button', { name: texts.groups.addSubmit }).click();
    await section.getByRole('button', { name: texts.groups.previewAndSave }).click();
    const preview = page.getByRole('dialog', { name: texts.preview.title });
    await expect(preview).toContainText('technicians');
    await expectAccessible(page, '[role="dialog"]');
    await preview.getByRole('button', { name: texts.preview.save }).click();
    await expect(section.getByRole('button', { name: texts.groups.previewAndSave })).toHaveCount(0);
    await expectAccessible(page, 'main');
    if (!isWhole) return;

    const { stdout } = await server.runPult('user', 'add', 'colleague@example.com');
    const password = /^Password: (.+)$/m.exec(stdout)?.[1] ?? '';
    const colleague = await browser.newContext({ viewport: { width, height: 800 } });
    await colleague.addInitScript(`localStorage.setItem('locale', '${locale}')`);
    const own = await colleague.newPage();
    peer.account = { subject: 'colleague', claims: { groups: ['technicians'] } };
    await own.goto(`${server.url}/login/organization/${id}`);
    await own.getByRole('button', { name: fill(accounts.signIn.with, { name: 'Corp' }) }).click();
    await own.getByRole('textbox', { name: accounts.login.email }).fill('colleague@example.com');
    await own.getByRole('textbox', { name: accounts.login.password }).fill(password);
    await own.getByRole('button', { name: signIn.link.submit }).click();
    await expect(own.getByRole('navigation').first()).toBeVisible();
    await own.goto(`${server.url}/security`);
    await expect(own.getByRole('heading', { name: signIn.signedInto.title })).toBeVisible();
    await expectAccessible(own, 'main');
    await colleague.close();
  });
}
