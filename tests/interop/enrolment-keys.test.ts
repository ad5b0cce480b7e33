import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AgentProcess,
  builtPath,
  makeTempDir,
  poll,
  RunningProcess,
  runCommand,
  startAgentProcess,
} from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { getController, getOrganizationId, openWebInterface, type Site } from './site.ts';

const isRoot = process.getuid?.() === 0;

// The key has two uses: the machines come one after the other.
describe.sequential('an agent with the key of an organization', () => {
  let site: Site;
  let groupId: string;
  let keyId: string;
  let key: string;

  beforeAll(async () => {
    site = await startLightSite();
    const organization = await getOrganizationId(site);
    const group = await site.api.call('createGroup', { body: { name: 'Line 1', organization } });
    groupId = group.id;
    const expiresAt = new Date(Date.now() + 3600_000).toISOString();
    const created = await site.api.call('createEnrolmentKey', {
      params: { organizationId: organization },
      body: { name: 'Batch 1', group: groupId, maxUses: 2, expiresAt },
    });
    ({ id: keyId, key } = created);
  }, 120_000);
  afterAll(() => site?.[Symbol.asyncDispose]());

  const makeSerialNumber = () => `K${String(randomInt(1e9)).padStart(9, '0')}`;
  const start = (serialNumber: string): Promise<AgentProcess> =>
    startAgentProcess({
      serverUrl: site.server.url,
      serialNumber,
      http: site.web.address,
      env: { PULT_ENROLLMENT_KEY: key },
    });
  const toSite = (serialNumber: string): Site => ({
    ...site,
    serialNumber,
    tunnelUrl: `http://${serialNumber.toLowerCase()}.http.localhost:${site.server.port}`,
  });
  const waitUntilOnline = (controller: Site) =>
    poll(
      async () => {
        const found = await getController(controller).catch(() => undefined);
        return found?.status === 'online' && found;
      },
      { what: 'the controller is online' },
    );
  const describeKey = async () => {
    const params = { organizationId: await getOrganizationId(site) };
    const [only] = await site.api.call('listEnrolmentKeys', { params });
    return { uses: only?.uses, state: only?.state };
  };

  test('claims its machine into the group of the key, and its web interface opens', async () => {
    const controller = toSite(makeSerialNumber());
    await using agent = await start(controller.serialNumber);
    await agent.process.waitForLine(/^activated$/);
    expect(await waitUntilOnline(controller)).toMatchObject({ group: { id: groupId } });
    const browser = await openWebInterface(controller);
    const page = await browser.request(`${controller.tunnelUrl}/`);
    expect(await page.text()).toContain('<h1>Boiler room</h1>');
    expect(await describeKey()).toEqual({ uses: 1, state: 'active' });
    expect(agent.process.tail()).not.toContain(key);
  }, 60_000);

  test.skipIf(!isRoot)(
    'claims the machine of an image that was installed with the key',
    async () => {
      await using image = await makeTempDir('image');
      const install = (options: string) =>
        runCommand('sh', ['-c', `curl -fsSL ${site.server.url}/agent/install.sh | sh -s -- ${options}`], {
          env: { PULT_ROOT: image.path },
        });
      const refused = await install(`--enrollment-key 'a"b'`);
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('--enrollment-key has characters'),
      });
      // One that was installed before takes the key along with the settings that it has.
      for (const options of ['', `--enrollment-key ${key}`]) {
        expect(await install(options)).toMatchObject({ code: 0, stderr: '' });
      }
      const config = join(image.path, 'etc/pult-agent.json');
      expect(JSON.parse(await readFile(config, 'utf8'))).toEqual({
        server: site.server.url,
        enrollmentKey: key,
      });
      const controller = toSite(makeSerialNumber());
      const main = join(image.path, 'usr/lib/pult-agent/pult-agent.mjs');
      const options = ['--config', config, '--state-dir', join(image.path, 'state'), '--mqtt', 'off'];
      await using agent = new RunningProcess({
        name: 'agent of an image',
        command: process.execPath,
        args: [main, 'run', '--serial', controller.serialNumber, ...options],
        cwd: image.path,
      });
      await agent.waitForLine(/^activated$/);
      await waitUntilOnline(controller);
      expect(await describeKey()).toEqual({ uses: 2, state: 'used_up' });
    },
    60_000,
  );

  test('shows its link, and the reason, once the key was revoked', async () => {
    const organizationId = await getOrganizationId(site);
    await site.api.call('revokeEnrolmentKey', { params: { organizationId, keyId } });
    await using agent = await start(makeSerialNumber());
    const { token } = await agent.waitForActivation();
    const status = await runCommand(process.execPath, [
      builtPath('apps/agent/dist/pult-agent.mjs'),
      'status',
      ...['--state-dir', agent.stateDir],
    ]);
    expect(status.stdout).toContain('\nenrolment key: not used (The enrolment key was revoked.)\n');
    expect(status.stdout).toContain(`token=${token}\n`);
    expect(status.stdout + agent.process.tail()).not.toContain(key);
  }, 60_000);
});
