import { needsRoom, type RouteName, routes } from '@pult/contract';
import { startSmtpServer } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTelemetryFixture, valueEntry } from '../features/telemetry/telemetry.fixture.ts';
import { type DiskRoom, judgeDatabaseRoom, writeLimit } from './disk-guard.ts';
import { createLog } from './log.ts';

const megabyte = 2 ** 20;
const limit = 512 * megabyte;
const plenty = 10 * limit;

/** A disk as full as a test says. */
class FakeDisk {
  availableBytes = plenty;
  /** How often the reserve was made. */
  reserves = 0;
  hasReserve = false;
  async measureRoom() {
    return { availableBytes: this.availableBytes };
  }
  async readMaxWalSize() {
    return limit / 2;
  }
  async keepReserve() {
    if (!this.hasReserve) this.reserves += 1;
    this.hasReserve = true;
  }
}

const options = (disk: FakeDisk) => ({ databaseDisk: disk, timing: { diskGuardMs: 5 } });

const until = (server: TestServer, room: DiskRoom) =>
  vi.waitFor(() => {
    const guard = server.server.features.find(({ name }) => name === 'disk guard');
    expect(guard).toMatchObject({ room });
  }, 10_000);

describe('how much room is little', () => {
  it('goes by the log that the database may write, and is 256 MB at least', () => {
    expect([10, 256, 1024].map((size) => writeLimit(size * megabyte) / megabyte)).toEqual([256, 512, 2048]);
  });

  it.each<[number, DiskRoom, DiskRoom]>([
    [641, 'enough', 'enough'],
    [639, 'enough', 'low'],
    [511, 'enough', 'full'],
    [511, 'low', 'full'],
    [513, 'low', 'low'],
    [513, 'full', 'full'],
    [577, 'full', 'low'],
    [641, 'low', 'low'],
    [705, 'low', 'enough'],
    [705, 'full', 'enough'],
  ])('%i MB after %s are %s, so that it does not change at each piece of log', (free, before, room) => {
    expect(judgeDatabaseRoom(free * megabyte, limit, before)).toBe(room);
  });
});

describe('a server whose disk is full', () => {
  const disk = new FakeDisk();
  let server: TestServer;
  let user: TestUser;
  beforeAll(async () => {
    server = await createTestServer(options(disk));
    await server.server.listen();
    user = await server.createUser();
  });
  afterEach(async () => {
    disk.availableBytes = plenty;
    await until(server, 'enough');
  });
  afterAll(() => server.close());

  const fill = async (availableBytes = limit - 1) => {
    disk.availableBytes = availableBytes;
    await until(server, availableBytes < limit ? 'full' : 'low');
  };

  it('refuses every call that changes something, and none that reads', async () => {
    await fill();
    const params = new Proxy({}, { get: () => 'x' }) as Record<string, string>;
    const answers = await Promise.all(
      (Object.keys(routes) as RouteName[])
        .filter((name) => routes[name].access !== 'administrator' && name !== 'logout')
        .filter((name) => !('kind' in routes[name] && routes[name].kind === 'events'))
        .map(async (name) => ({
          name,
          status: (await server.call(name, { as: user, params, body: {} })).status,
        })),
    );
    const refused = answers.filter(({ status }) => status === 507).map(({ name }) => name);
    expect(refused.sort()).toEqual(
      answers.flatMap(({ name }) => (needsRoom(routes[name]) ? [name] : [])).sort(),
    );
    expect(refused.length).toBeGreaterThan(30);
  });

  it.each([
    ['en', 'The disk of the server is full'],
    ['ru', 'На диске сервера закончилось место'],
  ])('says so in %s', async (locale, text) => {
    await fill();
    const answer = await server.call('updateCurrentUser', {
      as: user,
      body: { locale },
      headers: { 'accept-language': locale },
    });
    expect(answer).toMatchObject({
      status: 507,
      body: { code: 'storage_full', detail: expect.stringContaining(text) },
    });
  });

  it('lets those who are logged in read on and log out, and nobody in', async () => {
    const { email, password } = user;
    const leaving = await server.call('login', { body: { username: email, password } });
    expect(leaving.status).toBe(200);
    await fill();
    expect(await server.call('login', { body: { username: email, password } })).toMatchObject({
      status: 507,
    });
    const { access } = leaving.body as { access: string };
    const headers = { authorization: `Bearer ${access}` };
    expect(await server.call('getCurrentUser', { headers })).toMatchObject({ status: 200 });
    expect(await server.call('logout', { headers })).toMatchObject({ status: 204 });
    expect(await server.call('getCurrentUser', { headers })).toMatchObject({ status: 401 });
  });

  it('takes changes while it is only nearly full, and again when there is room', async () => {
    const change = async () =>
      (await server.call('updateCurrentUser', { as: user, body: { locale: 'en' } })).status;
    await fill(limit + 1);
    expect(await change()).toBe(200);
    await fill();
    expect(await change()).toBe(507);
    disk.availableBytes = plenty;
    await until(server, 'enough');
    expect(await change()).toBe(200);
  });

  it('makes its reserve where there is room for it, and anew after it was full', async () => {
    await vi.waitFor(() => expect(disk.reserves).toBeGreaterThan(0));
    await fill();
    disk.hasReserve = false;
    const before = disk.reserves;
    disk.availableBytes = limit + 200 * megabyte;
    await until(server, 'enough');
    expect(disk.reserves).toBe(before);
    disk.availableBytes = plenty;
    await vi.waitFor(() => expect(disk.reserves).toBe(before + 1));
  });

  it('makes its reserve anew that was given up between two looks', async () => {
    await vi.waitFor(() => expect(disk.hasReserve).toBe(true));
    const before = disk.reserves;
    disk.hasReserve = false;
    await vi.waitFor(() => expect(disk.reserves).toBe(before + 1));
  });
});

it('a mail waits while the disk is nearly full, and goes out when there is room', async () => {
  await using smtp = await startSmtpServer();
  const disk = new FakeDisk();
  await using server = await createTestServer({
    ...options(disk),
    environment: { SMTP_URL: smtp.url, MAIL_FROM: 'pult@example.com' },
  });
  await server.server.listen();
  await server.startJobs();
  disk.availableBytes = limit + 1;
  await until(server, 'low');
  const user = await server.createUser();
  await server.call('requestPasswordReset', { body: { email: user.email } });
  const waiting = () =>
    server.db.selectFrom('deliveries').select(['status', 'attempts']).executeTakeFirstOrThrow();
  const queued = () =>
    server.db
      .selectFrom('graphile_worker.jobs' as 'deliveries')
      .selectAll()
      .execute();
  await vi.waitFor(async () => expect(await queued()).toEqual([]), 10_000);
  expect(await waiting()).toEqual({ status: 'waiting', attempts: 0 });
  disk.availableBytes = plenty;
  await until(server, 'enough');
  await server.server.deliveries.recoverFromCrash();
  await vi.waitFor(() => expect(smtp.mails).toHaveLength(1), 10_000);
  await vi.waitFor(async () => expect(await waiting()).toEqual({ status: 'sent', attempts: 1 }), 10_000);
});

it('devices keep what they measure while the disk is nearly full, and tell it when there is room', async () => {
  const disk = new FakeDisk();
  const { server, addDevice, waitForControl, readData } = await createTelemetryFixture(options(disk));
  try {
    const device = await addDevice();
    const { serialNumber, tell } = device;
    tell(valueEntry(1, 'supply', 'before'));
    await waitForControl(serialNumber, 'supply');
    disk.availableBytes = limit + 1;
    await until(server, 'low');
    const asked = device.asked.length;
    tell(valueEntry(2, 'supply', 'meanwhile'));
    // A link that is new is not asked either.
    await device.link();
    await vi.waitFor(async () => expect(await countOnline(server)).toBe(1), 10_000);
    expect(device.asked).toHaveLength(asked);
    expect(JSON.stringify(await readData(serialNumber))).not.toContain('meanwhile');
    disk.availableBytes = plenty;
    await waitForControl(serialNumber, 'supply', ({ value }) => value === 'meanwhile');
    expect(device.asked.at(-1)).toMatchObject({ offset: 1 });
  } finally {
    await server.close();
  }
});

const countOnline = async (server: TestServer) =>
  (await server.db.selectFrom('controllers').select('id').where('status', '=', 'online').execute()).length;

it('a disk that cannot be looked at is said so once, and stops nothing', async () => {
  const warn = vi.fn();
  const disk = new FakeDisk();
  await using server = await createTestServer({
    ...options(disk),
    log: Object.assign(createLog('silent'), { warn }),
  });
  await server.server.listen();
  const measure = vi.spyOn(disk, 'measureRoom').mockRejectedValue(new Error('EIO'));
  await vi.waitFor(() => expect(measure.mock.calls.length).toBeGreaterThan(3));
  expect(
    warn.mock.calls.filter(([, text]) => text === 'the disk of the database is not measured'),
  ).toHaveLength(1);
  await until(server, 'enough');
});
