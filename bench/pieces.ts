/**
 * `npm run bench pieces [-- --connections N --seconds N]`: how long others wait while one user sends single bytes through
 * tunnels, over uploads and over SSH streams.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { tunnelKeyHeader } from '@pult/contract';
import {
  type ApiClient,
  createApiClient,
  HttpClient,
  listenOnLoopback,
  ResourceStack,
  startAgentProcess,
  startServerProcess,
} from '@pult/testkit';
import type { Flood } from './pieces/flood.ts';
import { formatTable, percentile } from './tunnel/figures.ts';
import { describeMachine, readThreadTimes } from './tunnel/machine.ts';

const { values: options } = parseArgs({
  options: { connections: { type: 'string', default: '30' }, seconds: { type: 'string', default: '10' } },
});
const connections = Number(options.connections);
const seconds = Number(options.seconds);
const serialNumber = 'BENCH1';
const host = `${serialNumber.toLowerCase()}.http.localhost`;

const print = (text: string) => void process.stdout.write(`${text}\n`);

/** Milliseconds that somebody else's calls take meanwhile, one after the other. */
async function ping(url: string): Promise<number[]> {
  const client = new HttpClient();
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const started = performance.now();
    await (await client.request(`${url}/readyz`)).text();
    times.push(performance.now() - started);
    await wait(10);
  }
  return times;
}

async function makeUploads(api: ApiClient, port: number): Promise<string[]> {
  const { tunnelRedirectUrl } = await api.call('openTunnel', { params: { serialNumber, protocol: 'http' } });
  const client = new HttpClient();
  await (await client.request(tunnelRedirectUrl, { followRedirects: true })).text();
  const lines = [
    'POST /upload HTTP/1.1',
    `Host: ${host}:${port}`,
    `Origin: http://${host}:${port}`,
    `Cookie: ${client.cookies.getHeader(host)}`,
    'Transfer-Encoding: chunked',
  ];
  return Array.from({ length: connections }, () => `${lines.join('\r\n')}\r\n\r\n`);
}

async function makeSockets(api: ApiClient, port: number, authorization: string): Promise<string[]> {
  const heads: string[] = [];
  for (let index = 0; index < connections; index += 1) {
    const { tunnelKey } = await api.call('openTunnel', { params: { serialNumber, protocol: 'ssh' } });
    const lines = [
      'GET /api/v1/ssh-stream/ HTTP/1.1',
      `Host: localhost:${port}`,
      `Authorization: ${authorization}`,
      `${tunnelKeyHeader}: ${tunnelKey}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    heads.push(`${lines.join('\r\n')}\r\n\r\n`);
  }
  return heads;
}

async function ask(flood: ChildProcess): Promise<{ open: number; sent: number }> {
  const answer = once(flood, 'message');
  flood.send('count');
  return (await answer)[0];
}

async function main() {
  print(await describeMachine());
  await using stack = new ResourceStack();
  const web = createServer((request, response) => {
    request.resume();
    if (request.method === 'GET') response.end('page');
  });
  web.requestTimeout = 0;
  const webPort = await listenOnLoopback(web);
  let carried = 0;
  const ssh = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      carried += chunk.length;
    });
  });
  const sshPort = await listenOnLoopback(ssh);
  const server = stack.use(await startServerProcess({ env: { LOG_LEVEL: 'warn' } }));
  const agent = stack.use(
    await startAgentProcess({
      serverUrl: server.url,
      serialNumber,
      http: `127.0.0.1:${webPort}`,
      ssh: `127.0.0.1:${sshPort}`,
    }),
  );
  const api = await createApiClient({
    baseUrl: server.url,
    username: server.adminEmail,
    password: server.adminPassword,
  });
  const [organization] = await api.call('listOrganizations');
  const { token } = await agent.waitForActivation();
  await api.call('activateController', { body: { token, organization: organization?.id ?? '' } });
  const rows = [['', 'p50', 'p99', 'longest', 'main thread', 'pieces a second', 'open at the end']];
  const pid = server.process.pid ?? 0;
  for (const kind of [undefined, 'upload', 'socket'] as const) {
    const flood = fork(fileURLToPath(new URL('./pieces/flood.ts', import.meta.url)), {
      execArgv: ['--import', 'tsx'],
    });
    await once(flood, 'message');
    if (kind) {
      const heads =
        kind === 'upload'
          ? await makeUploads(api, server.port)
          : await makeSockets(api, server.port, `Bearer ${api.access}`);
      const message: Flood = { port: server.port, heads, kind };
      flood.send(message);
    }
    const before = await readThreadTimes(pid);
    const times = await ping(server.url);
    const after = await readThreadTimes(pid);
    const { open, sent } = await ask(flood);
    flood.kill();
    rows.push([
      kind ?? 'quiet',
      `${percentile(times, 0.5).toFixed(1)} ms`,
      `${percentile(times, 0.99).toFixed(1)} ms`,
      `${Math.max(...times).toFixed(0)} ms`,
      `${((after.main - before.main) / seconds / 10).toFixed(0)} %`,
      String(Math.round(sent / seconds)),
      String(open),
    ]);
    await wait(1000);
  }
  print(formatTable(rows));
  print(`carried to the device's SSH port: ${carried} bytes`);
  web.closeAllConnections();
  web.close();
  ssh.close();
}

await main();
process.exit();
