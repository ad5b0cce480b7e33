import type { CreatedGuestLink } from '@pult/contract';
import { freePort, freePortRange, HttpClient, startStopwatch } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken } from '../accounts/tokens/tokens.fixture.ts';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from './tunnel.fixture.ts';

/** What was opened, named or shared before its port became reserved, with the timing of a real server. */

let t: TunnelFixture;
let web: WebUpstream;

async function byPorts() {
  const [server, range] = [await freePort(), await freePortRange(8)];
  return {
    PORT: String(server),
    PUBLIC_URL: `http://127.0.0.1:${server}`,
    TUNNEL_PORTS: `${range.from}-${range.to}`,
  };
}

beforeAll(async () => {
  web = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('begun');
  });
});
afterAll(() => web.close());

const port = 1880;
const call: TunnelFixture['server']['call'] = (name, options) => t.server.call(name, options);

async function addDevice(serialNumber: string): Promise<ClaimedDevice> {
  const device = await t.addDevice(serialNumber, { endpoints: { 'port-1880': web.port } });
  const params = { serialNumber };
  await call('createService', { as: t.owner, params, body: { port, name: 'Node-RED' } });
  t.server.clock.advance(1);
  return device;
}

/** The port is the gate of a controller of that kind, and nothing of other ones. */
const becomeReserved = ({ serialNumber }: ClaimedDevice) =>
  t.server.db
    .updateTable('controllers')
    .set({ connection_kind: 'wiren-board' })
    .where('serial_number', '=', serialNumber)
    .execute();

async function openPage(url: string) {
  const browser = new HttpClient();
  const ticket = await browser.request(url);
  ticket.body.resume();
  expect(ticket.status).toBe(303);
  const page = `${new URL(url).origin}/`;
  const events = await browser.request(page);
  expect(events.status).toBe(200);
  const end = new Promise<void>((resolve) => {
    events.body.on('error', () => resolve()).resume();
  });
  const ask = async () => {
    const answer = await browser.request(page);
    answer.body.on('error', () => {}).destroy();
    return answer.status;
  };
  return { end, ask };
}

async function openAs(device: ClaimedDevice, as: TestUser) {
  return openPage((await t.openTunnel(device, String(port), as)).url);
}

async function share({ serialNumber }: ClaimedDevice): Promise<CreatedGuestLink> {
  const expiresAt = new Date(t.server.clock.now().getTime() + 3_600_000).toISOString();
  const body = { service: port, name: 'Fitter', expiresAt, uses: 5 };
  const answer = await call('createGuestLink', { as: t.owner, params: { serialNumber }, body });
  expect(answer.status).toBe(201);
  return answer.body as CreatedGuestLink;
}
const enter = ({ url, pin }: CreatedGuestLink) =>
  call('enterAsGuest', { body: { token: new URL(url).hash.slice(1), pin } });

describe.each([
  ['by host name', async () => ({})],
  ['by port', byPorts],
] as const)('a web interface %s whose port is reserved now', (_, createEnvironment) => {
  beforeAll(async () => {
    t = await createTunnelFixture({
      environment: await createEnvironment(),
      timing: { tunnelCheckMs: undefined },
    });
  });
  afterAll(() => t.close());

  it('a service on a port that becomes reserved ends for members, weak tokens and guests within 2 s, and goes on for admins', async () => {
    const device = await addDevice('RESERVED-1');
    const [admin, member] = [await t.addUser('admin'), await t.addUser('member')];
    const { token } = await addToken(t.server, admin, ['tunnels.open']);
    const link = await share(device);
    const { body } = await enter(link);
    const kept = await openAs(device, admin);
    const closed = [
      await openAs(device, member),
      await openAs(device, { ...admin, access: token }),
      await openPage((body as { url: string }).url),
    ];
    const elapsed = startStopwatch();
    await becomeReserved(device);
    await Promise.all(closed.map(({ end }) => end));
    expect(elapsed()).toBeLessThan(2_000);
    t.server.clock.advance(1_000);
    for (const { ask } of closed) expect(await ask()).toBe(401);
    expect(await kept.ask()).toBe(200);
    expect(await enter(link)).toMatchObject({ status: 404, body: { code: 'guest_link_invalid' } });
    const ended = await call('listTunnels', {
      as: t.owner,
      params: { organizationId: t.organization },
      query: { state: 'ended' },
    });
    const { results } = ended.body as { results: { endReason: string }[] };
    expect(results.map(({ endReason }) => endReason).sort()).toEqual([
      'port_reserved',
      'port_reserved',
      'role_changed',
    ]);
  });

  it('a ticket to a port that has become reserved opens nothing for a member', async () => {
    const device = await addDevice('RESERVED-2');
    const { url } = await t.openTunnel(device, String(port), await t.addUser('member'));
    await becomeReserved(device);
    const answer = await new HttpClient().request(url);
    answer.body.resume();
    expect(answer.status).toBe(400);
  });

  it('a reserved port ends for an admin who becomes a member', async () => {
    const device = await addDevice('RESERVED-3');
    await becomeReserved(device);
    const admin = await t.addUser('admin');
    const { end, ask } = await openAs(device, admin);
    const params = { organizationId: t.organization, userId: admin.id };
    await call('updateMember', { as: t.owner, params, body: { role: 'member' } });
    await end;
    expect(await ask()).toBe(401);
  });

  it('a member takes away a service on a reserved port, and cannot name it again', async () => {
    const { serialNumber, ...device } = await addDevice('RESERVED-4');
    await becomeReserved({ serialNumber, ...device });
    const as = await t.addUser('member');
    const params = { serialNumber };
    const gone = await call('deleteService', { as, params: { serialNumber, port: String(port) } });
    expect(gone.status).toBe(204);
    const again = await call('createService', { as, params, body: { port, name: 'Node-RED' } });
    expect(again).toMatchObject({ status: 403, body: { code: 'port_reserved' } });
  });
});
