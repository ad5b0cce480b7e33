import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import { freePort, listenOnLoopback, makeTempDir, makeTestCertificate } from '@pult/testkit';
import { createListeningServer, type ListeningServer } from '@pult/testkit/in-process';
import { expect, onTestFinished, test } from 'vitest';

// Controllers of Wiren Board where nobody has asked for them.

const names = ['agent.pult.test', 'tunnel.pult.test'];

interface World {
  certified?: readonly string[];
  environment?: Record<string, string>;
  dns?: Record<string, string[]>;
}

/** A server with a name and TLS; `dns` may change while it runs. */
async function startServer({ certified = names, environment = {}, dns = {} }: World = {}) {
  const folder = await makeTempDir('wiren-board-automatic');
  onTestFinished(() => folder.remove());
  const files = await makeTestCertificate(folder.path, ['pult.test', ...certified]);
  const tls = { cert: await readFile(files.certPath, 'utf8'), key: await readFile(files.keyPath, 'utf8') };
  const port = await freePort();
  const tunnelPort = await freePort();
  for (const name of ['pult.test', ...names]) dns[name] ??= ['192.0.2.1'];
  const server = await createListeningServer({
    tls,
    environment: {
      ...{ PORT: String(port), PUBLIC_URL: `https://pult.test:${port}` },
      ...{ TLS_CERT: files.certPath, TLS_KEY: files.keyPath, WB_TUNNEL_PORT: String(tunnelPort) },
      ...environment,
    },
    timing: {
      wirenBoard: { lookMs: 50 },
      nameLookups: {
        lookUp: async (name) => dns[name] ?? [],
        resolve: async (name) => dns[name] ?? [],
        listOwnAddresses: () => [],
      },
    },
  });
  onTestFinished(() => server.close());
  return { server, tunnelPort, tls };
}

async function readStanding(server: ListeningServer) {
  const { body } = await server.call('getEnvironments');
  const { WIREN_BOARD: on, WIREN_BOARD_OFF: off } = body as Record<string, unknown>;
  return { on, off };
}

/** What is answered at the host of the agents to somebody without a certificate. */
const askAgentHost = (server: ListeningServer) =>
  new Promise<number>((resolve, reject) => {
    const host = `agent.pult.test:${server.port}`;
    const where = { host: '127.0.0.1', port: server.port, servername: 'agent.pult.test' };
    const path = '/api-agent/v1/agent-start-up/';
    request({ ...where, path, headers: { host }, rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

const readShown = (port: number, servername: string) =>
  new Promise<string | undefined>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.subjectAltName);
      socket.destroy();
    });
    socket.on('error', reject);
  });

test('controllers of Wiren Board are taken where the names lead here and the certificate covers them', async () => {
  const { server, tunnelPort } = await startServer();
  await expect
    .poll(() => readStanding(server))
    .toEqual({
      on: {
        serverUrl: server.publicUrl,
        agentUrl: `https://agent.pult.test:${server.port}/api-agent/v1/`,
        tunnel: { host: 'tunnel.pult.test', port: tunnelPort },
      },
      off: null,
    });
  expect(await askAgentHost(server)).toBe(401);
  expect(await readShown(tunnelPort, 'tunnel.pult.test')).toContain('tunnel.pult.test');
});

test('a port that another program has is told, keeps no server from its start, and is taken once it is free', async () => {
  const other = createServer();
  const taken = await listenOnLoopback(other);
  const { server } = await startServer({ environment: { WB_TUNNEL_PORT: String(taken) } });
  expect(await readStanding(server)).toEqual({
    on: null,
    off: { reason: 'port_taken', names: [], port: taken },
  });
  // Nobody is let in who could not be reached then.
  expect(await askAgentHost(server)).toBe(404);
  await new Promise((resolve) => other.close(resolve));
  await expect.poll(async () => (await readStanding(server)).off).toBeNull();
  expect(await askAgentHost(server)).toBe(401);
});

test('a taken port stands in nobody’s way where tunnels come by WebSocket', async () => {
  const other = createServer();
  const taken = await listenOnLoopback(other);
  onTestFinished(() => void other.close());
  const environment = { WB_TUNNEL_PORT: String(taken), WB_TUNNEL_PROTOCOL: 'wss' };
  const { server } = await startServer({ environment });
  expect((await readStanding(server)).off).toBeNull();
});

test('names that do not lead here are told until they do, without a restart, to administrators too', async () => {
  const dns: Record<string, string[]> = { 'tunnel.pult.test': ['192.0.2.9'] };
  const { server, tunnelPort } = await startServer({ dns });
  const off = { reason: 'names', names: ['tunnel.pult.test'], port: tunnelPort };
  await expect.poll(() => readStanding(server)).toEqual({ on: null, off });
  const administrator = await server.createUser();
  await server.db
    .updateTable('users')
    .set({ is_administrator: true })
    .where('id', '=', administrator.id)
    .execute();
  const { body } = await server.call('getInstallation', { as: administrator });
  expect(body).toMatchObject({ controllers: { wirenBoardOff: off } });
  dns['tunnel.pult.test'] = ['192.0.2.1'];
  await expect.poll(async () => (await readStanding(server)).off).toBeNull();
});

test('a certificate that does not cover the names is told until there is one of their own, which they alone are shown', async () => {
  const { server, tunnelPort } = await startServer({ certified: [] });
  const off = { reason: 'certificate', names, port: tunnelPort };
  await expect.poll(async () => (await readStanding(server)).off).toEqual(off);
  const folder = await makeTempDir('wiren-board-own');
  onTestFinished(() => folder.remove());
  const files = await makeTestCertificate(folder.path, names);
  const [cert, key] = await Promise.all([readFile(files.certPath, 'utf8'), readFile(files.keyPath, 'utf8')]);
  server.server.renewTls({ wirenBoardTls: { cert, key } });
  expect((await readStanding(server)).off).toBeNull();
  const own = 'DNS:agent.pult.test, DNS:tunnel.pult.test';
  expect(await readShown(server.port, 'agent.pult.test')).toBe(own);
  expect(await readShown(server.port, 'tunnel.pult.test')).toBe(own);
  expect(await readShown(tunnelPort, 'tunnel.pult.test')).toBe(own);
  expect(await readShown(server.port, 'pult.test')).toBe('DNS:pult.test');
});
