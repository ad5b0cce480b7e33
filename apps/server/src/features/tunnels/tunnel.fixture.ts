import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { HttpClient, listenOnLoopback } from '@pult/testkit';
import {
  createListeningServer,
  createTestDevice,
  enrolTestDevice,
  type LinkedDevice,
  type LinkedDeviceOptions,
  type ListeningServer,
  linkTestDevice,
  type TestDevice,
  type TestServerOptions,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';

export interface ClaimedDevice extends TestDevice {
  linked: LinkedDevice;
  /** Of its tunnel host. */
  origin: string;
  hostname: string;
}

/** A server with an organization, to which devices are linked over real sockets. */
export interface TunnelFixture {
  server: ListeningServer;
  owner: TestUser;
  organization: string;
  /** Enrols and claims a device, which is not linked; the id of its enrolment. */
  claim(device: TestDevice): Promise<string>;
  /** Enrols, claims and links a device. */
  addDevice(serialNumber: string, options?: LinkedDeviceOptions): Promise<ClaimedDevice>;
  addUser(role: 'viewer' | 'member' | 'admin'): Promise<TestUser>;
  openTunnel(device: TestDevice, protocol: string, as?: TestUser): Promise<{ url: string; key: string }>;
  /** A client that holds the tunnel's cookie. */
  openBrowser(device: TestDevice, as?: TestUser): Promise<HttpClient>;
  close(): Promise<void>;
}

/** Looks at the tunnels ten times a second; as often as the product does where `tunnelCheckMs` is undefined. */
export async function createTunnelFixture(options: TestServerOptions = {}): Promise<TunnelFixture> {
  const server = await createListeningServer({
    ...options,
    timing: { tunnelCheckMs: 100, tunnelAnswerMs: 1_500, ...options.timing },
  });
  const owner = await server.createUser();
  const organization = await server.createOrganization(owner);
  const linked: LinkedDevice[] = [];

  const fixture: TunnelFixture = {
    server,
    owner,
    organization,
    async claim(device) {
      const token = tokenOf(await enrolTestDevice(server, device));
      const claim = await server.call('activateController', { as: owner, body: { token, organization } });
      if (claim.status !== 200) throw new Error(`claim answered ${claim.status}`);
      const { id } = await server.db
        .selectFrom('enrolments')
        .select('id')
        .where('serial_number', '=', device.serialNumber)
        .executeTakeFirstOrThrow();
      return id;
    },
    async addDevice(serialNumber, deviceOptions = {}) {
      const device = createTestDevice(serialNumber);
      await fixture.claim(device);
      const link = await linkTestDevice(server, device, deviceOptions);
      linked.push(link);
      const hostname = `${serialNumber.toLowerCase()}.http.localhost`;
      return { ...device, linked: link, hostname, origin: `http://${hostname}:${server.port}` };
    },
    async addUser(role) {
      const user = await server.createUser();
      await server.addMember(organization, user, role);
      return user;
    },
    async openTunnel({ serialNumber }, protocol, as = owner) {
      const answer = await server.call('openTunnel', { as, params: { serialNumber, protocol } });
      if (answer.status !== 200) throw new Error(`open answered ${answer.status}`);
      // The answer was checked against the contract by the server.
      const { tunnelRedirectUrl, tunnelKey } = answer.body as Record<string, string>;
      return { url: tunnelRedirectUrl ?? '', key: tunnelKey ?? '' };
    },
    async openBrowser(device, as) {
      const browser = new HttpClient();
      const { url } = await fixture.openTunnel(device, 'http', as);
      const answer = await browser.request(url);
      if (answer.status !== 303) throw new Error(`ticket answered ${answer.status}`);
      answer.body.resume();
      return browser;
    },
    async close() {
      for (const { link } of linked) link.close();
      await server.close();
    },
  };
  return fixture;
}

export interface WebUpstream {
  port: number;
  server: Server;
  /** TCP connections since the start. */
  connections: number;
  close(): void;
}

/** The web server of a device. */
export async function startUpstream(listener: RequestListener): Promise<WebUpstream> {
  const server = createServer(listener);
  const upstream = {
    port: await listenOnLoopback(server),
    server,
    connections: 0,
    close: () => stop(server),
  };
  server.on('connection', () => {
    upstream.connections += 1;
  });
  return upstream;
}

/** A web server that speaks no HTTP of its own: `serve` writes each byte. */
export async function startRawUpstream(serve: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  });
  return { port: await listenOnLoopback(server), close: () => server.close() };
}

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}
