import { randomBytes } from 'node:crypto';
import {
  createTestDevice,
  enrolTestDevice,
  type ListeningServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEnrolmentsRepository } from '../enrolments.repository.ts';
import { createWirenBoardFixture, type WirenBoardFixture } from './wiren-board.fixture.ts';

// Controllers whose owners have told the vendor's agent to leave (`wb-cloud-agent cloud-unbind`, `del-provider`).

let fixture: WirenBoardFixture;
let server: ListeningServer;
let owner: TestUser;
let organization: string;
let other: { owner: TestUser; organization: string };

beforeAll(async () => {
  fixture = await createWirenBoardFixture({ isTls: false });
  ({ server, owner, organization } = fixture);
  const stranger = await server.createUser();
  other = { owner: stranger, organization: await server.createOrganization(stranger) };
});
afterAll(() => fixture.close());

type Device = Awaited<ReturnType<WirenBoardFixture['createDevice']>>;
const makeSerialNumber = () => `WB${randomBytes(4).toString('hex').toUpperCase()}`;
const leave = (device: Device) => device.call('DELETE', 'delete-controller/');
const tokenShown = (device: Device) => new URL(device.activationLink ?? '').searchParams.get('token') ?? '';
const activate = (token: string, { owner: as, organization: into } = { owner, organization }) =>
  server.call('activateController', { as, body: { token, organization: into } });
const get = (serialNumber: string, as = owner) =>
  server.call('getController', { as, params: { serialNumber } });
const getEnrolment = (serialNumber: string) =>
  server.db
    .selectFrom('enrolments')
    .selectAll()
    .where('serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();
/** Nobody has seen the device for so long that it keeps no other one from being claimed. */
const forgetSeen = (serialNumber: string) =>
  server.db
    .updateTable('enrolments')
    .set({ last_seen_at: new Date(server.clock.now().getTime() - 3 * 24 * 3600_000) })
    .where('serial_number', '=', serialNumber)
    .execute();
const listAudit = async (serialNumber: string) =>
  (
    await server.db
      .selectFrom('audit_events')
      .select(['action', 'organization_id as organizationId', 'user_id as userId'])
      .where('subject', '=', serialNumber)
      .orderBy('id')
      .execute()
  ).filter(({ action }) => action !== 'controller.activated');

/** One that is online, with its tunnel. */
async function addLinked(serialNumber = makeSerialNumber()) {
  const device = await fixture.addDevice(serialNumber);
  const tunnel = await device.openTunnel({});
  await expect.poll(async () => (await get(serialNumber)).body).toMatchObject({ status: 'online' });
  return { serialNumber, device, tunnel };
}

/** What the organization is told of while it runs. */
async function watch(run: () => Promise<unknown>) {
  const heard: { topic: string; type?: string; reason?: string }[] = [];
  const endings = [
    server.server.events.subscribe('accessEnded', () => heard.push({ topic: 'accessEnded' })),
    server.server.events.subscribe('organization', ({ event }) => {
      const reason = 'statusReason' in event ? { reason: event.statusReason } : {};
      heard.push({ topic: 'organization', type: event.type, ...reason });
    }),
  ];
  await run();
  for (const end of endings) end();
  return heard;
}

it('a controller whose agent leaves stays with all that it had, offline and detached, and loses its tunnel', async () => {
  const { serialNumber, device, tunnel } = await addLinked();
  const { body: before } = await get(serialNumber);
  expect((await leave(device)).status).toBe(204);
  await tunnel.closed;
  const now = server.clock.now().toISOString();
  expect((await get(serialNumber)).body).toEqual({
    ...(before as object),
    ...{ status: 'offline', statusReason: 'detached', statusSince: now, detachedAt: now, lastSeenAt: now },
  });
  const refused = await device.openTunnel({});
  await refused.closed;
  expect(refused.heard).toMatchObject([{ type: '1', body: { error: 'authorization failed' } }]);
  // As after any later restart of its agent.
  for (const _ of [1, 2]) {
    expect((await device.startUp()).body).toMatchObject({ activated: false });
    await device.poll();
  }
  expect(device.confirmed).toEqual(['update_tunnel_config']);
  expect((await get(serialNumber)).body).toMatchObject({ status: 'offline', statusReason: 'detached' });
});

it('a controller whose agent leaves is counted and found as one that is offline, and exported with the time', async () => {
  const { serialNumber, device } = await addLinked();
  await leave(device);
  const query = { serial_number: serialNumber };
  const list = (status: string) => server.call('listControllers', { as: owner, query: { ...query, status } });
  expect((await list('offline')).body).toMatchObject({ count: 1, results: [{ serialNumber }] });
  expect((await list('online')).body).toMatchObject({ count: 0 });
  expect((await server.call('countControllers', { as: owner, query })).body).toEqual({
    ...{ count: 1, countOnline: 0, countOffline: 1, countNever: 0 },
  });
  const { body } = await server.call('exportControllers', { as: owner, query });
  const [, line = ''] = String(body).split('\r\n');
  expect(line).toContain(serialNumber);
  expect(line).toMatch(/,\d{4}-\d\d-\d\d[^,]*$/);
});

it('an agent that leaves is one event of the log and one of the stream, however often it says so', async () => {
  const { serialNumber, device, tunnel } = await addLinked();
  const heard = await watch(async () => {
    await Promise.all([leave(device), leave(device), leave(device)]);
    await tunnel.closed;
    await leave(device);
  });
  expect(heard).toEqual([
    { topic: 'accessEnded' },
    { topic: 'organization', type: 'controller.status', reason: 'detached' },
  ]);
  expect(await listAudit(serialNumber)).toEqual([
    { action: 'controller.left', organizationId: organization, userId: null },
  ]);
});

it('a link of the time before its agent left claims nothing', async () => {
  const device = await fixture.createDevice(makeSerialNumber());
  await device.startUp();
  const token = tokenShown(device);
  expect((await activate(token)).status).toBe(200);
  await leave(device);
  expect(await activate(token)).toMatchObject({ status: 400, body: { code: 'activation_token_invalid' } });
});

it('a controller that left goes on where it was, once its organization has claimed it again', async () => {
  const { serialNumber, device } = await addLinked();
  const description = 'Boiler room';
  await server.call('updateController', { as: owner, params: { serialNumber }, body: { description } });
  const { body: before } = await get(serialNumber);
  const { id, activatedAt } = before as { id: string; activatedAt: string };
  const token = device.tunnelConfig?.token;
  await leave(device);
  await device.startUp();
  server.clock.advance(60_000);
  const now = server.clock.now().toISOString();
  expect(await activate(tokenShown(device))).toMatchObject({
    status: 200,
    body: {
      ...{ id, activatedAt, description, status: 'offline', statusReason: 'link' },
      ...{ statusSince: now, detachedAt: null },
    },
  });
  await device.poll();
  expect(device.tunnelConfig?.token).not.toBe(token);
  await device.openTunnel({});
  await expect.poll(async () => (await get(serialNumber)).body).toMatchObject({ status: 'online' });
});

it('a controller that left is claimed by another organization once it is deleted where it was', async () => {
  const { serialNumber, device } = await addLinked();
  const { body: before } = await get(serialNumber);
  await leave(device);
  await device.startUp();
  expect(await activate(tokenShown(device), other)).toMatchObject({
    ...{ status: 409, body: { code: 'serial_number_taken' } },
  });
  const { id } = before as { id: string };
  expect((await get(serialNumber)).body).toMatchObject({ id, statusReason: 'detached' });
  await fixture.remove(serialNumber);
  expect(await activate(tokenShown(device), other)).toMatchObject({ status: 200, body: { status: 'never' } });
});

it('a device that only says the serial number of a controller that left takes it from no organization', async () => {
  const { serialNumber, device } = await addLinked();
  await leave(device);
  await forgetSeen(serialNumber);
  const token = tokenOf(await enrolTestDevice(server, createTestDevice(serialNumber)));
  expect(await activate(token, other)).toMatchObject({ status: 409, body: { code: 'serial_number_taken' } });
  expect((await get(serialNumber)).body).toMatchObject({ statusReason: 'detached' });
});

it('a controller that left takes in a device that proves nothing from an admin, and from no member', async () => {
  const { serialNumber, device } = await addLinked();
  const hostKey = Buffer.from('the host key of the device that left');
  await server.db
    .updateTable('controllers')
    .set({ ssh_host_key: hostKey })
    .where('serial_number', '=', serialNumber)
    .execute();
  await leave(device);
  await forgetSeen(serialNumber);
  const member = await server.createUser();
  await server.addMember(organization, member, 'member');
  const token = tokenOf(await enrolTestDevice(server, createTestDevice(serialNumber)));
  expect(await activate(token, { owner: member, organization })).toMatchObject({
    ...{ status: 409, body: { code: 'replacement_needs_admin' } },
  });
  expect((await get(serialNumber)).body).toMatchObject({ statusReason: 'detached' });
  expect(await activate(token)).toMatchObject({ status: 200, body: { connectionKind: 'agent' } });
  expect((await listAudit(serialNumber)).map(({ action }) => action)).toEqual([
    'controller.left',
    'access.refused',
    'host_key.forgotten',
  ]);
});

it('a controller that left is deleted as any other, and its device may be claimed after it', async () => {
  const { serialNumber, device } = await addLinked();
  await leave(device);
  expect((await fixture.remove(serialNumber)).status).toBe(204);
  await device.startUp();
  expect((await activate(tokenShown(device), other)).status).toBe(200);
});

it('a call to leave that comes after the next claim ends nothing', async () => {
  const { serialNumber, device } = await addLinked();
  const repository = createEnrolmentsRepository(server.db);
  const late = await getEnrolment(serialNumber);
  await leave(device);
  await device.startUp();
  await activate(tokenShown(device));
  const detached = await server.db
    .transaction()
    .execute((transaction) => repository.detach(transaction, late, server.clock.now()));
  expect(detached).toBeUndefined();
  expect((await get(serialNumber)).body).toMatchObject({ detachedAt: null });
});

it('a call to leave beside claims and deletions of its controller leaves one of them whole', async () => {
  for (let round = 0; round < 10; round += 1) {
    const serialNumber = makeSerialNumber();
    const device = await fixture.addDevice(serialNumber);
    await leave(device);
    await device.startUp();
    const token = tokenShown(device);
    const answers = await Promise.all([
      activate(token),
      leave(device),
      activate(token, other),
      fixture.remove(serialNumber),
      leave(device),
    ]);
    for (const { status } of answers) expect([200, 204, 400, 404, 409]).toContain(status);
    const rows = await server.db
      .selectFrom('controllers')
      .select(['enrolment_id', 'status_reason'])
      .where('serial_number', '=', serialNumber)
      .execute();
    expect(rows.length).toBeLessThanOrEqual(1);
    const isClaimed = rows.some((row) => row.enrolment_id !== null);
    expect((await device.startUp()).body).toMatchObject({ activated: isClaimed });
  }
});

it('the devices that nobody has claimed are counted on whatever way a controller goes', async () => {
  const count = async () => {
    const rows = await server.db.selectFrom('enrolment_counts').selectAll().execute();
    return rows.filter(({ network }) => network === '*').reduce((sum, { change }) => sum + change, 0);
  };
  const before = await count();
  const { serialNumber, device } = await addLinked();
  expect(await count()).toBe(before);
  await leave(device);
  expect(await count()).toBe(before + 1);
  await device.startUp();
  await activate(tokenShown(device));
  expect(await count()).toBe(before);
  await leave(device);
  await fixture.remove(serialNumber);
  expect(await count()).toBe(before + 1);
});
