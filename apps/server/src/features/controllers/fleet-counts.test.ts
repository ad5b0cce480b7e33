import {
  createTestController,
  createTestServer,
  type TestController,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScope } from '../../platform/access/index.ts';
import { createPresenceRepository } from '../devices/presence.repository.ts';
import { createControllersRepository } from './controllers.repository.ts';
import { createFleetCounts, isKept } from './fleet-counts.repository.ts';

/** The counts that the database keeps, beside those that it counts. */

let server: TestServer;
let user: TestUser;
let organization: string;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
  organization = await server.createOrganization(user);
});
afterAll(() => server.close());

interface Difference {
  organization_id: string;
  group_id: string | null;
  status: string;
}

/** Where they differ, all as of one moment. */
async function findDifferences(): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    with counted as (
      select organization_id, group_id, status, count(*) as count from controllers group by 1, 2, 3
    ), kept as (
      select organization_id, nullif(group_id, '00000000-0000-0000-0000-000000000000') as group_id, status,
        sum(change) as count
      from group_counts group by 1, 2, 3 having sum(change) <> 0
    ), kept_of_organizations as (
      select organization_id, status, sum(change) as count from organization_counts group by 1, 2 having sum(change) <> 0
    )
    (select * from counted except select * from kept)
    union all (select * from kept except select * from counted)
    union all (select organization_id, null::uuid, status, count from kept_of_organizations
      except select organization_id, null::uuid, status, sum(count) from counted group by 1, 3)`.execute(
    server.db,
  );
  return rows;
}

async function createGroup(name: string): Promise<string> {
  const { body } = await server.call('createGroup', { as: user, body: { name, organization } });
  return (body as { id: string }).id;
}

/** The rows that hold the counts: sums, and changes that have not been added up yet. */
async function countKeptRows(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from group_counts) + (select count(*) from organization_counts))::int as count`.execute(
    server.db,
  );
  return rows[0]?.count ?? 0;
}

describe('the kept counts', () => {
  it('the kept counts are true at every moment, while many write at once and the changes are added up', async () => {
    const groups = await Promise.all(['one', 'two', 'three'].map(createGroup));
    const controllers: TestController[] = [];
    for (let number = 0; number < 60; number += 1) {
      controllers.push(
        await createTestController(server, {
          organizationId: organization,
          groupId: groups[number % 3] ?? null,
        }),
      );
    }
    const presence = createPresenceRepository(server.db);
    const counts = createFleetCounts(server.db);
    let isOver = false;
    const untilOver = async (work: () => Promise<unknown>) => {
      while (!isOver) await work();
    };
    const change = async (offset: number) => {
      for (let round = 0; round < 40; round += 1) {
        const some = controllers.filter((_, index) => (index + round + offset) % 4 === 0);
        const status = round % 2 === 0 ? 'online' : 'offline';
        const at = server.clock.now();
        await presence.setStatuses(
          some.map(({ enrolmentId }) => ({ enrolmentId, status, reason: 'link', at })),
        );
        const serialNumbers = some.map(({ serialNumber }) => serialNumber);
        const params = { groupId: groups[(round + offset) % 3] ?? '' };
        await server.call('attachControllers', { as: user, params, body: { controllers: serialNumbers } });
        if (round % 5 === 0) {
          await server.call('detachControllers', { as: user, body: { controllers: serialNumbers } });
        }
        await createTestController(server, { organizationId: organization });
      }
    };
    const differences: Difference[] = [];
    const watching = untilOver(async () => differences.push(...(await findDifferences())));
    const adding = [untilOver(counts.compact), untilOver(counts.compact)];
    await Promise.all([0, 1, 2].map(change));
    isOver = true;
    await Promise.all([watching, ...adding]);
    expect(differences).toEqual([]);

    // A group that goes leaves its controllers without one.
    await server.call('deleteGroup', { as: user, params: { groupId: groups[0] ?? '' } });
    expect(await findDifferences()).toEqual([]);
    await server.db.deleteFrom('controllers').where('group_id', 'is', null).execute();
    expect(await findDifferences()).toEqual([]);
    expect(await counts.countAll()).toBeLessThan(180);
  });

  it('need no more rows than there are kinds, however much has changed', async () => {
    const counts = createFleetCounts(server.db);
    await counts.compact();
    const before = await countKeptRows();
    for (let round = 0; round < 20; round += 1) {
      const status = round % 2 === 0 ? 'online' : 'offline';
      await server.db.updateTable('controllers').set({ status }).execute();
    }
    expect(await countKeptRows()).toBeGreaterThan(before);
    await counts.compact();
    expect(await countKeptRows()).toBeLessThanOrEqual(before);
    expect(await findDifferences()).toEqual([]);
    // What is written without a change of status or group leaves nothing.
    const settled = await countKeptRows();
    await server.db.updateTable('controllers').set({ last_seen_at: server.clock.now() }).execute();
    expect(await countKeptRows()).toBe(settled);
  });

  it('answer every filter that they know as the rows do, and nothing of a foreign organization', async () => {
    const other = await server.createOrganization(await server.createUser());
    await createTestController(server, { organizationId: other, status: 'online' });
    const [top] = await Promise.all(['top'].map(createGroup));
    const { body } = await server.call('createGroup', {
      as: user,
      body: { name: 'under it', organization, parent: top },
    });
    const under = (body as { id: string }).id;
    for (const [index, groupId] of [top, under, under, null].entries()) {
      const status = index % 2 === 0 ? 'online' : 'never';
      await createTestController(server, { organizationId: organization, groupId: groupId ?? null, status });
    }
    const repository = createControllersRepository(server.db);
    const scope = createScope({ userId: user.id, mayEnterTotpOrganizations: true }, 'controllers.read');
    const page = { limit: 5000, offset: 0, orderBy: [] };
    for (const filters of [
      {},
      { organization_id: organization },
      { organization_id: other },
      { status: ['online'] as const },
      { organization_id: organization, status: ['offline', 'never'] as const },
      { group_ids: [top ?? ''] },
      { group_ids: [under, top ?? ''], status: ['never'] as const },
      { ungrouped: true },
      { organization_id: organization, ungrouped: false },
    ]) {
      expect(isKept(filters)).toBe(true);
      const rows = await repository.listControllers(scope, filters, page);
      expect(await repository.countControllers(scope, filters)).toBe(rows.length);
      const countRows = (status: string) => rows.filter((row) => row.status === status).length;
      expect(await repository.countByStatus(scope, filters)).toEqual({
        count: rows.length,
        countOnline: countRows('online'),
        countOffline: countRows('offline'),
        countNever: countRows('never'),
      });
    }
    expect(isKept({ search: 'x' })).toBe(false);
    expect(isKept({ latitude_min: 0 })).toBe(false);
    // An empty text filters nothing.
    expect(isKept({ description: '' })).toBe(true);
  });
});

it('the check sees a count that is not true', async () => {
  await sql`insert into organization_counts values (${organization}, 'online', 1)`.execute(server.db);
  expect(await findDifferences()).toMatchObject([{ organization_id: organization, status: 'online' }]);
});
