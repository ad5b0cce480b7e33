import { once } from 'node:events';
import { type TerminalServerMessage, terminalPath } from '@pult/contract';
import { WebSocketMessages } from '@pult/testkit';
import type { TestServerOptions, TestUser } from '@pult/testkit/in-process';
import { WebSocket } from 'ws';
import { type ClaimedDevice, createTunnelFixture, type TunnelFixture } from '../tunnel.fixture.ts';
import { type SshDevice, type SshDeviceOptions, startSshDevice } from './ssh-device.fixture.ts';

export const password = (value: string) => ({ method: 'password', password: value });

/** A terminal as a browser holds it. */
export class Terminal {
  readonly messages: WebSocketMessages;
  output = Buffer.alloc(0);
  /** Bytes of output that have arrived, on this connection and those it continues. */
  received = 0;
  /** A page that does not draw acknowledges nothing. */
  isAcking = true;
  /** Bytes of input that the device has taken, as far as `next` has heard. */
  ackedInput = 0;
  resumeToken = '';
  readonly socket: WebSocket;

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.messages = new WebSocketMessages(socket);
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return;
      this.received += data.length;
      if (this.isAcking) this.ackOutput();
    });
  }

  /** Says that all output that has arrived is on the screen. */
  ackOutput(): void {
    if (this.socket.readyState === WebSocket.OPEN) this.send({ type: 'ackOutput', position: this.received });
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next JSON message, the counts of input apart; terminal output before it is collected. */
  async next(): Promise<TerminalServerMessage> {
    for (;;) {
      const { data, isBinary } = await this.messages.next();
      if (isBinary) this.output = Buffer.concat([this.output, data]);
      else {
        const message: TerminalServerMessage = JSON.parse(String(data));
        if (message.type === 'ackInput') this.ackedInput = message.position;
        else if (message.type !== 'alive') return message;
      }
    }
  }
}

export interface TerminalFixture {
  fixture: TunnelFixture;
  ssh: SshDevice;
  device: ClaimedDevice;
  /** Ports of the device's endpoints, read at each connection. */
  endpoints: { ssh: number };
  nextSerialNumber(): string;
  /** A new device with a new SSH server. */
  reset(): Promise<void>;
  /** Another SSH server behind the same device. */
  replaceSsh(options: SshDeviceOptions): Promise<void>;
  connect(as?: TestUser): Promise<Terminal>;
  /** The status with which a connection is refused. */
  refusal(headers: Record<string, string>): Promise<number | undefined>;
  /** Sends the start message with a fresh ticket. */
  start(overrides?: Record<string, unknown>, as?: TestUser): Promise<Terminal>;
  /** Asks to continue a shell where its page stopped. */
  resume(lost: Pick<Terminal, 'resumeToken' | 'received'>, as?: TestUser): Promise<Terminal>;
  /** Waits for the shell, too. */
  open(overrides?: Record<string, unknown>, as?: TestUser): Promise<Terminal>;
  /** How many bytes a terminal still gets. */
  countUntilExit(terminal: Terminal): Promise<number>;
  close(): Promise<void>;
}

export async function createTerminalFixture(options?: TestServerOptions): Promise<TerminalFixture> {
  const fixture = await createTunnelFixture(options);
  const endpoints = { ssh: 0 };
  let count = 0;
  const url = `ws://127.0.0.1:${fixture.server.port}${terminalPath}`;

  async function startSsh(options?: SshDeviceOptions): Promise<SshDevice> {
    const ssh = await startSshDevice(options);
    endpoints.ssh = ssh.port;
    return ssh;
  }
  const nextSerialNumber = () => {
    count += 1;
    return `SSH-${count}`;
  };
  const addDevice = () => fixture.addDevice(nextSerialNumber(), { endpoints });

  const t: TerminalFixture = {
    fixture,
    endpoints,
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
    async connect(as = fixture.owner) {
      const { publicUrl } = fixture.server;
      const { host } = new URL(publicUrl);
      const headers = { host, cookie: as.cookie, origin: publicUrl };
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
    async start(overrides = {}, as = fixture.owner) {
      const terminal = await t.connect(as);
      const { key } = await fixture.openTunnel(t.device, 'ssh', as);
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
    async resume({ resumeToken, received }, as) {
      const terminal = await t.connect(as);
      terminal.received = received;
      terminal.resumeToken = resumeToken;
      terminal.send({ type: 'resume', resumeToken, received, columns: 80, rows: 24 });
      return terminal;
    },
    async open(overrides, as) {
      const terminal = await t.start(overrides, as);
      const message = await terminal.next();
      if (message.type !== 'ready') throw new Error(`not ready: ${JSON.stringify(message)}`);
      terminal.resumeToken = message.resumeToken;
      return terminal;
    },
    async countUntilExit(terminal) {
      for (let bytes = 0; ; ) {
        const { data, isBinary } = await terminal.messages.next();
        if (isBinary) bytes += data.length;
        else if (JSON.parse(String(data)).type === 'exit') return bytes;
      }
    },
    async close() {
      await fixture.close();
      await t.ssh.close();
    },
  };
  return t;
}
