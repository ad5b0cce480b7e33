import { connect, type Socket } from 'node:net';
import { freePort } from '@pult/testkit';
import type { TestServerOptions } from '@pult/testkit/in-process';
import ssh2, { type Client, type ConnectConfig } from 'ssh2';
import { createTunnelFixture, type TunnelFixture } from '../../tunnels/tunnel.fixture.ts';

/** A pair of keys of one device. */
export interface DeviceKeyPair {
  private: string;
  public: string;
}

export function makeDeviceKey(): DeviceKeyPair {
  // Not Ed25519: now and then ssh2 cannot read the one it has made.
  return ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
}

export interface TestSshDevice {
  client: Client;
  key: DeviceKeyPair;
  /** What the server has shown before the login. */
  banner: string;
  /** Resolves at its end. */
  closed: Promise<void>;
  /** Asks for a remote forward; what comes by it goes to a port of this machine. */
  forward(address: string, port: number, to: number): Promise<void>;
}

interface LogIn extends Partial<ConnectConfig> {
  key?: DeviceKeyPair;
  user?: string;
  /** Answers to what the server asks for by keyboard. */
  answers?: string[];
}

export interface SshDeviceFixture extends AsyncDisposable {
  fixture: TunnelFixture;
  port: number;
  /** A device that has logged in; rejects with what it was told where it was not let in. */
  logIn(options?: LogIn): Promise<TestSshDevice>;
  /** Claims by the link that a device was shown. */
  claim(text: string): Promise<{ status: number; body: unknown }>;
  getStatus(serialNumber: string): Promise<unknown>;
  /** An enrolled, claimed and linked device whose endpoints are these ports of this machine. */
  addDevice(ports: { http?: number; ssh?: number }): Promise<TestSshDevice & { serialNumber: string }>;
}

export const tokenIn = (text: string) => /token=([A-Z2-7-]+)/.exec(text)?.[1] ?? '';
export const serialIn = (text: string) => /Controller (\S+)/.exec(text)?.[1] ?? '';

export async function createSshDeviceFixture(options: TestServerOptions = {}): Promise<SshDeviceFixture> {
  const port = await freePort();
  const fixture = await createTunnelFixture({
    ...options,
    environment: { SSH_JUMP_PORT: String(port), ...options.environment },
  });
  const clients = new Set<Client>();

  const t: SshDeviceFixture = {
    fixture,
    port,
    async logIn({ key = makeDeviceKey(), user = 'device', answers = [], ...config } = {}) {
      const client = new ssh2.Client();
      clients.add(client);
      const targets = new Map<string, number>();
      const device: TestSshDevice = {
        client,
        key,
        banner: '',
        closed: new Promise((resolve) => client.on('close', () => resolve())),
        forward: (address, bindPort, to) =>
          new Promise((resolve, reject) => {
            targets.set(`${address}:${bindPort}`, to);
            client.forwardIn(address, bindPort, (error) => (error ? reject(error) : resolve()));
          }),
      };
      client.on('banner', (text) => {
        device.banner += text;
      });
      client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
        finish(prompts.map(() => answers.shift() ?? '')),
      );
      client.on('tcp connection', ({ destIP, destPort }, accept, reject) => {
        const target = targets.get(`${destIP}:${destPort}`);
        if (target === undefined) return reject();
        const socket: Socket = connect({ host: '127.0.0.1', port: target, allowHalfOpen: true });
        socket.on('error', () => reject());
        socket.once('connect', () => {
          const channel = accept();
          channel.on('error', () => socket.destroy());
          channel.on('close', () => socket.destroy());
          channel.pipe(socket).pipe(channel);
        });
      });
      await new Promise<void>((resolve, reject) => {
        const fail = (error: Error) => reject(new Error(`${device.banner}${error.message}`));
        client.once('ready', resolve).on('error', fail);
        client.once('close', () => fail(new Error('closed')));
        const login = { username: user, privateKey: key.private, tryKeyboard: true };
        client.connect({ host: '127.0.0.1', port, ...login, ...config });
      });
      return device;
    },
    async claim(text) {
      const body = { token: tokenIn(text), organization: fixture.organization };
      return fixture.server.call('activateController', { as: fixture.owner, body });
    },
    async getStatus(serialNumber) {
      const { body } = await fixture.server.call('getController', {
        as: fixture.owner,
        params: { serialNumber },
      });
      return (body as { status?: unknown }).status;
    },
    async addDevice({ http, ssh }) {
      const device = await t.logIn();
      const claimed = await t.claim(device.banner);
      if (claimed.status !== 200) throw new Error(`the claim was answered ${claimed.status}`);
      if (http !== undefined) await device.forward('pult-http', 80, http);
      if (ssh !== undefined) await device.forward('pult-ssh', 22, ssh);
      return Object.assign(device, { serialNumber: serialIn(device.banner) });
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      await fixture.close();
    },
  };
  return t;
}
