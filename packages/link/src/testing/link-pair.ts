import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { FaultProxy } from '@pult/testkit';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { listen, startLine } from '@pult/testkit/in-test';
import { onTestFinished } from 'vitest';
import { acceptLink } from '../accept.ts';
import { type CloudLink, type CloudLinkOptions, openCloudLink } from '../cloud-link.ts';
import type { DeviceHandlers } from '../device-handlers.ts';
import { type DeviceLink, type DeviceLinkOptions, serveDeviceLink } from '../device-link.ts';
import { dial, type LinkTransport } from '../dial.ts';
import { ServiceError } from '../link-error.ts';
import type { DeviceInfo } from '../messages.ts';

export const sampleInfo: DeviceInfo = {
  serialNumber: 'A1B2C3D4',
  model: 'Test board',
  firmwareVersion: 'fw-1',
  agentVersion: '0.1.0',
  kernelVersion: '6.1.0',
  addresses: ['192.0.2.7'],
  uptimeSeconds: 42,
};

interface PairOptions {
  handlers?: Partial<DeviceHandlers>;
  transport?: LinkTransport;
  isSecure?: boolean;
  cloud?: CloudLinkOptions;
  device?: DeviceLinkOptions;
}

export interface LinkPair {
  cloud: CloudLink;
  device: DeviceLink;
  /** The line between the two. */
  line: FaultProxy;
}

/** Both ends of a link over real sockets; all of it goes with the test. */
export async function createLinkPair(options: PairOptions = {}): Promise<LinkPair> {
  const { socket, cloud, line } = await acceptDevice(options);
  const device = serveDeviceLink(
    socket,
    {
      connectService: () => Promise.reject(new ServiceError('service_refused', 'no service in this test')),
      getInfo: () => sampleInfo,
      putState: () => {},
      ...options.handlers,
    },
    options.device,
  );
  onTestFinished(() => device.close());
  return { cloud, device, line };
}

/** The cloud's end of a link, and the bare socket a device holds. */
export async function acceptDevice(options: PairOptions = {}) {
  const server = options.isSecure
    ? createTlsServer({ cert: testCertificate, key: testPrivateKey })
    : createServer();
  const accepted = new Promise<CloudLink>((resolve, reject) => {
    server.on('upgrade', (request, socket, head) => {
      acceptLink(request, socket, head)
        .then((stream) => resolve(openCloudLink(stream, options.cloud)))
        .catch(reject);
    });
  });
  const line = await startLine(await listen(server));
  const socket: Duplex = await dial(`${options.isSecure ? 'https' : 'http'}://127.0.0.1:${line.port}`, {
    ca: testCertificate,
    headers: {},
    transport: options.transport ?? 'upgrade',
  });
  const cloud = await accepted;
  onTestFinished(async () => {
    cloud.close('shutdown');
    socket.destroy();
    await cloud.closed;
  });
  return { socket, cloud, line };
}
