import { createTestController, createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enrolmentOfController } from './enrolment-of-controller.repository.ts';
import {
  createPresenceRepository,
  type PresenceRepository,
  type WantedStatus,
} from './presence.repository.ts';

let server: TestServer;
let repository: PresenceRepository;
let organization: string;
const size = 40;
const serialNumbers = Array.from({ length: size }, (_, number) => `ROW-${number}`);
let enrolments: string[];

beforeAll(async () => {
  server = await createTestServer();
  repository = createPresenceRepository(server.db);
  organization = await server.createOrganization(await server.createUser());
  for (const serialNumber of serialNumbers) {
    await createTestController(server, { organizationId: organization, serialNumber });
  }
  const rows = await server.db
    .selectFrom('controllers')
    .select(enrolmentOfController.as('enrolment_id'))
    .orderBy('id')
    .execute();
  enrolments = rows.map((row) => row.enrolment_id);
});
afterAll(() => server.close());

const wanted = (
  ids: readonly string[],
  status: WantedStatus['status'],
  reason: WantedStatus['reason'] = 'link',
) => ids.map((enrolmentId) => ({ enrolmentId, status, reason, generation: 1e6, at: server.clock.now() }));
const statuses = async () => {
  const rows = await server.db
    .selectFrom('controllers')
    .select(['status', 'status_reason', 'status_since', 'last_seen_at'])
    .execute();
  return rows;
};

describe('statuses written in one statement', () => {
  it('statuses written in one statement are those that differ, each with its own time and reason; unknown ones and those never seen stay', async () => {
    expect(await repository.setStatuses(wanted(enrolments, 'offline'))).toEqual({ changes: [], busy: [] });
    const [first = '', second = ''] = enrolments;
    const at = server.clock.now();
    server.clock.advance(1000);
    const later = server.clock.now();
    const { changes, busy } = await repository.setStatuses([
      { enrolmentId: first, status: 'online', reason: 'link', at },
      { enrolmentId: second, status: 'online', reason: 'duplicate_identity', at: later },
      { enrolmentId: '00000000-0000-7000-8000-000000000000', status: 'online', reason: 'link', at },
    ]);
    expect(busy).toEqual([]);
    expect(new Map(changes.map((change) => [change.enrolmentId, change]))).toEqual(
      new Map([
        [
          first,
          expect.objectContaining({
            status: 'online',
            statusReason: 'link',
            statusSince: at,
            lastSeenAt: at,
          }),
        ],
        [
          second,
          expect.objectContaining({
            organizationId: organization,
            statusReason: 'duplicate_identity',
            statusSince: later,
          }),
        ],
      ]),
    );
    expect((await repository.setStatuses(wanted([first], 'online'))).changes).toEqual([]);
    // The reason changes, the time since when it is online does not.
    server.clock.advance(1000);
    expect((await repository.setStatuses(wanted([second], 'online'))).changes).toMatchObject([
      { statusReason: 'link', statusSince: later },
    ]);
    server.clock.advance(1000);
    expect(
      (await repository.setStatuses(wanted([first], 'offline', 'server_restart'))).changes,
    ).toMatchObject([
      { status: 'offline', statusReason: 'server_restart', statusSince: server.clock.now(), lastSeenAt: at },
    ]);
  });

  it('statuses written in one statement do not wait for a row that is held, and say which it is', async () => {
    const [held = '', ...others] = enrolments;
    await repository.setStatuses(wanted(enrolments, 'online'));
    await server.db.transaction().execute(async (transaction) => {
      await transaction
        .selectFrom('controllers')
        .select('id')
        .where('enrolment_id', '=', held)
        .forNoKeyUpdate()
        .execute();
      const { changes, busy } = await repository.setStatuses(wanted(enrolments, 'offline'));
      expect(changes.map((change) => change.enrolmentId).toSorted()).toEqual(others.toSorted());
      expect(busy).toEqual([held]);
      // What need not change is not waited for either.
      expect(await repository.setStatuses(wanted([held], 'online'))).toEqual({ changes: [], busy: [] });
    });
    expect((await repository.setStatuses(wanted([held], 'offline'))).changes).toHaveLength(1);
  });

  it('meet writers of many rows in any order without a deadlock, and all are written in the end', async () => {
    for (let round = 0; round < 20; round += 1) {
      const status = round % 2 === 0 ? 'online' : 'offline';
      const write = async (ids: readonly string[]) => {
        let left = ids;
        while (left.length > 0) left = (await repository.setStatuses(wanted(left, status))).busy;
      };
      await Promise.all([
        write(enrolments),
        write(enrolments.toReversed()),
        repository.touch(enrolments.toReversed(), server.clock.now()),
        sql`update controllers set description = description || 'x' where id in
          (select id from controllers order by id for no key update)`.execute(server.db),
      ]);
      expect(new Set((await statuses()).map((row) => row.status))).toEqual(new Set([status]));
    }
  });
});

it('a touch that comes late does not take back when a controller was last seen', async () => {
  const [enrolmentId = ''] = enrolments;
  const lastSeen = async () => {
    const row = await server.db
      .selectFrom('controllers')
      .select('last_seen_at')
      .where('enrolment_id', '=', enrolmentId)
      .executeTakeFirstOrThrow();
    return row.last_seen_at;
  };
  const early = server.clock.now();
  server.clock.advance(5000);
  const late = server.clock.now();
  await repository.touch([enrolmentId], late);
  await repository.touch([enrolmentId], early);
  expect(await lastSeen()).toEqual(late);
});

describe('statuses of several nodes', () => {
  const first = () => enrolments[0] ?? '';
  const read = () =>
    server.db
      .selectFrom('controllers')
      .select(['status', 'status_reason', 'held_by'])
      .where('enrolment_id', '=', first())
      .executeTakeFirstOrThrow();
  const write = (status: WantedStatus['status'], node: string) =>
    repository.setStatuses(wanted([first()], status), node);

  it('a controller that another node has taken over is not said to be offline by the one before, nor told anew', async () => {
    await repository.setStatuses(wanted([first()], 'offline'));
    expect((await write('online', 'a')).changes).toHaveLength(1);
    expect((await write('online', 'b')).changes).toEqual([]);
    expect(await read()).toMatchObject({ status: 'online', held_by: 'b' });
    expect(await write('offline', 'a')).toEqual({ changes: [], busy: [] });
    expect(await read()).toMatchObject({ status: 'online', held_by: 'b' });
    expect((await write('offline', 'b')).changes).toMatchObject([{ status: 'offline' }]);
    expect(await read()).toMatchObject({ status: 'offline', held_by: null });
  });

  it('a node with an older link says nothing of a device that was let in anew', async () => {
    const generation = async () => {
      const query = server.db.selectFrom('enrolments').select('link_generation').where('id', '=', first());
      return (await query.executeTakeFirstOrThrow()).link_generation;
    };
    const older = await generation();
    const say = (node: string, said: number) =>
      repository.setStatuses(
        wanted([first()], 'online').map((row) => ({ ...row, generation: said })),
        node,
      );
    await server.db
      .updateTable('enrolments')
      .set({ link_generation: older + 1 })
      .where('id', '=', first())
      .execute();
    await say('newer', older + 1);
    expect(await say('older', older)).toEqual({ changes: [], busy: [] });
    expect(await read()).toMatchObject({ status: 'online', held_by: 'newer' });
    await write('offline', 'newer');
  });

  it('a controller that no node has touched for long is lost, at the time when it was touched last', async () => {
    await write('online', 'gone');
    await repository.touch([first()], server.clock.now());
    const seenAt = server.clock.now();
    server.clock.advance(150_000);
    const before = () => new Date(server.clock.now().getTime() - 150_000);
    expect(await repository.markLost(before(), server.clock.now(), 90_000)).toEqual([]);
    server.clock.advance(1);
    const lost = await repository.markLost(before(), server.clock.now(), 90_000);
    expect(lost.find(({ enrolmentId }) => enrolmentId === first())).toMatchObject({
      status: 'offline',
      statusReason: 'server_restart',
      lastSeenAt: seenAt,
    });
    expect((await write('offline', 'gone')).changes).toEqual([]);
  });

  it('a controller that a living node holds is held and never lost, however late its touches are; that of a dead one is neither held nor kept', async () => {
    const lease = (id: string, seconds: number) =>
      sql`insert into nodes (id, address, version, state, started_at, lease_until)
        values (${id}, '127.0.0.1:7200', '0', 'active', now(), now() + make_interval(secs => ${seconds}))
        on conflict (id) do update set lease_until = excluded.lease_until`.execute(server.db);
    const markLost = async () => {
      server.clock.advance(200_000);
      const now = server.clock.now();
      const lost = await repository.markLost(new Date(now.getTime() - 150_000), now, 90_000);
      return lost.some(({ enrolmentId }) => enrolmentId === first());
    };
    await lease('living', 600);
    await write('online', 'living');
    expect(await repository.isHeld(first())).toBe(true);
    expect(await markLost()).toBe(false);
    expect(await read()).toMatchObject({ status: 'online', held_by: 'living' });
    await lease('living', -1);
    expect(await repository.isHeld(first())).toBe(false);
    expect(await markLost()).toBe(true);
    await lease('living', 600);
    expect(await repository.isHeld(first())).toBe(false);
  });

  it('no controller is lost before the first node has been back for 90 seconds, however long it was not touched', async () => {
    const addNode = (id: string, ageSeconds: number) =>
      sql`insert into nodes (id, address, version, state, started_at, lease_until)
        values (${id}, '127.0.0.1:7200', '0', 'active', now() - make_interval(secs => ${ageSeconds}),
          now() + interval '10 minutes')`.execute(server.db);
    await sql`delete from nodes`.execute(server.db);
    await write('online', 'stopped');
    server.clock.advance(3_600_000);
    const markLost = async () => {
      const now = server.clock.now();
      const lost = await repository.markLost(new Date(now.getTime() - 150_000), now, 90_000);
      return lost.map(({ enrolmentId }) => enrolmentId).includes(first());
    };
    await addNode('returned', 80);
    await addNode('newer', 10);
    expect(await markLost()).toBe(false);
    await sql`update nodes set started_at = now() - interval '91 seconds' where id = 'returned'`.execute(
      server.db,
    );
    expect(await markLost()).toBe(true);
    await sql`delete from nodes`.execute(server.db);
  });

  it('one node writes no holder, and clears that of several nodes before it', async () => {
    await write('online', 'a');
    await repository.setStatuses(wanted([first()], 'offline'));
    expect(await read()).toMatchObject({ status: 'offline', held_by: null });
    await repository.setStatuses(wanted([first()], 'online'));
    expect(await read()).toMatchObject({ status: 'online', held_by: null });
  });
});
