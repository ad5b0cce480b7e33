import { once } from 'node:events';
import { request } from 'node:https';
import { START_WINDOW } from '@pult/frp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startUpstream, type WebUpstream } from '../../../tunnels/tunnel.fixture.ts';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

let fixture: WirenBoardFixture;
let web: WebUpstream;
beforeAll(async () => {
  web = await startUpstream(({ url }, response) => response.end(`page ${url}`));
  fixture = await createWirenBoardFixture({ environment: { WB_TUNNEL_PROTOCOL: 'wss' } });
});
afterAll(async () => {
  await fixture.close();
  web.close();
});

async function getStatus(serialNumber: string): Promise<unknown> {
  const { body } = await fixture.server.call('getController', {
    as: fixture.owner,
    params: { serialNumber },
  });
  return (body as { status?: unknown }).status;
}

/** What the web interface of a controller answers, through its tunnel. */
async function readPage(serialNumber: string): Promise<string> {
  const { id } = await fixture.server.db
    .selectFrom('enrolments')
    .select('id')
    .where('serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();
  const stream = fixture.server.server.links.open({ enrolmentId: id, serialNumber }, 'http');
  stream.write('GET /inside HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let answer = '';
  for await (const piece of stream) answer += String(piece);
  return answer;
}

const dial = (origin?: string) =>
  new WebSocket(`wss://127.0.0.1:${fixture.server.port}/~!frp`, {
    rejectUnauthorized: false,
    headers: origin === undefined ? {} : { origin },
  });

async function addOnline(serialNumber: string) {
  const device = await fixture.addDevice(serialNumber);
  const tunnel = await device.openTunnel({ 80: web.port });
  await expect.poll(() => getStatus(serialNumber)).toBe('online');
  return { device, tunnel };
}

it('a controller whose frpc comes inside a WebSocket, on the one port, is online, and its web interface is reached', async () => {
  const { device, tunnel } = await addOnline('WSS1');
  expect(device.tunnelConfig).toMatchObject({
    protocol: 'wss',
    server_addr: 'tunnel.localhost',
    server_port: String(fixture.server.port),
  });
  expect(await readPage('WSS1')).toContain('page /inside');
  tunnel.yamux.socket.destroy();
  await expect.poll(() => getStatus('WSS1')).toBe('offline');
});

it('a controller that is removed loses its tunnel inside a WebSocket, and its token is good no more', async () => {
  const { device, tunnel } = await addOnline('WSS2');
  await fixture.remove('WSS2');
  await tunnel.closed;
  const again = await device.openTunnel({});
  await again.closed;
  expect(again.heard).toMatchObject([{ type: '1', body: { error: 'authorization failed' } }]);
});

it.each([
  ['says what is no frp', (socket: WebSocket) => socket.send(Buffer.alloc(64, 0xee))],
  ['sends a message that is too large', (socket: WebSocket) => socket.send(Buffer.alloc((1 << 20) + 1))],
  [
    'floods the server with empty messages',
    (socket: WebSocket) => {
      for (let count = 0; count < 40_000; count++) socket.send('');
    },
  ],
  [
    'floods the server with pings',
    (socket: WebSocket) => {
      for (let count = 0; count < 40_000; count++) socket.ping();
    },
  ],
])('a client inside a WebSocket that %s ends itself alone', async (_title, act) => {
  const serialNumber = `WSSH${Math.trunc(performance.now())}`;
  await addOnline(serialNumber);
  const socket = dial('http://tunnel.localhost');
  socket.on('error', () => {});
  await once(socket, 'open');
  const closed = once(socket, 'close');
  act(socket);
  await closed;
  expect(await readPage(serialNumber)).toContain('page /inside');
});

it('a client inside a WebSocket that begins a message of more than frpc has to say is refused before its end', async () => {
  const socket = dial('http://tunnel.localhost');
  await once(socket, 'open');
  socket.send(Buffer.alloc(START_WINDOW + 100_000), { fin: false });
  const [code] = await once(socket, 'close');
  expect(code).toBe(1009);
});

it('a request for the path of WebSockets that is none of them is refused', async () => {
  const asked = request({
    host: '127.0.0.1',
    port: fixture.server.port,
    path: '/~!frp',
    headers: { connection: 'Upgrade', upgrade: 'websocket' }, // and no key
    rejectUnauthorized: false,
  }).end();
  const [answer] = await once(asked, 'response');
  expect(answer.statusCode).toBe(400);
});
