import { sshStreamPath, tunnelKeyHeader } from '@pult/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createTunnelFixture, startRawUpstream, type TunnelFixture } from './tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
let received = 0;
let writes = 0;

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.length;
      writes += 1;
    });
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
