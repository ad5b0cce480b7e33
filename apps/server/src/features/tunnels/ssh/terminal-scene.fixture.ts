import { once } from 'node:events';
import { type TerminalServerMessage, terminalPath } from '@pult/contract';
import { WebSocketMessages } from '@pult/testkit';
import { WebSocket } from 'ws';
import { type ClaimedDevice, createTunnelScene, type TunnelScene } from '../tunnel-scene.fixture.ts';
import { type SshDevice, type SshDeviceOptions, startSshDevice } from './ssh-device.fixture.ts';

export const password = (value: string) => ({ method: 'password', password: value });

/** A terminal as a browser holds it. */
export class Terminal {
  readonly messages: WebSocketMessages;
  output = Buffer.alloc(0);
  readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.messages = new WebSocketMessages(socket);
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next JSON message; terminal output before it is collected. */
  async next(): Promise<TerminalServerMessage> {
    for (;;) {
      const { data, isBinary } = await this.messages.next();
      if (!isBinary) return JSON.parse(String(data));
      this.output = Buffer.concat([this.output, data]);
    }
  }
}

export interface TerminalScene {
  scene: TunnelScene;
  ssh: SshDevice;
  device: ClaimedDevice;
  /** Ports of the device's services, read at each connection. */
  services: { ssh: number };
  nextSerialNumber(): string;
  /** A new device with a new SSH server. */
  reset(): Promise<void>;
  /** Another SSH server behind the same device. */
  replaceSsh(options: SshDeviceOptions): Promise<void>;
  connect(): Promise<Terminal>;
  /** The status with which a connection is refused. */
  refusal(headers: Record<string, string>): Promise<number | undefined>;
  /** Sends the start message with a fresh ticket. */
  start(overrides?: Record<string, unknown>): Promise<Terminal>;
  /** Waits for the shell, too. */
  open(overrides?: Record<string, unknown>): Promise<Terminal>;
  close(): Promise<void>;
}

export async function createTerminalScene(): Promise<TerminalScene> {
  const scene = await createTunnelScene();
  const services = { ssh: 0 };
  let count = 0;
  const url = `ws://127.0.0.1:${scene.server.port}${terminalPath}`;

  async function startSsh(options?: SshDeviceOptions): Promise<SshDevice> {
    const ssh = await startSshDevice(options);
    services.ssh = ssh.port;
    return ssh;
  }
  const nextSerialNumber = () => {
    count += 1;
    return `SSH-${count}`;
  };
  const addDevice = () => scene.addDevice(nextSerialNumber(), { services });

  const t: TerminalScene = {
    scene,
    services,
    ssh: await startSsh(),
    device: await addDevice(),
    nextSerialNumber,
    async reset() {
      await t.replaceSsh({});
      t.device = await addDevice();
    },
    async replaceSsh(options) {
      await t.ssh.close();
      t.ssh = await startSsh(options);
    },
    async connect() {
      const { publicUrl } = scene.server;
      const { host } = new URL(publicUrl);
      const headers = { host, cookie: scene.owner.cookie, origin: publicUrl };
      const socket = new WebSocket(url, { headers });
      const terminal = new Terminal(socket);
      await once(socket, 'open');
      return terminal;
    },
    async refusal(headers) {
      const socket = new WebSocket(url, { headers });
      socket.on('error', () => {});
      const [, response] = await once(socket, 'unexpected-response');
      response.resume();
      socket.terminate();
      return response.statusCode;
    },
    async start(overrides = {}) {
      const terminal = await t.connect();
      const { key } = await scene.openTunnel(t.device, 'ssh');
      terminal.send({
        type: 'start',
        tunnelKey: key,
        username: 'root',
        credential: password('right'),
        columns: 80,
        rows: 24,
        ...overrides,
      });
      return terminal;
    },
    async open(overrides) {
      const terminal = await t.start(overrides);
      const message = await terminal.next();
      if (message.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(message)}`);
      return terminal;
    },
    async close() {
      await scene.close();
      await t.ssh.close();
    },
  };
  return t;
}
