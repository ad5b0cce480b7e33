import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';

test('connected people are seen, and ended by an admin: the terminal says so at once', async ({
  page,
  context,
  installation,
  device,
}) => {
  const { server, ssh, organization } = installation;
  await device.claim();
  await logIn(page, installation);
  await page.goto(`${server.url}/connect/ssh/${device.serialNumber}/`);
  await page.getByRole('textbox', { name: 'User' }).fill(ssh.user);
  await page.getByText('By key', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Private key' }).fill(ssh.clientKey.privateKey);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(ssh.hostKey.fingerprint)).toBeVisible();

  const other = await context.newPage();
  await other.goto(`${server.url}/organizations/${organization.id}/connections`);
  const row = other.getByRole('row').filter({ hasText: device.serialNumber });
  await expect(row).toContainText('Terminal');
  await row.getByRole('button', { name: /^End connection:/ }).click();
  await other.getByRole('button', { name: 'End connection', exact: true }).click();
  await expect(other.getByText('Connection ended')).toBeVisible();
  await expect(row).toHaveCount(0);
  await expect(page.getByText('An admin of the organization ended this terminal.').first()).toBeVisible();
  await other.getByText('History', { exact: true }).click();
  await expect(row.first()).toContainText('Ended by');
});
