import { connect, type Socket } from 'node:net';
import { sshStreamPath, tunnelKeyHeader } from '@pult/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import {
  createTunnelFixture,
  startRawUpstream,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from './tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
let web: WebUpstream;
/** Bytes of bodies. */
let uploaded = 0;
let received = 0;
let writes = 0;

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.length;
      writes += 1;
    });
  });
  web = await startUpstream((request, response) => {
    request.on('data', (chunk: Buffer) => {
      uploaded += chunk.length;
    });
    request.on('end', () => response.end('stored'));
  });
  const few = { burst: 1_000, perSecond: 10_000 };
  fixture = await createTunnelFixture({
    workLimits: {
      perStream: { burst: 10, perSecond: 1 },
      perUser: few,
      perOrganization: few,
      inAll: few,
      floodMs: 0,
    },
  });
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
  web.close();
});

/** A chunked upload that has begun. */
async function startUpload(serialNumber: string): Promise<Socket> {
  const device = await fixture.addDevice(serialNumber, { endpoints: { http: web.port } });
  const browser = await fixture.openBrowser(device);
  const socket = connect(fixture.server.port, '127.0.0.1');
  socket.on('error', () => {});
  const host = new URL(device.origin).host;
  const cookie = browser.cookies.getHeader(device.hostname);
  const head = ['POST / HTTP/1.1', `host: ${host}`, `origin: ${device.origin}`, `cookie: ${cookie}`];
  socket.write(`${head.join('\r\n')}\r\ntransfer-encoding: chunked\r\n\r\n`);
  return socket;
}

// Before the floods, for which user and organization still pay afterwards.
it('an upload in short pieces within what its user may send comes whole', async () => {
  const modest = await startUpload('PIECES-2');
  let answer = '';
  modest.on('data', (chunk) => {
    answer += chunk;
  });
  modest.write(`${'1\r\nx\r\n'.repeat(500)}0\r\n\r\n`);
  await expect.poll(() => answer).toContain('stored');
  expect(uploaded).toBe(500);
  modest.destroy();
});

it('short pieces of a user go on together, and what sends too many of them is cut', async () => {
  const device = await fixture.addDevice('PIECES-1', { endpoints: { ssh: upstream.port } });
  const { key } = await fixture.openTunnel(device, 'ssh');
  const webSocket = new WebSocket(`ws://127.0.0.1:${fixture.server.port}${sshStreamPath}`, {
    headers: { authorization: `Bearer ${fixture.owner.access}`, [tunnelKeyHeader]: key },
  });
  webSocket.on('error', () => {});
  await new Promise((resolve) => webSocket.once('open', resolve));
  for (let index = 0; index < 500; index += 1) webSocket.send('x');
  await expect.poll(() => received).toBe(500);
  expect(writes).toBeLessThan(100);
  const closed = new Promise((resolve) => webSocket.once('close', resolve));
  const timer = setInterval(() => {
    for (let index = 0; index < 2_000; index += 1) webSocket.send('x');
  }, 10);
  await closed;
  clearInterval(timer);
  expect(fixture.server.server.liveTunnels.size).toBe(0);
}, 30_000);

it('an upload in short pieces is cut when it has more of them than its user may send', async () => {
  const flood = await startUpload('PIECES-3');
  const pieces = 200_000;
  const closed = new Promise((resolve) => flood.once('close', resolve));
  flood.resume();
  flood.write('1\r\nx\r\n'.repeat(pieces));
  await closed;
  expect(uploaded).toBeLessThan(500 + pieces / 4);
  await expect.poll(() => fixture.server.server.liveTunnels.size).toBe(0);
}, 30_000);
