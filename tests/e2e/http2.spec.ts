import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import {
  makeTempDir,
  makeTestCertificate,
  ResourceStack,
  startAgentProcess,
  startServerProcess,
  startSshServer,
  startWebServer,
} from '@pult/testkit';
import { consoleTexts, fill } from './console-texts.ts';
import { expect, test } from './installation.ts';
import { fillLogin } from './steps.ts';

const { activation, controllers, tunnelKinds } = consoleTexts.en;

/** A server with TLS of its own, which offers HTTP/2, and a controller that nobody has claimed. */
async function startInstallation(stack: ResourceStack) {
  const folder = stack.use(await makeTempDir('certificate'));
  const certificate = await makeTestCertificate(folder.path, ['localhost', '*.http.localhost']);
  const web = stack.use(await startWebServer());
  const ssh = stack.use(await startSshServer());
  const server = stack.use(await startServerProcess({ certificate, env: { HTTP2: 'on' } }));
  const serialNumber = `E${String(randomInt(1e9)).padStart(9, '0')}`;
  const agent = await startAgentProcess({
    serverUrl: server.url,
    serialNumber,
    http: web.address,
    ssh: ssh.address,
    env: { PULT_CA: certificate.caPath },
  });
  stack.use(agent);
  return { server, ssh, serialNumber, activation: await agent.waitForActivation() };
}

/** By which protocols what a page consists of has come. */
const protocolsOf = (page: Page) =>
  page.evaluate<string[]>(
    `[...new Set(['navigation', 'resource']
      .flatMap((kind) => performance.getEntriesByType(kind))
      .map(({ nextHopProtocol }) => nextHopProtocol))]`,
  );

test.use({ ignoreHTTPSErrors: true });

test('login, claim, web interface and terminal of a server that speaks HTTP/2', async ({ page }) => {
  await using stack = new ResourceStack();
  const { server, ssh, serialNumber, activation: link } = await startInstallation(stack);
  const tunnelUrl = `https://${serialNumber.toLowerCase()}.http.localhost:${server.port}/`;

  await test.step('the console comes by HTTP/2 alone, and events of the fleet with it', async () => {
    await page.goto(link.url);
    await fillLogin(page, { server });
    await page.getByRole('button', { name: activation.activate, exact: true }).click();
    const online = fill(controllers.statusSince.online, { time: '' });
    await expect(page.getByRole('status').filter({ hasText: online })).toBeVisible();
    expect(await protocolsOf(page)).toEqual(['h2']);
  });

  await test.step('the web interface of the controller comes by HTTP/2, its WebSocket beside it', async () => {
    const opening = page.context().waitForEvent('page');
    await page.getByRole('link', { name: tunnelKinds.kind.http.name }).first().click();
    const tunnel = await opening;
    await tunnel.waitForURL(tunnelUrl);
    await expect(tunnel.getByRole('heading', { name: 'Boiler room' })).toBeVisible();
    await expect(tunnel.getByText('Status: connected')).toBeVisible();
    expect(await protocolsOf(tunnel)).toEqual(['h2']);
    await tunnel.close();
  });

  await test.step('the terminal has its WebSocket beside it', async () => {
    await page.goto(`${server.url}/connect/ssh/${serialNumber}/`);
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
