import { setTimeout as wait } from 'node:timers/promises';
import type { OrganizationEvent } from '@pult/contract';
import { freePort } from '@pult/testkit';
import {
  createListeningServer,
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type LinkedDevice,
  type ListeningServer,
  linkTestDevice,
  TestClock,
  type TestDevice,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Events } from '../../platform/events/events.ts';
import { createLog } from '../../platform/log.ts';
import type { LocalLinks } from './local-links.ts';
import type { StatusWrite, WantedStatus } from './presence.repository.ts';
import { createPresence } from './presence.ts';

let server: ListeningServer;
let owner: TestUser;
let organization: string;

beforeAll(async () => {
  server = await createListeningServer({ timing: { startGraceMs: 600_000, touchIntervalMs: 100 } });
  owner = await server.createUser();
  organization = await server.createOrganization(owner);
});
afterAll(() => server.close());

async function claimDevice(serialNumber: string) {
  const device = createTestDevice(serialNumber);
  const token = tokenOf(await enrolTestDevice(server, device));
  await server.call('activateController', { as: owner, body: { token, organization } });
  return device;
}

const row = (serialNumber: string) =>
  server.db
    .selectFrom('controllers')
    .select(['status', 'status_reason', 'status_since', 'last_seen_at'])
    .where('serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();

describe('a controller', () => {
  it('a controller is never seen until its first link, then online, then offline with reason and time', async () => {
    const device = await claimDevice('PRESENCE-1');
    expect(await row('PRESENCE-1')).toMatchObject({
      status: 'never',
      status_reason: 'never_seen',
      last_seen_at: null,
    });
    const seen: OrganizationEvent[] = [];
    const stop = server.server.events.subscribe('organization', ({ event }) => seen.push(event));

    server.clock.advance(1_000);
    const linkedAt = server.clock.now();
    const linked = await linkTestDevice(server, device);
    await expect
      .poll(() => row('PRESENCE-1'))
      .toMatchObject({
        status: 'online',
        status_reason: 'link',
        status_since: linkedAt,
      });

    server.clock.advance(5_000);
    const lostAt = server.clock.now();
    linked.cut();
    await expect
      .poll(() => row('PRESENCE-1'))
      .toEqual({
        status: 'offline',
        status_reason: 'link',
        status_since: lostAt,
        last_seen_at: lostAt,
      });
    stop();
    expect(seen).toMatchObject([
      { type: 'controller.status', serialNumber: 'PRESENCE-1', status: 'online' },
      {
        type: 'controller.status',
        serialNumber: 'PRESENCE-1',
        status: 'offline',
        statusReason: 'link',
        statusSince: lostAt.toISOString(),
      },
    ]);
  });

  it('a controller that is claimed while its device is linked is online at once', async () => {
    const device = createTestDevice('PRESENCE-2');
    const token = tokenOf(await enrolTestDevice(server, device));
    const { link } = await linkTestDevice(server, device);
    await expect.poll(() => server.server.links.listIds().length).toBe(1);
    await server.call('activateController', { as: owner, body: { token, organization } });
    await expect.poll(() => row('PRESENCE-2')).toMatchObject({ status: 'online' });
    link.close();
    await link.closed;
  });

  it('a controller that comes and goes quickly ends as it is', async () => {
    const device = await claimDevice('PRESENCE-3');
    let last: LinkedDevice | undefined;
    for (let round = 0; round < 15; round += 1) {
      last = await linkTestDevice(server, device);
      if (round < 14) last.cut();
    }
    await expect.poll(() => row('PRESENCE-3')).toMatchObject({ status: 'online' });
    last?.cut();
    await expect.poll(() => row('PRESENCE-3')).toMatchObject({ status: 'offline' });
  });

  it('a controller that stays is seen again and again', async () => {
    const device = await claimDevice('PRESENCE-4');
    const { link } = await linkTestDevice(server, device);
    await expect.poll(() => row('PRESENCE-4')).toMatchObject({ status: 'online' });
    server.clock.advance(3_600_000);
    const later = server.clock.now();
    await expect.poll(async () => (await row('PRESENCE-4')).last_seen_at).toEqual(later);
    link.close();
  });
});

describe('a restart', () => {
  it('tells who did not come back, keeps who did and who was never seen', async () => {
    const port = await freePort();
    const environment = { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` };
    const restarted = await createTestServer({ environment, timing: { startGraceMs: 1_000 } });
    try {
      const user = await restarted.createUser();
      const home = await restarted.createOrganization(user);
      const [back] = await Promise.all(
        ['BACK-1', 'LOST-1', 'NEVER-1'].map(async (serialNumber) => {
          const device = createTestDevice(serialNumber);
          const token = tokenOf(await enrolTestDevice(restarted, device));
          await restarted.call('activateController', { as: user, body: { token, organization: home } });
          return device;
        }),
      );
      // What the claims have asked for is written by then.
      await wait(200);
      const before = restarted.clock.now();
      await restarted.db
        .updateTable('controllers')
        .set({ status: 'online', status_reason: 'link', status_since: before, last_seen_at: before })
        .where('serial_number', '!=', 'NEVER-1')
        .execute();
      restarted.clock.advance(60_000);
      await restarted.server.listen();
      const { link } = await linkTestDevice({ ...restarted, port }, back as TestDevice);
      const controllers = () =>
        restarted.db
          .selectFrom('controllers')
          .select(['status', 'status_reason', 'last_seen_at'])
          .orderBy('serial_number')
          .execute();
      await expect.poll(controllers, { timeout: 10_000 }).toMatchObject([
        { status: 'online', status_reason: 'link' },
        // Nobody has seen it since.
        { status: 'offline', status_reason: 'server_restart', last_seen_at: before },
        { status: 'never', status_reason: 'never_seen', last_seen_at: null },
      ]);
      link.close();
    } finally {
      await restarted.close();
    }
  });

  it('marks nobody offline', async () => {
    const leaving = await createListeningServer();
    const user = await leaving.createUser();
    const home = await leaving.createOrganization(user);
    const device = createTestDevice('SHUTDOWN-1');
    const token = tokenOf(await enrolTestDevice(leaving, device));
    await leaving.call('activateController', { as: user, body: { token, organization: home } });
    const { link } = await linkTestDevice(leaving, device);
    const status = () => leaving.db.selectFrom('controllers').select('status').executeTakeFirstOrThrow();
    await expect.poll(status).toEqual({ status: 'online' });
    await leaving.server.close(100);
    expect(await link.closed).toBe('shutdown');
    expect(await status()).toEqual({ status: 'online' });
    await leaving.close();
  });
});

describe('presence', () => {
  afterEach(() => vi.useRealTimers());

  const nothing: StatusWrite = { changes: [], busy: [] };

  function create(
    setStatuses: (wanted: readonly WantedStatus[]) => Promise<StatusWrite>,
    listOnlineEnrolments = async () => ['lost'],
  ) {
    const log = createLog('silent');
    const listeners: ((id: string) => void)[] = [];
    // The parts of the links that presence looks at.
    const links = {
      get: () => undefined,
      isDuplicated: () => false,
      getGeneration: () => undefined,
      listIds: () => ['a'],
      onChange: (listener: (id: string) => void) => listeners.push(listener),
    } as unknown as LocalLinks;
    const touched: string[][] = [];
    const clock = new TestClock();
    const presence = createPresence(
      { events: new Events(log), log, clock },
      {
        repository: {
          setStatuses,
          listOnlineEnrolments,
          markLost: async () => [],
          touch: async (ids) => void touched.push([...ids]),
        },
        links,
        node: { id: 'here', settings: undefined },
      },
    );
    const change = (id: string) => {
      for (const listener of listeners) listener(id);
    };
    return { presence, touched, change, clock };
  }

  it('tries a status again that could not be written', async () => {
    vi.useFakeTimers();
    let attempts = 0;
    const { presence, change } = create(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('database down');
      return nothing;
    });
    presence.start();
    change('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(attempts).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(attempts).toBe(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts).toBe(2);
    await presence.stop();
  });

  it('waits 90 s after a start, and looks again when the database was not there', async () => {
    vi.useFakeTimers();
    let looks = 0;
    const written: string[] = [];
    const { presence } = create(
      async () => {
        written.push('status');
        return nothing;
      },
      async () => {
        looks += 1;
        if (looks === 1) throw new Error('database down');
        return ['lost'];
      },
    );
    presence.start();
    await vi.advanceTimersByTimeAsync(89_999);
    expect(looks).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect([looks, written.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([looks, written.length]).toEqual([2, 1]);
    await presence.stop();
  });

  it('writes who was seen in one batch a minute', async () => {
    vi.useFakeTimers();
    const { presence, touched } = create(async () => nothing);
    presence.start();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(touched).toEqual([['a'], ['a']]);
    await presence.stop();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(touched).toHaveLength(2);
  });
  it('writes a whole fleet that comes back in few statements, one after the other, each controller once', async () => {
    const writes: string[][] = [];
    let running = 0;
    const { change } = create(async (wanted) => {
      running += 1;
      expect(running).toBe(1);
      writes.push(wanted.map(({ enrolmentId }) => enrolmentId));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return nothing;
    });
    const ids = Array.from({ length: 10_000 }, (_, number) => `device ${number}`);
    for (const id of ids) change(id);
    // Those that wait may change again meanwhile: that costs nothing more.
    for (const id of ids.slice(5000)) change(id);
    await expect.poll(() => writes.flat().length).toBe(10_000);
    expect(new Set(writes.flat()).size).toBe(10_000);
    expect(writes.length).toBeLessThanOrEqual(11);
  });

  it('writes the time at which a status changed, not that of the write; and tries again a row that was held', async () => {
    vi.useFakeTimers();
    const writes: WantedStatus[][] = [];
    const { change, clock } = create(async (wanted) => {
      writes.push([...wanted]);
      return { changes: [], busy: writes.length === 1 ? ['a'] : [] };
    });
    const at = clock.now();
    change('a');
    await vi.advanceTimersByTimeAsync(100);
    clock.advance(1000);
    await vi.advanceTimersByTimeAsync(150);
    expect(writes.flat()).toMatchObject([
      { enrolmentId: 'a', status: 'offline', reason: 'link', at },
      { enrolmentId: 'a', at },
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(writes).toHaveLength(2);
  });
});
