import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { consoleTexts } from './console-texts.ts';
import { type Device, expect, type Installation, test } from './installation.ts';
import { hashDownload, logIn } from './steps.ts';

async function openTerminal(page: Page, installation: Installation, device: Device): Promise<void> {
  const { server, ssh } = installation;
  await device.claim();
  await logIn(page, installation);
  await page.goto(`${server.url}/connect/ssh/${device.serialNumber}/`);
  await fillKey(page, ssh.user, ssh.clientKey.privateKey);
  await expect(page.getByRole('button', { name: 'Disconnect' })).toBeVisible();
}

async function fillKey(page: Page, user: string, privateKey: string): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill(user);
  await page.getByText('By key', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Private key' }).fill(privateKey);
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

async function type(page: Page, { serialNumber }: Device, text: string): Promise<void> {
  const input = page.getByRole('textbox', { name: `${serialNumber} terminal` });
  await input.focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('a lost connection is found again in mid-output, with the same shell', async ({
  page,
  installation,
  device,
}) => {
  // Playwright stands between page and server, so that it can cut the connection.
  let cut = () => Promise.resolve();
  let connections = 0;
  await page.routeWebSocket(/ssh-terminal/, (socket) => {
    connections += 1;
    const server = socket.connectToServer();
    cut = async () => {
      await server.close({ code: 3001 });
      await socket.close({ code: 3001 });
    };
  });
  await openTerminal(page, installation, device);
  await type(page, device, 'secret=$((6*7)); for i in $(seq 40); do echo "line $i"; sleep 0.05; done');
  await expect(page.getByText('line 3', { exact: true })).toBeVisible();
  await cut();
  await expect(page.getByText('line 40', { exact: true })).toBeVisible();
  expect(connections).toBe(2);
  await type(page, device, 'clear; echo "the secret is $secret"');
  await expect(page.getByText('the secret is 42')).toBeVisible();
});

test('a controller that goes offline and comes back has its terminal again by itself', async ({
  page,
  installation,
  device,
}) => {
  await openTerminal(page, installation, device);
  await type(page, device, 'echo before');
  await device.agent.halt();
  await expect(page.getByText(consoleTexts.en.tunnels.end.away)).toBeVisible();
  await device.agent.start();
  await expect(page.getByRole('button', { name: 'Disconnect' })).toBeVisible();
  await type(page, device, 'clear; echo back $((40+2))');
  await expect(page.getByText('back 42')).toBeVisible();
});

test('a shell that floods is stopped by Ctrl+C within a moment', async ({ page, installation, device }) => {
  await openTerminal(page, installation, device);
  await type(page, device, 'yes "a line of a flood that never ends"');
  await expect(page.getByText('a line of a flood that never ends').nth(5)).toBeVisible();
  await page.keyboard.press('Control+c');
  await page.keyboard.type('clear; echo quiet $((40+2))');
  await page.keyboard.press('Enter');
  await expect(page.getByText('quiet 42')).toBeVisible();
});

test('the output is searched, and a second session stands beside the first', async ({
  page,
  installation,
  device,
}) => {
  await openTerminal(page, installation, device);
  await type(page, device, 'for i in 1 2 3; do echo "pump$i started"; done');
  await expect(page.getByText('pump3 started')).toBeVisible();
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('textbox', { name: 'Find in the output' }).fill('pump2');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByRole('tab')).toHaveCount(2);
  const { ssh } = installation;
  await fillKey(page, ssh.user, ssh.clientKey.privateKey);
  await expect(page.getByRole('tab', { name: `2: ${ssh.user}` })).toBeVisible();
  await page.getByRole('tab', { name: `1: ${ssh.user}` }).click();
  await expect(page.getByText('pump3 started')).toBeVisible();
});

test('files go to the controller and back', async ({ page, installation, device }) => {
  const folder = join(installation.ssh.folder, device.serialNumber);
  await mkdir(folder);
  const content = randomBytes(5 * 1024 * 1024);
  const sha256 = createHash('sha256').update(content).digest('hex');
  await openTerminal(page, installation, device);
  await page.getByRole('button', { name: 'Files' }).click();
  const panel = page.getByRole('complementary', { name: 'Files of the controller' });
  await panel.getByRole('textbox', { name: 'Path' }).fill(folder);
  await panel.getByRole('textbox', { name: 'Path' }).press('Enter');
  await expect(panel.getByText('The folder is empty')).toBeVisible();

  const choosing = page.waitForEvent('filechooser');
  await panel.getByRole('button', { name: 'Upload to the controller' }).click();
  await (await choosing).setFiles({
    name: 'firmware.bin',
    mimeType: 'application/octet-stream',
    buffer: content,
  });
  await expect(panel.getByRole('button', { name: 'Download firmware.bin' })).toBeVisible();
  expect(await readFile(join(folder, 'firmware.bin'))).toEqual(content);

  const downloading = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Download firmware.bin' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('firmware.bin');
  expect(await hashDownload(download)).toBe(sha256);

  await writeFile(join(folder, 'firmware.bin'), 'old');
  const again = page.waitForEvent('filechooser');
  await panel.getByRole('button', { name: 'Upload to the controller' }).click();
  await (await again).setFiles({
    name: 'firmware.bin',
    mimeType: 'application/octet-stream',
    buffer: content,
  });
  await page.getByRole('dialog').getByRole('button', { name: 'Keep both' }).click();
  await expect(panel.getByRole('button', { name: 'Download firmware (2).bin' })).toBeVisible();
  expect(await readFile(join(folder, 'firmware.bin'), 'utf8')).toBe('old');
});
