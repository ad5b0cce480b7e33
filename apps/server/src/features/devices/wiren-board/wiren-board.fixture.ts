import { randomBytes } from 'node:crypto';
import { freePort, makeDeviceCertificates, makeTempDir, WirenBoardDevice } from '@pult/testkit';
import { certificates as serverCertificates } from '@pult/testkit/certificates';
import {
  createListeningServer,
  type ListeningServer,
  type TestServerOptions,
  type TestUser,
} from '@pult/testkit/in-process';

export interface WirenBoardFixture {
  server: ListeningServer;
  owner: TestUser;
  organization: string;
  certificates: Awaited<ReturnType<typeof makeDeviceCertificates>>;
  /** Of a proxy before the server, where TLS does not end there. */
  proxySecret: string;
  /** A controller from the factory that the server knows. */
  createDevice(serialNumber: string): Promise<WirenBoardDevice>;
  /** Claims the controller that shows that link. */
  claim(link: string): ReturnType<ListeningServer['call']>;
  /** A controller that is claimed and has been told its tunnel. */
  addDevice(serialNumber: string): Promise<WirenBoardDevice>;
  remove(serialNumber: string): ReturnType<ListeningServer['call']>;
  close(): Promise<void>;
}

/** A server that waits for Wiren Board controllers of a factory of its own, and ends TLS unless told. */
export async function createWirenBoardFixture({
  isTls = true,
  environment = {},
  ...options
}: TestServerOptions & { isTls?: boolean } = {}): Promise<WirenBoardFixture> {
  const folder = await makeTempDir('wiren-board');
  const certificates = await makeDeviceCertificates(folder.path);
  const port = await freePort();
  const proxySecret = randomBytes(32).toString('hex');
  const server = await createListeningServer({
    ...options,
    ...(isTls ? { tls: serverCertificates.one } : {}),
    environment: {
      PORT: String(port),
      PUBLIC_URL: `${isTls ? 'https' : 'http'}://localhost:${port}`,
      WB_TUNNEL_PORT: String(await freePort()),
      ...(isTls
        ? { WB_DEVICE_CA: certificates.rootPath, TRUSTED_PROXIES: '192.0.2.1' }
        : {
            WB_DEVICE_CA: certificates.bundlePath,
            WB_PROXY_SECRET: proxySecret,
            TRUSTED_PROXIES: '127.0.0.1',
          }),
      ...environment,
    },
  });
  const owner = await server.createUser();
  const organization = await server.createOrganization(owner);
  const fixture: WirenBoardFixture = {
    server,
    owner,
    organization,
    certificates,
    proxySecret,
    async createDevice(serialNumber) {
      return new WirenBoardDevice(serialNumber, await certificates.issue(serialNumber), {
        port,
        isTls,
        proxySecret,
      });
    },
    claim(link) {
      const token = new URL(link).searchParams.get('token');
      return server.call('activateController', { as: owner, body: { token, organization } });
    },
    async addDevice(serialNumber) {
      const device = await fixture.createDevice(serialNumber);
      await device.startUp();
      const claim = await fixture.claim(device.activationLink ?? '');
      if (claim.status !== 200) throw new Error(`claim answered ${claim.status}`);
      await device.poll();
      return device;
    },
    remove: (serialNumber) => server.call('deleteController', { as: owner, params: { serialNumber } }),
    async close() {
      await server.close();
      await folder.remove();
    },
  };
  return fixture;
}
