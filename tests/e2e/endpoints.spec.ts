import { expect, test } from './installation.ts';
import { logIn } from './steps.ts';

test('a web service on another port is named in the settings and opened from the overview', async ({
  page,
  installation,
  device,
}) => {
  const { server, web, organization } = installation;
  const { serialNumber } = device;
  const port = web.address.split(':')[1] ?? '';
  await device.claim();
  await logIn(page, installation);
  await page.goto(`${server.url}/organizations/${organization.id}/controllers/${serialNumber}?tab=settings`);

  await page.getByRole('button', { name: 'Add service' }).click();
  const dialog = page.getByRole('dialog', { name: 'New web service' });
  await dialog.getByLabel('Name').fill('Node-RED');
  await dialog.getByLabel('Port on the device').fill(port);
  await dialog.getByRole('button', { name: 'Add service' }).click();
  const list = page.getByRole('list', { name: 'Web services of the controller' });
  await expect(list.getByText(`port ${port}`)).toBeVisible();
  await expect(dialog).toBeHidden();

  await page.getByRole('tab', { name: 'Overview' }).click();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Node-RED' }).click();
  const service = await opened;
  const host = `${serialNumber.toLowerCase()}--${port}.http.localhost:${server.port}`;
  await service.waitForURL(`http://${host}/`);
  await expect(service.getByRole('heading', { name: 'Boiler room' })).toBeVisible();

  // A deep link comes back to its path once the tunnel is open.
  await service.context().clearCookies({ domain: new URL(`http://${host}`).hostname });
  await service.goto(`http://${host}/headers?page=2`);
  await service.waitForURL(`http://${host}/headers?page=2`);
  await expect(service.getByText('"url":"/headers?page=2"')).toBeVisible();
});
