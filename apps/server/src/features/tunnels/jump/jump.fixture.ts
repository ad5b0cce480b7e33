import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { freePort } from '@pult/testkit';
import { createTestDevice, type TestServerOptions, type TestUser } from '@pult/testkit/in-process';
import ssh2, { type Client, type ClientChannel, type ConnectConfig } from 'ssh2';
import { type ClaimedDevice, createTunnelFixture, type TunnelFixture } from '../tunnel.fixture.ts';

/** A pair of keys of one client. */
export interface ClientKey {
  privateKey: string;
  publicKey: string;
}

export interface JumpFixture extends AsyncDisposable {
  fixture: TunnelFixture;
  port: number;
  device: ClaimedDevice;
  /** What the device's port 22 has received so far, newest connection last. */
  received: Buffer[];
  /** Its open connections. */
  connections: Set<Socket>;
  makeKey(): ClientKey;
  /** Registers a new key for the user. */
  addKey(user?: TestUser): Promise<ClientKey & { id: string }>;
  /** A client that has logged in. */
  logIn(options?: Partial<ConnectConfig> & { key?: ClientKey; user?: TestUser }): Promise<Client>;
}

export function openChannel(client: Client, host: string, port = 22): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.forwardOut('127.0.0.1', 1, host, port, (error, channel) =>
      error ? reject(error) : resolve(channel),
    );
  });
}

/** Tries to log in; the error's level says whether it was refused. */
export function connect(config: ConnectConfig): Promise<Client> {
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.on('ready', () => resolve(client));
    client.on('error', reject);
    client.on('close', () => reject(new Error('closed')));
    client.connect({ host: '127.0.0.1', ...config });
  });
}

/** A server with a jump host, and a device whose port 22 greets and then says everything back. */
export async function createJumpFixture(options: TestServerOptions = {}): Promise<JumpFixture> {
  const port = await freePort();
  const fixture = await createTunnelFixture({
    ...options,
    environment: { SSH_JUMP_PORT: String(port), ...options.environment },
  });
  const received: Buffer[] = [];
  const connections = new Set<Socket>();
  const echo: Server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.add(socket);
    const place = received.push(Buffer.alloc(0)) - 1;
    socket.on('close', () => connections.delete(socket));
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      received[place] = Buffer.concat([received[place] ?? Buffer.alloc(0), chunk]);
    });
    socket.write('hello ');
    socket.pipe(socket);
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const address = echo.address();
  const endpoints = { ssh: typeof address === 'object' && address ? address.port : 0 };
  const device = await fixture.addDevice('JUMP-1', { endpoints });
  const clients: Client[] = [];

  const makeKey = () => {
    // Not Ed25519: now and then ssh2 cannot read the one it has made.
    const pair = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
    return { privateKey: pair.private, publicKey: pair.public };
  };
  const addKey: JumpFixture['addKey'] = async (user = fixture.owner) => {
    const key = makeKey();
    const body = { name: 'Laptop', publicKey: key.publicKey };
    const answer = await fixture.server.call('addSshKey', { as: user, body });
    if (answer.status !== 201) throw new Error(`the key was answered ${answer.status}`);
    return { ...key, ...(answer.body as { id: string }) };
  };
  return {
    fixture,
    port,
    device,
    received,
    connections,
    makeKey,
    addKey,
    async logIn({ key, user = fixture.owner, ...config } = {}) {
      const { privateKey } = key ?? (await addKey(user));
      const client = await connect({ port, username: user.email, privateKey, ...config });
      clients.push(client);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      await fixture.close();
      echo.close();
    },
  };
}

export { createTestDevice };
