import {
  type HttpClient,
  hashByteSource,
  openSshOptions,
  runCommand,
  WebSocketMessages,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSshProxy } from './open-ssh.ts';
import {
  getController,
  getOrganizationId,
  openWebInterface,
  type Site,
  startSite,
  waitForStatus,
} from './site.ts';

const archiveBytes = 100 * 1024 * 1024;

// The main job by HTTP and OpenSSH clients only. The steps build on each other.
describe.sequential('from an empty installation to a shell on a controller', () => {
  let site: Site;
  let token: string;
  let browser: HttpClient;

  beforeAll(async () => {
    site = await startSite();
  }, 120_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  // spec: 1.04, 3.04, 7.04
  test('the administrator of the first start is logged in and has an organization', async () => {
    const user = await site.api.call('getCurrentUser');
    expect(user.email).toBe(site.server.adminEmail);
    const organizations = await site.api.call('listOrganizations');
    expect(organizations).toMatchObject([{ userRole: 'owner', totpRequired: false }]);
  });

  test('the agent prints its activation link', async () => {
    const activation = await site.agent.waitForActivation();
    expect(activation.url).toBe(`${site.server.url}/controllers?token=${activation.token}`);
    token = activation.token;
  });

  // spec: 4.05, 7.27
  test('the token names the controller', async () => {
    const answer = await site.api.call('validateActivation', { body: { token } });
    expect(answer).toEqual({ controllerSerialNumber: site.serialNumber });
  });

  // spec: 1.02, 1.06, 7.17
  test('claiming puts the controller into the organization, online', async () => {
    const organization = await getOrganizationId(site);
    const claimed = await site.api.call('activateController', { body: { token, organization } });
    expect(claimed).toMatchObject({ serialNumber: site.serialNumber, organization: { id: organization } });
    const controller = await waitForStatus(site, 'online');
    expect(controller.statusReason).toBe('link');
    const page = await site.api.call('listControllers', { query: { organization_id: organization } });
    expect(page).toMatchObject({ count: 1, results: [{ serialNumber: site.serialNumber }] });
  });

  test('the token is used up', async () => {
    const organization = await getOrganizationId(site);
    await expect(
      site.api.call('activateController', { body: { token, organization } }),
    ).rejects.toMatchObject({ status: 400, code: 'activation_token_invalid' });
  });

  // spec: 1.09
  test('the web interface opens on the tunnel host', async () => {
    browser = await openWebInterface(site);
    const page = await browser.request(`${site.tunnelUrl}/`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<h1>Boiler room</h1>');
  });

  test('its WebSocket echoes', async () => {
    const socket = await browser.openWebSocket(`${site.tunnelUrl}/ws`, {
      headers: { origin: site.tunnelUrl },
    });
    const messages = new WebSocketMessages(socket);
    socket.send('привет');
    expect((await messages.next()).data.toString()).toBe('привет');
    socket.close();
    await messages.closed;
  });

  test('100 MB come through unchanged', async () => {
    const answer = await browser.request(`${site.tunnelUrl}/download/${archiveBytes}`);
    expect(answer.headers['content-length']).toBe(String(archiveBytes));
    expect(await answer.hash()).toEqual({ bytes: archiveBytes, sha256: hashByteSource(archiveBytes) });
  }, 60_000);

  // spec: 1.09
  test('stock ssh logs in through the tunnel and runs uname -a', async () => {
    const options = await openSshOptions(site.ssh, openSshProxy(site));
    const { code, stdout, stderr } = await runCommand(
      'ssh',
      [...options, `${site.ssh.user}@device`, 'uname -a'],
      {
        env: { PULT_ACCESS: site.api.access },
      },
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toBe((await runCommand('uname', ['-a'])).stdout);
  });

  test('a controller is offline after its agent has stopped', async () => {
    await site.agent.halt();
    const controller = await waitForStatus(site, 'offline');
    expect(controller.statusReason).toBe('link');
    await expect(openWebInterface(site)).rejects.toMatchObject({ status: 409, code: 'controller_offline' });
  });

  test('a controller is online by itself, still claimed, after its agent has started again', async () => {
    site.agent.start();
    await waitForStatus(site, 'online');
    expect(site.agent.process.hasLine(/activation link/)).toBe(false);
    expect((await getController(site)).organization.id).toBe(await getOrganizationId(site));
  });
});
