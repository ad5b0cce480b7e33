import { randomInt } from 'node:crypto';
import type { Controller, ControllerStatus } from '@pult/contract';
import {
  type AgentProcess,
  type ApiClient,
  createApiClient,
  HttpClient,
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

/** A whole installation: the built server, the built agent and, behind it, a web server and sshd. */
export interface Site extends AsyncDisposable {
  server: ServerProcess;
  agent: AgentProcess;
  web: WebServer;
  ssh: SshServer;
  api: ApiClient;
  serialNumber: string;
  /** `http://<serial>.http.localhost:<port>`. */
  tunnelUrl: string;
}

function makeSerialNumber(): string {
  return `T${String(randomInt(1e9)).padStart(9, '0')}`;
}

export interface SiteOptions {
  serverEnv?: Readonly<Record<string, string>>;
  /** By which the server is reached; `localhost` unless told. */
  serverHost?: 'localhost' | '127.0.0.1';
  /** With a database of its own unless told. */
  startServer?: typeof startServerProcess;
}

/** Starts everything; the controller is not claimed yet. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const { startServer = startServerProcess } = options;
  const stack = new ResourceStack();
  try {
    const web = stack.use(await startWebServer());
    const ssh = stack.use(await startSshServer());
    const server = stack.use(
      await startServer({ env: options.serverEnv ?? {}, host: options.serverHost ?? 'localhost' }),
    );
    const api = await createApiClient({
      baseUrl: server.url,
      username: server.adminEmail,
      password: server.adminPassword,
    });
    const controller = await startController(server, { http: web.address, ssh: ssh.address });
    stack.use(controller.agent);
    const dispose = () => stack[Symbol.asyncDispose]();
    return { server, web, ssh, api, ...controller, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}

interface ControllerOptions {
  http: string;
  ssh: string;
  /** Address the agent is given instead of the server's own; the server must know it by AGENT_URLS. */
  serverUrl?: string;
  /** Address of its MQTT broker. */
  mqtt?: string;
  /** The Node.js that runs the agent. */
  node?: string;
  /** Further environment variables of the agent. */
  env?: Readonly<Record<string, string>>;
}

async function startController(server: ServerProcess, { serverUrl, ...endpoints }: ControllerOptions) {
  const serialNumber = makeSerialNumber();
  const agent = await startAgentProcess({ serverUrl: serverUrl ?? server.url, serialNumber, ...endpoints });
  const tunnelUrl = `http://${serialNumber.toLowerCase()}.http.localhost:${server.port}`;
  return { agent, serialNumber, tunnelUrl };
}

/** One more claimed controller of a site, seen as a site of its own; disposing it ends its agent alone. */
export async function addController(
  site: Pick<Site, 'server' | 'api' | 'web' | 'ssh'>,
  options: Partial<ControllerOptions>,
): Promise<Site> {
  const controller = await startController(site.server, {
    http: site.web.address,
    ssh: site.ssh.address,
    ...options,
  });
  const added = { ...site, ...controller, [Symbol.asyncDispose]: () => controller.agent.stop() };
  await claim(added);
  return added;
}

/** The organization the first account was made with. */
export async function getOrganizationId({ api }: Site): Promise<string> {
  const [organization] = await api.call('listOrganizations');
  if (!organization) throw new Error('the administrator has no organization');
  return organization.id;
}

/** Claims the controller and waits until it is online. */
export async function claim(site: Site): Promise<Controller> {
  const { token } = await site.agent.waitForActivation();
  const organization = await getOrganizationId(site);
  await site.api.call('activateController', { body: { token, organization } });
  return waitForStatus(site, 'online');
}

/** Claims the device that has shown these lines, by the link among them: the site, seen from its controller once that is online. */
export async function claimShown(site: Site, shown: string): Promise<Site> {
  const serialNumber = /(?:serial number:|Controller) (\S+)/.exec(shown)?.[1] ?? '';
  const token = /token=([A-Z2-7-]+)/.exec(shown)?.[1] ?? '';
  await site.api.call('activateController', { body: { token, organization: await getOrganizationId(site) } });
  const tunnelUrl = `http://${serialNumber.toLowerCase()}.http.localhost:${site.server.port}`;
  const controller = { ...site, serialNumber, tunnelUrl };
  await waitForStatus(controller, 'online');
  return controller;
}

export function getController({
  api,
  serialNumber,
}: Pick<Site, 'api' | 'serialNumber'>): Promise<Controller> {
  return api.call('getController', { params: { serialNumber } });
}

export async function waitForStatus(
  site: Pick<Site, 'api' | 'serialNumber'>,
  status: ControllerStatus,
): Promise<Controller> {
  const ask = async () => {
    const controller = await getController(site);
    return controller.status === status && controller;
  };
  return poll(ask, { what: `the controller is ${status}` });
}

export function openTunnel({ api, serialNumber }: Site, protocol: 'http' | 'ssh', path?: string) {
  return api.call('openTunnel', {
    params: { serialNumber, protocol },
    ...(path === undefined ? {} : { body: { path } }),
  });
}

/** Makes an account that belongs to no organization, and logs it in. */
export async function addUser({ server }: Site, email: string): Promise<ApiClient> {
  const { stdout, stderr } = await server.runPult('user', 'add', email);
  const password = /^Password: (\S+)$/m.exec(stdout)?.[1];
  if (!password) throw new Error(`no user was added: ${stdout}${stderr}`);
  return createApiClient({ baseUrl: server.url, username: email, password });
}

/** A client that logged in as the console does: it has the session cookie. */
export async function logIn({ server }: Site): Promise<HttpClient> {
  const client = new HttpClient();
  const answer = await client.request(`${server.url}/api/v1/auth/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url },
    body: JSON.stringify({ username: server.adminEmail, password: server.adminPassword }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`login answered ${answer.status}: ${text}`);
  return client;
}

/** A client that went through the ticket and now holds the cookie of the tunnel host. */
export async function openWebInterface(site: Site): Promise<HttpClient> {
  const client = new HttpClient();
  const { tunnelRedirectUrl } = await openTunnel(site, 'http');
  const answer = await client.request(tunnelRedirectUrl, { followRedirects: true });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the tunnel answered ${answer.status}: ${text}`);
  return client;
}
