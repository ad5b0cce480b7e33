import type { Page } from '@playwright/test';
import { startPasswordSshServer } from '@pult/testkit';
import { expect, startDevice, test } from './installation.ts';
import { logIn } from './steps.ts';

async function fillKey(page: Page, user: string, privateKey: string): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill(user);
  await page.getByText('By key', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Private key' }).fill(privateKey);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

test('the web interface of an offline controller opens by itself when it is back', async ({
  page,
  installation,
  device,
}) => {
  const { server } = installation;
  await device.claim();
  await device.agent.halt();
  await device.waitForStatus('offline');
  await logIn(page, installation);
  await page.goto(`${server.url}/connect/http/${device.serialNumber.toLowerCase()}/`);
  await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible();
  device.agent.start();
  await page.waitForURL(`http://${device.serialNumber.toLowerCase()}.http.localhost:${server.port}/`);
  await expect(page.getByRole('heading', { name: 'Boiler room' })).toBeVisible();
});

test('a changed host key stops the login and shows both fingerprints', async ({
  page,
  installation,
  device,
}) => {
  const { server, ssh } = installation;
  await device.claim();
  await logIn(page, installation);
  await page.goto(`${server.url}/connect/ssh/${device.serialNumber}/`);
  await fillKey(page, ssh.user, ssh.clientKey.privateKey);
  const pinned = ssh.hostKey.fingerprint;
  await expect(page.getByText(pinned)).toBeVisible();
  await ssh.replaceHostKey();
  await page.reload();
  await fillKey(page, ssh.user, ssh.clientKey.privateKey);
  await expect(page.getByText('The host key has changed').first()).toBeVisible();
  await expect(page.getByText(pinned)).toBeVisible();
  await expect(page.getByText(ssh.hostKey.fingerprint)).toBeVisible();
});

test('a key the device does not know is told in the form, which keeps what was typed', async ({
  page,
  installation,
  device,
}) => {
  await device.claim();
  await logIn(page, installation);
  await page.goto(`${installation.server.url}/connect/ssh/${device.serialNumber}/`);
  await fillKey(page, 'nobody-here', installation.ssh.clientKey.privateKey);
  await expect(page.getByText('did not accept the user name, password or key')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'User' })).toHaveValue('nobody-here');
});

test('a device that asks questions gets the answers', async ({ page, installation }) => {
  const ssh = await startPasswordSshServer({ method: 'keyboard-interactive' });
  const device = await startDevice(installation, { ssh: ssh.address });
  try {
    await device.claim();
    await logIn(page, installation);
    await page.goto(`${installation.server.url}/connect/ssh/${device.serialNumber}/`);
    await page.getByRole('textbox', { name: 'User' }).fill(ssh.user);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByLabel('Password:').fill(ssh.password);
    await page.getByLabel('Code:').fill('123456');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('button', { name: 'Disconnect' })).toBeVisible();
    await page
      .getByRole('textbox', { name: `${device.serialNumber} terminal` })
      .pressSequentially('echo sum $((40+2))\n');
    await expect(page.getByText('sum 42')).toBeVisible();
  } finally {
    await device[Symbol.asyncDispose]();
    await ssh.stop();
  }
});
