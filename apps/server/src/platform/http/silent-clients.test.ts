import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import { listenOnLoopback, whenClosed } from '@pult/testkit';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHostServer, type HostServer } from './host-server.ts';

const pair = { cert: testCertificate, key: testPrivateKey };
const agent = 'agent.localhost';
let hostServer: HostServer;
let port: number;

beforeAll(async () => {
  const challenge = createSecureContext(pair);
  hostServer = createHostServer((_, response) => response.end(), {
    tls: pair,
    hosts: [],
    upgrades: [],
    headersTimeoutMs: 200,
    asksCertificate: (name) => name === agent,
    challengeContextFor: () => challenge,
  });
  port = await listenOnLoopback(hostServer.server);
});
afterAll(async () => {
  const closed = once(hostServer.server, 'close');
  hostServer.server.close();
  hostServer.cutAll();
  await closed;
});

function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    hostServer.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** The first message of a client that asks for that name. */
async function recordHello(servername: string): Promise<Buffer> {
  const server = createServer();
  const client = connectTls({ port: await listenOnLoopback(server), host: '127.0.0.1', servername });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  server.close();
  return hello;
}

const tls = (servername: string, protocols: string[]) =>
  connectTls({
    port,
    host: '127.0.0.1',
    servername,
    ALPNProtocols: protocols,
    rejectUnauthorized: false,
  });

it('a client of HTTPS that says nothing at all is closed', async () => {
  await whenClosed(connect({ port, host: '127.0.0.1' }).resume());
});

it.each(['localhost', agent])('a client of %s that stops after its first message is closed', async (name) => {
  const client = connect({ port, host: '127.0.0.1' }).resume();
  client.write(await recordHello(name));
  await whenClosed(client);
});

it.each([
  ['localhost', 'http/1.1'],
  [agent, 'http/1.1'],
])('a client of %s that says nothing in %s after its handshake is closed', async (name, protocol) => {
  const client: TLSSocket = tls(name, [protocol]);
  client.on('error', () => {});
  await once(client, 'secureConnect');
  expect(client.alpnProtocol).toBe(protocol);
  await whenClosed(client.resume());
});

it('an authority that looks at a name and keeps its end open holds no connection', async () => {
  const raw = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  raw.on('error', () => {});
  const client = connectTls({
    socket: raw,
    servername: 'localhost',
    ALPNProtocols: ['acme-tls/1'],
    rejectUnauthorized: false,
  });
  client.on('error', () => {});
  await once(client, 'secureConnect');
  expect(client.alpnProtocol).toBe('acme-tls/1');
  await expect.poll(countConnections).toBe(0);
  raw.destroy();
});
