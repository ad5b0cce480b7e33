import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AgentProcess,
  builtPath,
  createApiClient,
  HttpClient,
  makeTempDir,
  poll,
  runCommand,
  type ServerProcess,
  startAgentProcess,
  startServerProcess,
  type TempDir,
} from '@pult/testkit';
import { testCertificate } from '@pult/testkit/certificates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const isMissing = !existsSync(library);
const title = `a device without a clock of its own, which starts in 1970${isMissing ? ' (not here: faketime is missing)' : ''}`;

/** All that the agent and its TLS ask for the time of day say 1970, until that is set as NTP would; time that passes is left alone. */
describe.skipIf(isMissing)(title, () => {
  let folder: TempDir;
  let server: ServerProcess;
  let agent: AgentProcess | undefined;

  beforeAll(async () => {
    folder = await makeTempDir('clock');
    await writeFile(join(folder.path, 'authority.pem'), testCertificate);
  });
  afterAll(async () => {
    await agent?.stop();
    await server?.stop();
    await folder?.remove();
  });

  const setClock = async (time: string) => {
    const path = join(folder.path, 'clock');
    await writeFile(`${path}.new`, time);
    await rename(`${path}.new`, path);
  };
  const env = () => ({
    PULT_CA: join(folder.path, 'authority.pem'),
    TZ: 'UTC',
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: join(folder.path, 'clock'),
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  /** Starts one of each and claims the controller; `whenSet` sets the clock where the agent waits for that. */
  async function link(isSecure: boolean, whenSet: (agent: AgentProcess) => Promise<void>) {
    await agent?.stop();
    await server?.stop();
    await setClock('@1970-01-01 00:00:10');
    server = await startServerProcess({ isSecure });
    const { url, adminEmail, adminPassword } = server;
    const api = await createApiClient({
      baseUrl: url,
      username: adminEmail,
      password: adminPassword,
      client: new HttpClient({ ca: testCertificate }),
    });
    agent = await startAgentProcess({ serverUrl: url, serialNumber: 'CLOCK-1970', env: env() });
    await whenSet(agent);
    const { token } = await agent.waitForActivation();
    const [organization] = await api.call('listOrganizations');
    await api.call('activateController', { body: { token, organization: organization?.id ?? '' } });
    const params = { serialNumber: 'CLOCK-1970' };
    await poll(async () => (await api.call('getController', { params })).status === 'online', {
      what: 'the controller is online',
    });
  }

  test('an agent over plain HTTP enrols and links in 1970', async () => {
    await link(false, async () => {});
  }, 90_000);

  test('an agent over TLS says that the clock is wrong, goes on trying, and links by itself once it was set', async () => {
    await link(true, async ({ process: running, stateDir }) => {
      await running.waitForLine(
        /^enrolment: failed \(the certificate of localhost:\d+ is not valid yet; it is 1970-01-01T00:00:\S+ here: is the clock right\?\), retrying in \d+ s$/,
      );
      const program = [builtPath('apps/agent/dist/pult-agent.mjs'), 'doctor', '--server', server.url];
      const doctor = await runCommand(process.execPath, [...program, '--state-dir', stateDir], {
        env: env(),
      });
      expect(doctor.stdout).toMatch(
        /^NO {3}TLS: the certificate is not valid yet\n {7}Check the clock of this machine/m,
      );
      expect(doctor.stdout).toMatch(
        /^NO {3}clock: it is 1970-01-01T\S+ here and 20\S+ at the server\n {7}Set the clock/m,
      );
      await setClock('+0');
    });
  }, 90_000);
});
