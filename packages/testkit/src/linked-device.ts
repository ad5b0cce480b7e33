import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type DeviceHandlers,
  type DeviceInfo,
  type DeviceLink,
  dial,
  formatAuthorization,
  KEY_ID_HEADER,
  type LinkState,
  type LinkTransport,
  SERVER_URL_HEADER,
  SESSION_HEADER,
  ServiceError,
  serveDeviceLink,
  signLink,
} from '@pult/link';
import type { ListeningServer } from './listening-server.ts';
import { requestNonce, type TestDevice } from './test-device.ts';

export interface DialOverrides {
  nonce?: string;
  audience?: string;
  headers?: Record<string, string>;
  transport?: LinkTransport;
  onAnswer?: (headers: IncomingHttpHeaders) => void;
}

/** Opens a device's connection to the server by hand, so that tests can bend each part of its proof. */
export async function dialAsDevice(
  server: ListeningServer,
  device: TestDevice,
  overrides: DialOverrides = {},
): Promise<Duplex> {
  const { serialNumber, privateKey } = device;
  const nonce = overrides.nonce ?? (await requestNonce(server, serialNumber));
  const audience = overrides.audience ?? server.publicUrl;
  const signature = signLink(privateKey, { audience, serialNumber, nonce });
  return dial(`http://127.0.0.1:${server.port}`, {
    transport: overrides.transport ?? 'upgrade',
    onAnswer: overrides.onAnswer,
    headers: {
      authorization: formatAuthorization({ serialNumber, nonce, signature }),
      [KEY_ID_HEADER]: device.keyId,
      [SERVER_URL_HEADER]: audience,
      ...overrides.headers,
    },
  });
}

export interface LinkedDeviceOptions extends DialOverrides {
  /** Ports of the loopback address by the endpoint. */
  endpoints?: Readonly<Record<string, number>>;
  info?: Partial<DeviceInfo>;
  handlers?: Partial<DeviceHandlers>;
  /** Asks for a session that goes on after a cut. */
  isResumable?: boolean;
}

export interface LinkedDevice {
  link: DeviceLink;
  /** Every state the server has sent, newest last. */
  states: LinkState[];
  /** Connections to endpoints that are open now. */
  connections: Set<Duplex>;
  /** Breaks the connection without a word. */
  cut(): void;
  /** Dials a second connection for bulk. */
  addBulk(overrides?: DialOverrides): Promise<Duplex>;
  /** As the server has told it; undefined unless it was asked for. */
  readonly sessionId: string | undefined;
  /** Dials again and goes on with the session. Rejects when the server does not know it any more. */
  resume(overrides?: DialOverrides): Promise<void>;
}

function connectTo(port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error) => reject(new ServiceError('service_refused', error.message)));
  });
}

/** Links a device that was enrolled before and serves what an agent serves. */
export async function linkTestDevice(
  server: ListeningServer,
  device: TestDevice,
  options: LinkedDeviceOptions = {},
): Promise<LinkedDevice> {
  const states: LinkState[] = [];
  const connections = new Set<Duplex>();
  let sessionId: unknown;
  let attempt = 0;
  const dialFor = (session: string, overrides: DialOverrides) =>
    dialAsDevice(server, device, {
      ...overrides,
      headers: { [SESSION_HEADER]: session, ...overrides.headers },
      onAnswer: (headers) => {
        sessionId = headers[SESSION_HEADER];
      },
    });
  let socket = await (options.isResumable ? dialFor('new', options) : dialAsDevice(server, device, options));
  const handlers: DeviceHandlers = {
    async connectService(name) {
      const port = options.endpoints?.[name];
      if (port === undefined) throw new ServiceError('service_not_allowed', `no ${name} here`);
      const connection = await connectTo(port);
      connections.add(connection);
      connection.once('close', () => connections.delete(connection));
      return connection;
    },
    getInfo: () => ({
      serialNumber: device.serialNumber,
      model: 'Test board',
      firmwareVersion: '1.0.0',
      agentVersion: '0.0.0',
      kernelVersion: 'Linux 6.1',
      addresses: [],
      uptimeSeconds: 1,
      ...options.info,
    }),
    putState: (state) => void states.push(state),
    ...options.handlers,
  };
  const link = serveDeviceLink(socket, handlers, { resumeMs: options.isResumable ? 60_000 : 0 });
  return {
    link,
    states,
    connections,
    cut: () => socket.destroy(),
    get sessionId() {
      return typeof sessionId === 'string' ? sessionId : undefined;
    },
    async addBulk(overrides = {}) {
      attempt += 1;
      const number = attempt;
      const bulk = await dialFor(`${sessionId} ${number} bulk`, overrides);
      link.addBulk(bulk, number);
      return bulk;
    },
    async resume(overrides = {}) {
      const expected = sessionId;
      attempt += 1;
      const number = attempt;
      socket = await dialFor(`${expected} ${number}`, overrides);
      if (sessionId !== expected) throw new Error('the server has another session');
      link.resume(socket, number);
    },
  };
}
