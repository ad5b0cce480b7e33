import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  freePort,
  makeTempDir,
  makeTestCertificate,
  ResourceStack,
  startAgentProcess,
  startHaproxy,
  startNginx,
  startServerProcess,
  startSshServer,
  startWebServer,
} from '@pult/testkit';
import { readHaproxy, readNginx } from '../interop/shipped-proxies.ts';
import { consoleTexts, fill } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { fillLogin } from './steps.ts';

const { activation, controllers, tunnelKinds } = consoleTexts.en;

const proxies = {
  nginx: { read: readNginx, start: startNginx },
  HAProxy: { read: readHaproxy, start: startHaproxy },
};

/** A server behind one of the shipped proxies, and a controller that nobody has claimed. */
async function startInstallation(stack: ResourceStack, { read, start }: (typeof proxies)['nginx']) {
  const folder = stack.use(await makeTempDir('certificate'));
  const certificate = await makeTestCertificate(folder.path, ['localhost', '*.http.localhost']);
  const web = stack.use(await startWebServer());
  const ssh = stack.use(await startSshServer());
  const port = await freePort();
  const url = `https://localhost:${port}`;
  const env = { PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1' };
  const server = stack.use(await startServerProcess({ env }));
  stack.use(await start(await read({ port, upstreamPort: server.port, certificate }), port));
  const serialNumber = `E${String(randomInt(1e9)).padStart(9, '0')}`;
  const agent = await startAgentProcess({
    serverUrl: url,
    serialNumber,
    http: web.address,
    ssh: ssh.address,
    env: { PULT_CA: certificate.caPath },
  });
  stack.use(agent);
  return { url, port, server, ssh, serialNumber, activation: await agent.waitForActivation() };
}

/** By which protocols what a page consists of has come. */
const protocolsOf = (page: Page) =>
  page.evaluate<string[]>(
    `[...new Set(['navigation', 'resource']
      .flatMap((kind) => performance.getEntriesByType(kind))
      .map(({ nextHopProtocol }) => nextHopProtocol))]`,
  );

test.use({ ignoreHTTPSErrors: true });

for (const [name, proxy] of Object.entries(proxies)) {
  test(`login, claim, web interface and terminal behind ${name}, which speaks HTTP/2`, async ({ page }) => {
    await using stack = new ResourceStack();
    const { url, port, server, ssh, serialNumber, activation: link } = await startInstallation(stack, proxy);
    const tunnelUrl = `https://${serialNumber.toLowerCase()}.http.localhost:${port}/`;

    await test.step('the console comes by HTTP/2 alone, and events of the fleet with it', async () => {
      await page.goto(link.url);
      await fillLogin(page, { server });
      await page.getByRole('button', { name: activation.activate, exact: true }).click();
      const online = fill(controllers.statusSince.online, { time: '' });
      await expect(page.getByRole('status').filter({ hasText: online })).toBeVisible();
      expect(await protocolsOf(page)).toEqual(['h2']);
    });

    await test.step('the web interface of the controller comes by HTTP/2, and its WebSocket as the proxy has it', async () => {
      const opening = page.context().waitForEvent('page');
      await page.getByRole('link', { name: tunnelKinds.kind.http.name }).first().click();
      const tunnel = await opening;
      await tunnel.waitForURL(tunnelUrl);
      await expect(tunnel.getByRole('heading', { name: 'Boiler room' })).toBeVisible();
      await expect(tunnel.getByText('Status: connected')).toBeVisible();
      expect(await protocolsOf(tunnel)).toEqual(['h2']);
      await tunnel.close();
    });

    await test.step('the terminal has its WebSocket too', async () => {
      await page.goto(`${url}/connect/ssh/${serialNumber}/`);
      await page.getByRole('textbox', { name: 'User' }).fill(ssh.user);
      await page.getByText('By key', { exact: true }).click();
      await page.getByRole('textbox', { name: 'Private key' }).fill(ssh.clientKey.privateKey);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await expect(page.getByRole('button', { name: 'Disconnect' })).toBeVisible();
      await page.getByRole('textbox', { name: `${serialNumber} terminal` }).focus();
      await page.keyboard.type('clear; echo "made of $((6*7))"');
      await page.keyboard.press('Enter');
      await expect(page.getByText('made of 42', { exact: true })).toBeVisible();
    });
  });
}
