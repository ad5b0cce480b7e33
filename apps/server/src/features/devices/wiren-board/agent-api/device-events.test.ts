import type { WirenBoardDevice } from '@pult/testkit';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

let fixture: WirenBoardFixture;
// The clock stands at the server's start.
beforeEach(async () => {
  fixture = await createWirenBoardFixture({ isTls: false });
});
afterEach(() => fixture.close());

const hourMs = 3600_000;

/** Polls after that time; whether the controller was sent its configuration. */
async function tellsAfter(device: WirenBoardDevice, seconds: number): Promise<boolean> {
  fixture.server.clock.advance(seconds * 1000);
  const before = device.confirmed.length;
  await device.poll();
  return device.confirmed.length > before;
}

async function waitForStatus(serialNumber: string, status: 'online' | 'offline'): Promise<void> {
  const find = fixture.server.db
    .selectFrom('controllers')
    .select('status')
    .where('serial_number', '=', serialNumber);
  await expect.poll(() => find.executeTakeFirst()).toEqual({ status });
}

async function openTunnel(device: WirenBoardDevice) {
  const tunnel = await device.openTunnel({});
  await waitForStatus(device.serialNumber, 'online');
  return tunnel;
}

/** As an earlier run of the server left a controller that was configured, and seen last, an hour ago. */
async function leaveBefore(serialNumber: string, status: 'online' | 'offline') {
  const { server } = fixture;
  const at = new Date(server.clock.now().getTime() - hourMs);
  const { enrolment_id: enrolmentId } = await server.db
    .updateTable('controllers')
    .set({ status, status_since: at, last_seen_at: at })
    .where('serial_number', '=', serialNumber)
    .returning('enrolment_id')
    .executeTakeFirstOrThrow();
  await server.db
    .updateTable('device_events')
    .set({ confirmed_at: at })
    .where('enrolment_id', '=', enrolmentId)
    .execute();
}

it('a controller whose tunnel is lost is sent its configuration a minute after the loss, and not at once', async () => {
  const device = await fixture.addDevice('LOST1');
  const tunnel = await openTunnel(device);
  expect(await tellsAfter(device, 3600)).toBe(false);
  tunnel.yamux.socket.destroy();
  await waitForStatus('LOST1', 'offline');
  expect(await tellsAfter(device, 0)).toBe(false);
  expect(await tellsAfter(device, 59)).toBe(false);
  expect(await tellsAfter(device, 1)).toBe(true);
});

it('a controller whose tunnel comes back within a minute keeps its configuration, however often', async () => {
  const device = await fixture.addDevice('BACK1');
  for (let outage = 0; outage < 3; outage++) {
    const tunnel = await openTunnel(device);
    expect(await tellsAfter(device, 3600)).toBe(false);
    tunnel.yamux.socket.destroy();
    await waitForStatus('BACK1', 'offline');
    expect(await tellsAfter(device, 59)).toBe(false);
  }
});

it.each(['online', 'offline'] as const)(
  'a controller that was %s before the server’s start gets a minute for its tunnel',
  async (status) => {
    const serialNumber = `BEFORE${status.toUpperCase()}`;
    const device = await fixture.addDevice(serialNumber);
    await leaveBefore(serialNumber, status);
    expect(await tellsAfter(device, 0)).toBe(false);
    expect(await tellsAfter(device, 59)).toBe(false);
    expect(await tellsAfter(device, 1)).toBe(true);
    expect(await tellsAfter(device, 119)).toBe(false);
    expect(await tellsAfter(device, 1)).toBe(true);
  },
);

it('a controller gets a minute for its tunnel from the start of a node that may hold it', async () => {
  const device = await fixture.addDevice('NODES1');
  fixture.server.clock.advance(hourMs);
  const { db } = fixture.server;
  await sql`insert into nodes (id, address, version, state, started_at, lease_until)
    values ('another', 'another:1', '1.0.0', 'active', now(), now() + interval '1 hour')`.execute(db);
  expect(await tellsAfter(device, 0)).toBe(false);
  await sql`update nodes set started_at = now() - interval '2 minutes' where id = 'another'`.execute(db);
  expect(await tellsAfter(device, 0)).toBe(true);
});

it('a configuration that waits to be sent again is dropped once the tunnel is back', async () => {
  const device = await fixture.addDevice('WAITS1');
  fixture.server.clock.advance(60_000);
  const { body } = await device.call('GET', 'events/');
  expect(body).toMatchObject({ code: 'update_tunnel_config' });
  const tunnel = await openTunnel(device);
  expect(await tellsAfter(device, 10)).toBe(false);
  tunnel.yamux.socket.destroy();
  await waitForStatus('WAITS1', 'offline');
  expect(await tellsAfter(device, 60)).toBe(true);
});
