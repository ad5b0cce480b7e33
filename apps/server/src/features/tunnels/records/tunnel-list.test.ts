import { once } from 'node:events';
import { lifetimes, type TunnelView } from '@pult/contract';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createId } from '../../../testing.ts';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: WebUpstream;
let device: ClaimedDevice;
let user: TestUser;
let count = 0;

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    request.resume();
    request.on('end', () => response.end('x'.repeat(1_000)));
  });
  const sockets = new WebSocketServer({ noServer: true });
  upstream.server.on('upgrade', (incoming, socket, head) => {
    sockets.handleUpgrade(incoming, socket, head, (webSocket) => {
      webSocket.on('error', () => {});
      webSocket.on('message', (data) => webSocket.send(data));
    });
  });
  fixture = await createTunnelFixture();
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

async function open() {
  count += 1;
  device = await fixture.addDevice(`LIST-${count}`, { endpoints: { http: upstream.port } });
  user = await fixture.addUser('member');
  return fixture.openBrowser(device, user);
}
afterEach(() => device.linked.link.close());

async function list(state: 'live' | 'ended', as = fixture.owner): Promise<TunnelView[]> {
  const params = { organizationId: fixture.organization };
  const answer = await fixture.server.call('listTunnels', { as, params, query: { state } });
  expect(answer.status).toBe(200);
  const { results } = answer.body as { results: TunnelView[] };
  return results.filter(({ serialNumber }) => serialNumber === device.serialNumber);
}
const end = (tunnelId: string, as = fixture.owner) =>
  fixture.server.call('endTunnel', { as, params: { organizationId: fixture.organization, tunnelId } });

it('shows an HTTP tunnel from its first request: who, where, from where, since when, how much', async () => {
  const browser = await open();
  expect(await list('live')).toEqual([]);
  const first = await browser.request(device.origin, { method: 'POST', body: Buffer.alloc(300) });
  await first.text();
  await (await browser.request(device.origin)).text();
  expect(await list('live')).toEqual([
    {
      id: expect.any(String),
      kind: 'http',
      port: null,
      serialNumber: device.serialNumber,
      user: { id: user.id, email: user.email },
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      startedAt: fixture.server.clock.now().toISOString(),
      endedAt: null,
      endReason: null,
      endedBy: null,
      bytesIn: 300,
      bytesOut: 2_000,
    },
  ]);
});

it('counts what a WebSocket carries', async () => {
  const browser = await open();
  const socket = await browser.openWebSocket(`${device.origin.replace('http:', 'ws:')}/`, {
    headers: { origin: device.origin },
  });
  socket.send(Buffer.alloc(100_000));
  await once(socket, 'message');
  const [tunnel] = await list('live');
  for (const bytes of [tunnel?.bytesIn, tunnel?.bytesOut]) {
    expect(bytes).toBeGreaterThanOrEqual(100_000);
    expect(bytes).toBeLessThan(101_000);
  }
  socket.terminate();
});

it('a tunnel is ended by an admin: what is open is cut, its cookie opens nothing more, the audit log and the history say who', async () => {
  const browser = await open();
  await (await browser.request(device.origin)).text();
  const socket: WebSocket = await browser.openWebSocket(`${device.origin.replace('http:', 'ws:')}/`, {
    headers: { origin: device.origin },
  });
  const closed = once(socket, 'close');
  const [tunnel] = await list('live');
  const admin = await fixture.addUser('admin');
  expect((await end(tunnel?.id ?? '', admin)).status).toBe(204);
  await closed;
  expect((await browser.request(device.origin)).status).toBe(401);
  expect(await list('live')).toEqual([]);
  expect(await list('ended')).toMatchObject([
    { id: tunnel?.id, endReason: 'ended_by_admin', endedBy: { email: admin.email } },
  ]);
  const event = await fixture.server.db
    .selectFrom('audit_events')
    .selectAll()
    .where('action', '=', 'tunnel.ended')
    .where('subject', '=', device.serialNumber)
    .executeTakeFirstOrThrow();
  expect(event).toMatchObject({
    user_id: admin.id,
    organization_id: fixture.organization,
    details: { user: user.email, kind: 'http' },
  });
  expect((await end(tunnel?.id ?? '')).body).toMatchObject({ code: 'tunnel_not_found' });
});

it('a tunnel is ended once by two admins at the same moment', async () => {
  const browser = await open();
  await (await browser.request(device.origin)).text();
  const [tunnel] = await list('live');
  const answers = await Promise.all([1, 2, 3].map(() => end(tunnel?.id ?? '')));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
});

it('a tunnel is not ended through another organization', async () => {
  const browser = await open();
  await (await browser.request(device.origin)).text();
  const [tunnel] = await list('live');
  const stranger = await fixture.server.createUser();
  const organizationId = await fixture.server.createOrganization(stranger);
  const params = { organizationId, tunnelId: tunnel?.id ?? '' };
  expect((await fixture.server.call('endTunnel', { as: stranger, params })).status).toBe(404);
  expect((await browser.request(device.origin)).status).toBe(200);
});

it('shows addresses to admins, and to everybody their own', async () => {
  const browser = await open();
  await (await browser.request(device.origin)).text();
  const colleague = await fixture.addUser('member');
  const addresses = async (as: TestUser) => (await list('live', as)).map(({ address }) => address !== null);
  expect(await addresses(await fixture.addUser('admin'))).toEqual([true]);
  expect(await addresses(user)).toEqual([true]);
  expect(await addresses(colleague)).toEqual([false]);
});

it('outlives its controller in the history, by its serial number', async () => {
  const browser = await open();
  await (await browser.request(device.origin)).text();
  const { serialNumber } = device;
  await fixture.server.call('deleteController', { as: fixture.owner, params: { serialNumber } });
  await expect.poll(() => list('ended')).toMatchObject([{ serialNumber, endReason: 'controller_removed' }]);
});

it('a tunnel that was open when the server was killed ended when it was last written down', async () => {
  const browser = await open();
  await (await browser.request(device.origin)).text();
  const [tunnel] = await list('live');
  const { db, server, clock } = fixture.server;
  const killed = {
    ...(await db
      .selectFrom('tunnel_records')
      .selectAll()
      .where('id', '=', tunnel?.id ?? '')
      .executeTakeFirstOrThrow()),
    id: createId(),
  };
  // Of the run before, which wrote no more.
  await db
    .insertInto('tunnel_records')
    .values({
      ...killed,
      node_id: 'gone',
      bytes_in: Number(killed.bytes_in),
      bytes_out: Number(killed.bytes_out),
    })
    .execute();
  const lastWritten = clock.now().toISOString();
  clock.advance(60_000);
  await server.recoverFromCrash();
  const ended = await list('ended');
  expect(ended.find(({ id }) => id === killed.id)).toMatchObject({
    endReason: 'server_failed',
    endedAt: lastWritten,
  });
});

it('a tunnel is forgotten after its time', async () => {
  const browser = await open();
  await (await browser.request(device.origin)).text();
  const [tunnel] = await list('live');
  await end(tunnel?.id ?? '');
  expect(await list('ended')).toHaveLength(1);
  const forget = fixture.server.server.jobs.find(({ name }) => name === 'delete-forgotten-tunnels');
  await forget?.run();
  expect(await list('ended')).toHaveLength(1);
  await fixture.server.db
    .updateTable('tunnel_records')
    .set({ ended_at: new Date(fixture.server.clock.now().getTime() - lifetimes.tunnelHistory * 1000 - 1) })
    .where('id', '=', tunnel?.id ?? '')
    .execute();
  await forget?.run();
  expect(await list('ended')).toEqual([]);
});
