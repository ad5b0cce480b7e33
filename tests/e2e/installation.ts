import { randomInt } from 'node:crypto';
import { test as base } from '@playwright/test';
import {
  type AgentProcess,
  type ApiClient,
  createApiClient,
  freePort,
  poll,
  ResourceStack,
  type ServerProcess,
  type SshServer,
  startAgentProcess,
  startServerProcess,
  startSshServer,
  startWebServer,
  type WebServer,
} from '@pult/testkit';

/** The built server and, on a device's side, a real web server and sshd. */
export interface Installation {
  server: ServerProcess;
  web: WebServer;
  ssh: SshServer;
  api: ApiClient;
  organization: { id: string; name: string };
}

/** A device with its own agent; nobody has claimed it yet. */
export interface Device {
  serialNumber: string;
  agent: AgentProcess;
  activation: { url: string; token: string };
  /** Claims it for the administrator's organization by the API and waits until it is online. */
  claim(): Promise<void>;
  waitForStatus(status: 'online' | 'offline'): Promise<void>;
}

export const serviceStatusUrl = 'https://status.pult.example/';

async function startInstallation(stack: ResourceStack): Promise<Installation> {
  const web = stack.use(await startWebServer());
  const ssh = stack.use(await startSshServer());
  const env = { SERVICE_STATUS_URL: serviceStatusUrl, SSH_JUMP_PORT: String(await freePort()) };
  const server = stack.use(await startServerProcess({ env }));
  const api = await createApiClient({
    baseUrl: server.url,
    username: server.adminEmail,
    password: server.adminPassword,
  });
  const [organization] = await api.call('listOrganizations');
  if (!organization) throw new Error('the administrator has no organization');
  return { server, web, ssh, api, organization };
}

interface DeviceOptions {
  serialNumber?: string;
  /** Address of its SSH server instead of the installation's sshd. */
  ssh?: string;
}

/** For tests that need more than their own `device`; dispose it. */
export async function startDevice(
  { server, web, ssh, api, organization }: Installation,
  options: DeviceOptions = {},
): Promise<Device & AsyncDisposable> {
  const serialNumber = options.serialNumber ?? `E${String(randomInt(1e9)).padStart(9, '0')}`;
  const agent = await startAgentProcess({
    serverUrl: server.url,
    serialNumber,
    http: web.address,
    ssh: options.ssh ?? ssh.address,
  });
  const activation = await agent.waitForActivation();
  const waitForStatus = async (status: 'online' | 'offline') => {
    const ask = async () => (await api.call('getController', { params: { serialNumber } })).status === status;
    await poll(ask, { what: `${serialNumber} is ${status}` });
  };
  const claim = async () => {
    await api.call('activateController', {
      body: { token: activation.token, organization: organization.id },
    });
    await waitForStatus('online');
  };
  const dispose = async () => {
    await agent.stop();
    // A test may have ended before it claimed the controller.
    await api.call('deleteController', { params: { serialNumber } }).catch(() => {});
  };
  return { serialNumber, agent, activation, claim, waitForStatus, [Symbol.asyncDispose]: dispose };
}

interface TestFixtures {
  device: Device;
}
interface WorkerFixtures {
  installation: Installation;
}

/** Tests share one installation; a test that names `device` gets one of its own, gone with the controller after it. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  installation: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern that nothing else is needed.
    async ({}, use) => {
      const stack = new ResourceStack();
      try {
        await use(await startInstallation(stack));
      } finally {
        await stack[Symbol.asyncDispose]();
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  device: async ({ installation }, use) => {
    const device = await startDevice(installation);
    try {
      await use(device);
    } finally {
      await device[Symbol.asyncDispose]();
    }
  },
});

export { expect } from '@playwright/test';
