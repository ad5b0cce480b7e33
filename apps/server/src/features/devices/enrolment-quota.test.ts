import { randomBytes } from 'node:crypto';
import { CHALLENGE_PATH } from '@pult/link';
import {
  createListeningServer,
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  linkTestDevice,
  type TestServer,
  tokenOf,
} from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fingerprintOf } from '../../platform/ssh-fingerprint.ts';

let server: TestServer;
let organizationId: string;
let owner: Awaited<ReturnType<TestServer['createUser']>>;
beforeAll(async () => {
  server = await createTestServer({ environment: { TRUSTED_PROXIES: 'loopback' } });
  owner = await server.createUser();
  organizationId = await server.createOrganization(owner);
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('controllers').execute();
  await server.db.deleteFrom('enrolments').execute();
  server.clock.advance(10_000);
});

const full = { status: 503, body: { code: 'enrolments_limit_reached' } };
const newDevice = () => createTestDevice(`Q-${randomBytes(8).toString('hex').toUpperCase()}`);
const enrolFrom = (address: string, device = newDevice(), on = server) =>
  enrolTestDevice(on, device, { headers: { 'x-forwarded-for': address } });

const activate = (token: string, replace?: string) =>
  server.call('activateController', { as: owner, body: { token, organization: organizationId, replace } });

/** Unclaimed devices of one network, the first the oldest. */
async function add(count: number, network: string, { isLinked = false, on = server } = {}): Promise<void> {
  await sql`
    insert into enrolments
      (id, handle, serial_number, public_key, model, firmware_version, agent_version, network, created_at,
        last_seen_at, linked_at)
    select gen_random_uuid(), uuid_send(gen_random_uuid()), ${network} || '-' || n, int8send(n), '', '', '',
      ${network}, now() - interval '2 hours' + n * interval '1 millisecond', now(),
      case when ${isLinked} then now() end
    from generate_series(1, ${count}::int) as n`.execute(on.db);
}

/** As kept and as counted, by network. */
async function readCounts() {
  const { rows: kept } = await sql<{ network: string; count: number }>`
    select network, sum(change)::int as count from enrolment_counts group by 1 having sum(change) <> 0
    order by 1`.execute(server.db);
  const { rows: counted } = await sql<{ network: string; count: number }>`
    with unclaimed as (
      select network from enrolments
      where not exists (select from controllers where enrolment_id = enrolments.id)
    )
    select network, count(*)::int as count from unclaimed group by 1
    union all select '*', count(*)::int from unclaimed having count(*) > 0 order by 1`.execute(server.db);
  return { kept, counted };
}

async function expectCounts(): Promise<Record<string, number>> {
  const { kept, counted } = await readCounts();
  expect(kept).toEqual(counted);
  return Object.fromEntries(kept.map(({ network, count }) => [network, count]));
}

async function isThere(serialNumber: string, on = server): Promise<boolean> {
  const row = await on.db
    .selectFrom('enrolments')
    .select('id')
    .where('serial_number', '=', serialNumber)
    .executeTakeFirst();
  return row !== undefined;
}

it('a network whose devices have all been linked is full at 2,000 unclaimed ones, and no other network with it', async () => {
  await add(1999, '198.51.100.0/24', { isLinked: true });
  const last = newDevice();
  expect((await enrolFrom('198.51.100.7', last)).status).toBe(200);
  await sql`update enrolments set linked_at = now() where linked_at is null`.execute(server.db);
  expect(await enrolFrom('198.51.100.200')).toMatchObject(full);
  expect((await enrolFrom('198.51.100.7', last)).status).toBe(200);
  expect((await enrolFrom('198.51.101.7')).status).toBe(200);
  expect(await expectCounts()).toEqual({ '*': 2001, '198.51.100.0/24': 2000, '198.51.101.0/24': 1 });
});

it('a network of IPv6 is a /48', async () => {
  await add(2000, '2001:db8:1::/48', { isLinked: true });
  expect(await enrolFrom('2001:db8:1:ffff::7')).toMatchObject(full);
  expect((await enrolFrom('2001:db8:2::7')).status).toBe(200);
});

it('a claimed device takes no room in its network', async () => {
  await add(1999, '198.51.100.0/24', { isLinked: true });
  const token = tokenOf(await enrolFrom('198.51.100.7'));
  expect((await activate(token)).status).toBe(200);
  expect((await enrolFrom('198.51.100.7')).status).toBe(200);
});

it('the oldest device that was never linked makes room in a full network', async () => {
  await add(1000, '203.0.113.0/24');
  await add(1998, '198.51.100.0/24', { isLinked: true });
  const [first, second] = [newDevice(), newDevice()];
  await enrolFrom('198.51.100.1', first);
  server.clock.advance(1000);
  await enrolFrom('198.51.100.2', second);
  expect((await enrolFrom('198.51.100.3')).status).toBe(200);
  expect([await isThere(first.serialNumber), await isThere(second.serialNumber)]).toEqual([false, true]);
  expect(await expectCounts()).toEqual({ '*': 3000, '198.51.100.0/24': 2000, '203.0.113.0/24': 1000 });
  // Its place in line is that of a new one.
  expect((await enrolFrom('198.51.100.1', first)).status).toBe(200);
  expect(await isThere(second.serialNumber)).toBe(false);
});

it('a device that was linked by itself stays in a full network, and a younger one that never was makes room', async () => {
  await using listening = await createListeningServer({ environment: { TRUSTED_PROXIES: 'loopback' } });
  const [linked, neverLinked] = [newDevice(), newDevice()];
  await enrolFrom('198.51.100.1', linked, listening);
  const link = await linkTestDevice(listening, linked);
  const readLinkedAt = () =>
    listening.db.selectFrom('enrolments').select('linked_at').executeTakeFirstOrThrow();
  await expect.poll(readLinkedAt).toEqual({ linked_at: listening.clock.now() });
  // What counts is that it was linked, not that it is.
  link.cut();
  listening.clock.advance(1000);
  await enrolFrom('198.51.100.2', neverLinked, listening);
  await add(1998, '198.51.100.0/24', { isLinked: true, on: listening });
  expect((await enrolFrom('198.51.100.3', newDevice(), listening)).status).toBe(200);
  const are = [linked, neverLinked].map(({ serialNumber }) => isThere(serialNumber, listening));
  expect(await Promise.all(are)).toEqual([true, false]);
});

it('the oldest of all makes room in a full server, and where all have been linked there is none', async () => {
  await using crowded = await createTestServer({ environment: { TRUSTED_PROXIES: 'loopback' } });
  await add(99_999, '', { isLinked: true, on: crowded });
  await add(1, '203.0.113.0/24', { on: crowded });
  expect((await enrolFrom('198.51.100.7', newDevice(), crowded)).status).toBe(200);
  const { rows } = await sql`select from enrolments where network = '203.0.113.0/24'`.execute(crowded.db);
  expect(rows).toHaveLength(0);
  await sql`update enrolments set linked_at = now() where linked_at is null`.execute(crowded.db);
  expect(await enrolFrom('192.0.2.7', newDevice(), crowded)).toMatchObject(full);
}, 120_000);

it('a server with an enrolment key has room for more of one network', async () => {
  const key = 'correct-enrolment-key-1';
  await using locked = await createTestServer({
    environment: { TRUSTED_PROXIES: 'loopback', ENROLLMENT_KEY: key },
  });
  await add(2000, '198.51.100.0/24', { isLinked: true, on: locked });
  const headers = { 'x-forwarded-for': '198.51.100.7', 'pult-enrollment-key': key };
  expect((await enrolTestDevice(locked, newDevice(), { headers })).status).toBe(200);
});

it('a quota holds for those who race for its last places', async () => {
  await add(1995, '198.51.100.0/24', { isLinked: true });
  await sql`create function mark() returns trigger language plpgsql as $$
    begin new.linked_at := now(); return new; end $$`.execute(server.db);
  await sql`create trigger mark before insert on enrolments for each row execute function mark()`.execute(
    server.db,
  );
  try {
    const answers = await Promise.all(Array.from({ length: 20 }, () => enrolFrom('198.51.100.7')));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(15).fill(503),
    ]);
  } finally {
    await sql`drop function mark cascade`.execute(server.db);
  }
  expect(await expectCounts()).toEqual({ '*': 2000, '198.51.100.0/24': 2000 });
});

it('the kept count follows claims, new keys of a controller, deletions and forgetting', async () => {
  const serialNumber = 'Q-COUNTED';
  const device = createTestDevice(serialNumber);
  const token = tokenOf(await enrolFrom('192.0.2.1', device));
  await enrolFrom('198.51.100.1', createTestDevice(serialNumber));
  await enrolFrom('203.0.113.1');
  expect(await expectCounts()).toEqual({
    '*': 3,
    '192.0.2.0/24': 1,
    '198.51.100.0/24': 1,
    '203.0.113.0/24': 1,
  });
  expect((await activate(token)).status).toBe(200);
  expect(await expectCounts()).toEqual({ '*': 1, '203.0.113.0/24': 1 });
  // Reflashed: the same serial number with another key, from elsewhere.
  const again = tokenOf(await enrolFrom('198.51.100.1', createTestDevice(serialNumber)));
  expect((await activate(again, fingerprintOf(device.publicKey))).status).toBe(200);
  await expectCounts();
  await server.call('deleteController', { as: owner, params: { serialNumber } });
  expect(await expectCounts()).toMatchObject({ '*': 2, '198.51.100.0/24': 1 });
  server.clock.advance(31 * 24 * 3600_000);
  await server.server.jobs.find((job) => job.name === 'delete-forgotten-enrolments')?.run();
  expect(await expectCounts()).toEqual({});
  const { rows } = await sql`select from enrolment_counts`.execute(server.db);
  expect(rows).toHaveLength(0);
});

it('the device queue counts a /64 as one client', async () => {
  const ask = (index: number) =>
    server.request('POST', CHALLENGE_PATH, {
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `2001:db8:7:7::${index.toString(16)}`,
      },
      payload: '{"serialNumber":"A1"}',
    });
  const asked = await Promise.all(Array.from({ length: 280 }, (_, index) => ask(index + 1)));
  expect(asked.filter(({ status }) => status === 200)).toHaveLength(250);
});
