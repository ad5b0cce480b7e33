import { once } from 'node:events';
import { type ConnectionKind, connectionKinds, tcpStreamPath, tunnelKeyHeader } from '@pult/contract';
import { freePort, freePortRange, HttpClient } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createJumpFixture, type JumpFixture, openChannel } from './jump/jump.fixture.ts';
import { type ClaimedDevice, startRawUpstream, startUpstream, type WebUpstream } from './tunnel.fixture.ts';

/** No way there is to a port leads a member or a guest to the broker of a controller: what counts is who has connected to it. */

const brokerPorts = [1883, 18884, 18885, 18886];
const pagePort = 8080;

let t: JumpFixture;
let broker: Awaited<ReturnType<typeof startRawUpstream>>;
let page: WebUpstream;
let reached = 0;

beforeAll(async () => {
  broker = await startRawUpstream((socket) => {
    reached += 1;
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
  });
  page = await startUpstream((_, response) => void response.end('a page'));
});
afterAll(() => {
  broker.close();
  page.close();
});

const call: JumpFixture['fixture']['server']['call'] = (name, options) =>
  t.fixture.server.call(name, options);

/** A controller of that kind, whose owner has named the port and a page. */
async function addController(kind: ConnectionKind, port: number): Promise<ClaimedDevice> {
  const endpoints = { [`port-${port}`]: broker.port, [`port-${pagePort}`]: page.port };
  const device = await t.fixture.addDevice(`WAYS-${kind}-${port}`.toUpperCase(), { endpoints });
  const params = { serialNumber: device.serialNumber };
  for (const each of [port, pagePort]) {
    const body = { port: each, name: `On ${each}` };
    expect((await call('createService', { as: t.fixture.owner, params, body })).status).toBe(201);
  }
  await t.fixture.server.db
    .updateTable('controllers')
    .set({ connection_kind: kind })
    .where('serial_number', '=', device.serialNumber)
    .execute();
  t.fixture.server.clock.advance(1);
  return device;
}

async function visit(browser: HttpClient, address: string): Promise<number> {
  const answer = await browser.request(address);
  answer.body.resume();
  return answer.status;
}

/** A browser with the cookie of what that address of a ticket opens. */
async function enter(address: string): Promise<HttpClient> {
  const browser = new HttpClient();
  expect(await visit(browser, address)).toBe(303);
  expect(await visit(browser, `${new URL(address).origin}/`)).toBe(200);
  return browser;
}

/** Of a guest of the page. */
async function enterAsGuest({ serialNumber }: ClaimedDevice): Promise<HttpClient> {
  const expiresAt = new Date(t.fixture.server.clock.now().getTime() + 3_600_000).toISOString();
  const body = { service: String(pagePort), name: 'Fitter', expiresAt };
  const link = await call('createGuestLink', { as: t.fixture.owner, params: { serialNumber }, body });
  const { url, pin } = link.body as { url: string; pin: string };
  const entered = await call('enterAsGuest', { body: { token: new URL(url).hash.slice(1), pin } });
  return enter((entered.body as { url: string }).url);
}

/** Whether a connection by that key was taken, and said something. */
async function openTcp(key: string, { access }: TestUser): Promise<boolean> {
  const socket = new WebSocket(`ws://127.0.0.1:${t.fixture.server.port}${tcpStreamPath}`, {
    headers: { authorization: `Bearer ${access}`, [tunnelKeyHeader]: key },
  });
  socket.on('error', () => {});
  socket.once('open', () => socket.send(Buffer.from('hello')));
  const isAnswered = once(socket, 'message').then(() => true);
  const isOver = once(socket, 'close').then(() => false);
  isAnswered.catch(() => {});
  try {
    return await Promise.race([isAnswered, isOver]);
  } finally {
    socket.terminate();
  }
}

const byHosts = async () => ({});
async function byPorts() {
  const [server, range] = [await freePort(), await freePortRange(40)];
  return {
    PORT: String(server),
    PUBLIC_URL: `http://127.0.0.1:${server}`,
    TUNNEL_PORTS: `${range.from}-${range.to}`,
  };
}

describe.each([
  ['a host of its own', byHosts, connectionKinds],
  ['a port of the server', byPorts, ['wiren-board']],
] as const)('a broker that is named, where each web interface has %s', (_, createEnvironment, kinds) => {
  beforeAll(async () => {
    t = await createJumpFixture({ environment: await createEnvironment() });
  });
  afterAll(() => t[Symbol.asyncDispose]());

  const places = kinds.flatMap((kind) => brokerPorts.map((port) => [port, kind] as const));

  it.each(places)('%s of a device by %s: no member and no guest, by any way', async (port, kind) => {
    const device = await addController(kind, port);
    const { serialNumber } = device;
    const params = { serialNumber };
    const [member, admin] = [await t.fixture.addUser('member'), await t.fixture.addUser('admin')];
    const opened = await t.fixture.openTunnel(device, String(port), admin);
    const { origin } = new URL(opened.url);
    reached = 0;

    const refusals = [
      await call('createService', { as: member, params, body: { port, name: 'Mine' } }),
      await call('updateService', {
        as: member,
        params: { ...params, port: String(port) },
        body: { scheme: 'https' },
      }),
      await call('openTunnel', { as: member, params: { serialNumber, protocol: String(port) } }),
      await call('openTunnel', { as: member, params: { serialNumber, protocol: `tcp-${port}` } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const expiresAt = new Date(t.fixture.server.clock.now().getTime() + 3_600_000).toISOString();
    for (const as of [member, admin, t.fixture.owner]) {
      const body = { service: String(port), name: 'Guest', expiresAt };
      expect((await call('createGuestLink', { as, params, body })).status).toBeGreaterThanOrEqual(400);
    }

    // What they may open opens nothing but itself.
    const ticket = await t.fixture.openTunnel(device, String(pagePort), member);
    const asked = new URL(ticket.url);
    expect(await visit(new HttpClient(), `${origin}${asked.pathname}${asked.search}`)).not.toBe(303);
    const own = await t.fixture.openTunnel(device, String(pagePort), member);
    for (const browser of [await enter(own.url), await enterAsGuest(device), new HttpClient()]) {
      expect(await visit(browser, `${origin}/`)).not.toBe(200);
    }
    for (const { key } of [own, opened]) expect(await openTcp(key, member)).toBe(false);
    await expect(openChannel(await t.logIn({ user: member }), serialNumber, port)).rejects.toThrow();
    expect(reached).toBe(0);

    await enter(opened.url);
    const { key } = await t.fixture.openTunnel(device, `tcp-${port}`, admin);
    expect(await openTcp(key, admin)).toBe(true);
    expect(reached).toBe(2);
  });
});
