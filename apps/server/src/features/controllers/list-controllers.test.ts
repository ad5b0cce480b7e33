import { type ConnectionKind, type Controller, controllerOrderings } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Page {
  count: number;
  next: string | null;
  previous: string | null;
  results: Controller[];
}

let server: TestServer;
let user: TestUser;
let organization: string;

/** Everything that sorts and filters has ties here, and gaps. */
const fleet = [
  { serialNumber: 'AA-01', description: 'Ёлочная насосная', firmwareVersion: '1.0', status: 'online' },
  { serialNumber: 'AA-02', description: 'ёлка', firmwareVersion: '1.0', status: 'online' },
  { serialNumber: 'AA-03', description: 'КОТЕЛЬНАЯ', firmwareVersion: '2.0', status: 'offline' },
  { serialNumber: 'AA-04', description: '100% off_line', firmwareVersion: '2.0', status: 'offline' },
  { serialNumber: 'AA-05', description: '100 offxline', firmwareVersion: '10.0', status: 'never' },
  { serialNumber: 'AA-06', description: 'C:\\temp', firmwareVersion: '10.0', status: 'never' },
  { serialNumber: 'AA-07', description: '', firmwareVersion: '', status: 'never' },
] as const;

/** All others come by the agent. */
const otherKinds: Readonly<Record<string, ConnectionKind>> = {
  'AA-02': 'wiren-board',
  'AA-03': 'ssh',
  'AA-05': 'ssh',
};

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
  organization = await server.createOrganization(user, 'Fleet');
  const group = '018f0000-0000-7000-8000-000000000001';
  await server.db
    .insertInto('groups')
    .values({
      id: group,
      organization_id: organization,
      parent_id: null,
      name: 'Северный район',
      created_at: server.clock.now(),
    })
    .execute();
  for (const [index, options] of fleet.entries()) {
    const { id } = await createTestController(server, {
      ...options,
      organizationId: organization,
      groupId: index < 3 ? group : null,
      lastSeenAt: index < 4 ? new Date(server.clock.now().getTime() - (index >> 1) * 1000) : null,
    });
    if (index > 3) continue;
    const traffic = { month: '2026-11-01', bytes: [5_000_000, 20_000_000][index >> 1] ?? 0 };
    await server.db
      .insertInto('month_traffic')
      .values({ controller_id: id, organization_id: organization, ...traffic })
      .execute();
  }
  for (const [serialNumber, connectionKind] of Object.entries(otherKinds)) {
    await server.db
      .updateTable('controllers')
      .set({ connection_kind: connectionKind })
      .where('serial_number', '=', serialNumber)
      .execute();
  }
  const other = await server.createUser();
  await createTestController(server, {
    organizationId: await server.createOrganization(other),
    serialNumber: 'AA-99',
    description: 'ёлка чужая',
  });
});
afterAll(() => server.close());

async function list(query: Record<string, string> = {}, as = user): Promise<Page> {
  const answer = await server.call('listControllers', { as, query });
  expect(answer.status).toBe(200);
  return answer.body as Page;
}

async function serials(query: Record<string, string>, as = user): Promise<string[]> {
  return (await list(query, as)).results.map(({ serialNumber }) => serialNumber.slice(-2));
}

async function refusal(query: Record<string, string | string[]>): Promise<unknown> {
  const { status, body } = await server.call('listControllers', { as: user, query });
  return [status, Object.keys(body as object)];
}

describe('pages of the list', () => {
  // spec: 9.03
  it('hold 25 controllers by default and for 0, and what is asked for otherwise', async () => {
    const bulk = await server.createUser();
    const organizationId = await server.createOrganization(bulk);
    for (let count = 0; count < 27; count += 1) await createTestController(server, { organizationId });
    const lengths: number[] = [];
    for (const size of [undefined, '0', '', '2', '5000']) {
      const query: Record<string, string> = size === undefined ? {} : { page_size: size };
      const { body } = await server.call('listControllers', { as: bulk, query });
      expect(body).toMatchObject({ count: 27 });
      lengths.push((body as Page).results.length);
    }
    expect(lengths).toEqual([25, 25, 25, 2, 27]);
  });

  it('refuse a size above 5000 and a page below 1', async () => {
    expect(await refusal({ page_size: '5001' })).toEqual([400, ['page_size']]);
    expect(await refusal({ page: '0' })).toEqual([400, ['page']]);
    expect(await refusal({ page: 'x', page_size: '-1' })).toEqual([400, ['page', 'page_size']]);
    expect(await refusal({ page: ['1', '2'] })).toEqual([400, ['page']]);
  });

  it('name the pages beside them, at the public address and with the same query', async () => {
    const first = await list({ page_size: '3', search: 'ё л' });
    expect(first).toMatchObject({ count: 0, next: null, previous: null });
    const middle = await list({ page: '2', page_size: '3', ordering: '-status' });
    expect(middle.next).toBe(`${server.publicUrl}/api/v1/controllers/?page=3&page_size=3&ordering=-status`);
    expect(middle.previous).toBe(
      `${server.publicUrl}/api/v1/controllers/?page=1&page_size=3&ordering=-status`,
    );
    expect((await list({ page: '3', page_size: '3' })).next).toBeNull();
  });

  it('pages of the list are empty beyond the end', async () => {
    expect(await list({ page: '1000000', page_size: '5000' })).toMatchObject({
      count: 7,
      results: [],
      next: null,
    });
  });

  it('pages of the list are filled by anything but other people’s controllers', async () => {
    expect(await serials({})).toEqual(['01', '02', '03', '04', '05', '06', '07']);
    expect(await serials({ organization_id: organization })).toHaveLength(7);
    const foreign = await server.db
      .selectFrom('controllers')
      .select('organization_id')
      .where('serial_number', '=', 'AA-99')
      .executeTakeFirstOrThrow();
    expect(await list({ organization_id: foreign.organization_id })).toMatchObject({ count: 0, results: [] });
  });
});

describe('the order of the list', () => {
  it.each(controllerOrderings.flatMap((key) => [key, `-${key}`]))(
    'the order of the list by %s never shows a controller on two pages or on none',
    async (ordering) => {
      const seen: string[] = [];
      for (let page = 1; page <= 4; page += 1) {
        seen.push(...(await serials({ ordering, page: String(page), page_size: '2' })));
      }
      expect(seen).toEqual(await serials({ ordering }));
      expect([...seen].sort()).toEqual(['01', '02', '03', '04', '05', '06', '07']);
    },
  );

  it('follows the key, then the serial number in the same direction; what has no value comes last', async () => {
    expect(await serials({ ordering: 'status' })).toEqual(['01', '02', '03', '04', '05', '06', '07']);
    expect(await serials({ ordering: '-status' })).toEqual(['07', '06', '05', '04', '03', '02', '01']);
    expect(await serials({ ordering: '-serial_number' })).toEqual(['07', '06', '05', '04', '03', '02', '01']);
    expect(await serials({ ordering: 'status,-serial_number' })).toEqual([
      '02',
      '01',
      '04',
      '03',
      '07',
      '06',
      '05',
    ]);
    expect(await serials({ ordering: '-last_seen_at' })).toEqual(['02', '01', '04', '03', '07', '06', '05']);
    expect(await serials({ ordering: '-month_traffic' })).toEqual(['04', '03', '02', '01', '07', '06', '05']);
    expect(await serials({ ordering: 'month_traffic' })).toEqual(['01', '02', '03', '04', '05', '06', '07']);
    expect(await serials({ ordering: 'last_seen_at' })).toEqual(['03', '04', '01', '02', '05', '06', '07']);
    expect((await serials({ ordering: 'group_name' })).slice(0, 3)).toEqual(['01', '02', '03']);
    expect(await serials({ ordering: 'connection_kind' })).toEqual([
      '01',
      '04',
      '06',
      '07',
      '03',
      '05',
      '02',
    ]);
  });

  it('sorts texts as people do: without regard to case, Ё beside Е', async () => {
    expect(await serials({ ordering: 'description', search: 'AA-0', status: 'online,offline' })).toEqual([
      '04',
      '02',
      '01',
      '03',
    ]);
  });

  it('the order of the list by an unknown key is refused with the keys there are', async () => {
    for (const ordering of ['password', 'serial_number;drop table users', 'id', 'organization_id', '-']) {
      const answer = await server.call('listControllers', { as: user, query: { ordering } });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ ordering: [`Allowed values: ${controllerOrderings.join(', ')}.`] });
    }
  });
});

describe('the filters of the list', () => {
  it('find those that have moved at least so many bytes this month', async () => {
    expect(await serials({ month_traffic_min: '20000000' })).toEqual(['03', '04']);
    expect(await serials({ month_traffic_min: '5000000' })).toEqual(['01', '02', '03', '04']);
    expect(await serials({ month_traffic_min: '0' })).toHaveLength(7);
    expect((await list({ month_traffic_min: '20000000' })).count).toBe(2);
    expect(await refusal({ month_traffic_min: '-1' })).toEqual([400, ['month_traffic_min']]);
  });

  it('find a part of a text in either case, Cyrillic with Ё too', async () => {
    expect(await serials({ serial_number: 'a-0' })).toHaveLength(7);
    expect(await serials({ description: 'ЁЛ' })).toEqual(['01', '02']);
    expect(await serials({ description: 'ёл' })).toEqual(['01', '02']);
    expect(await serials({ description: 'котельная' })).toEqual(['03']);
    expect(await serials({ search: 'НАСОСНАЯ' })).toEqual(['01']);
  });

  it('take the wildcards of LIKE as they are written', async () => {
    expect(await serials({ description: '%' })).toEqual(['04']);
    expect(await serials({ description: '0%' })).toEqual(['04']);
    expect(await serials({ description: 'f_l' })).toEqual(['04']);
    expect(await serials({ description: '\\' })).toEqual(['06']);
    expect(await serials({ search: ':\\t' })).toEqual(['06']);
    expect(await serials({ search: '\\%' })).toEqual([]);
    expect(await serials({ search: "' or 1=1 --" })).toEqual([]);
  });

  // spec: 7.13
  it('search serial number, description, firmware and group', async () => {
    expect(await serials({ search: 'aa-04' })).toEqual(['04']);
    expect(await serials({ search: '10.0' })).toEqual(['05', '06']);
    expect(await serials({ search: 'СЕВЕРНЫЙ' })).toEqual(['01', '02', '03']);
  });

  // spec: 7.13, 7.15
  it('find the controllers of groups with all under them, and those of none', async () => {
    const owner = await server.createUser();
    const own = await server.createOrganization(owner);
    const addGroup = async (name: string, parent_id: string | null) => {
      const id = globalThis.crypto.randomUUID();
      const created_at = server.clock.now();
      await server.db
        .insertInto('groups')
        .values({ id, organization_id: own, parent_id, name, created_at })
        .execute();
      return id;
    };
    const root = await addGroup('Юг', null);
    const child = await addGroup('Южнее', root);
    const deep = await addGroup('Полюс', child);
    const other = await addGroup('Запад', null);
    const places = [root, child, deep, other, null];
    for (const [index, groupId] of places.entries()) {
      const serialNumber = `GR-0${index + 1}`;
      await createTestController(server, { organizationId: own, serialNumber, groupId });
    }
    const found = (query: Record<string, string>) => serials(query, owner);
    expect(await found({ group_ids: root })).toEqual(['01', '02', '03']);
    expect(await found({ group_ids: deep })).toEqual(['03']);
    expect(await found({ group_ids: `${child},${other}` })).toEqual(['02', '03', '04']);
    expect(await found({ group_ids: globalThis.crypto.randomUUID() })).toEqual([]);
    expect(await found({ ungrouped: 'true' })).toEqual(['05']);
    expect(await found({ ungrouped: 'false', ordering: '-serial_number' })).toEqual(['04', '03', '02', '01']);
    expect(await found({ group_name: 'юж' })).toEqual(['02']);
    expect(await found({ ordering: 'group_name' })).toEqual(['04', '03', '01', '02', '05']);
    expect(await found({ ordering: '-group_name' })).toEqual(['02', '01', '03', '04', '05']);
    for (let page = 1; page <= 5; page += 1) {
      const query = { ordering: 'group_name', page: String(page), page_size: '1' };
      expect(await found(query)).toEqual([['04', '03', '01', '02', '05'][page - 1]]);
    }
    expect(await refusal({ group_ids: 'x' })).toEqual([400, ['group_ids']]);
    expect(await refusal({ group_ids: `${root},` })).toEqual([400, ['group_ids']]);
    expect(await refusal({ ungrouped: 'yes' })).toEqual([400, ['ungrouped']]);
  });

  const place = (degrees: number | null) => {
    const body = { latitude: degrees, longitude: degrees };
    return server.call('updateController', { as: user, params: { serialNumber: 'AA-06' }, body });
  };

  it.each(['latitude', 'longitude'])('find those on one side of a %s', async (line) => {
    expect((await place(0)).status).toBe(200);
    expect(await serials({ [`${line}_max`]: '0' })).toEqual(['06']);
    expect(await serials({ [`${line}_max`]: '-1' })).toEqual([]);
    expect(await serials({ [`${line}_min`]: '0' })).toEqual(['06']);
    expect(await serials({ [`${line}_min`]: '1' })).toEqual([]);
    expect((await place(null)).status).toBe(200);
  });

  it('tell those with coordinates from those without', async () => {
    expect((await place(0)).status).toBe(200);
    expect(await serials({ located: 'true' })).toEqual(['06']);
    expect(await serials({ located: 'false', status: 'never' })).toEqual(['05', '07']);
    const counted = await server.call('countControllers', { as: user, query: { located: 'false' } });
    expect(counted.body).toMatchObject({ count: 6 });
    expect((await place(null)).status).toBe(200);
    expect(await refusal({ located: 'no' })).toEqual([400, ['located']]);
  });

  it('find those that connect in one way or another', async () => {
    expect(await serials({ connection_kind: 'ssh' })).toEqual(['03', '05']);
    expect(await serials({ connection_kind: 'wiren-board,ssh', status: 'online,offline' })).toEqual([
      '02',
      '03',
    ]);
    const counted = await server.call('countControllers', { as: user, query: { connection_kind: 'agent' } });
    expect(counted.body).toMatchObject({ count: 4, countOnline: 1 });
    expect(await refusal({ connection_kind: 'telnet' })).toEqual([400, ['connection_kind']]);
  });

  // spec: 7.13
  it('combine', async () => {
    expect(await serials({ firmware_version: '1.0', status: 'online' })).toEqual(['01', '02']);
    expect(await serials({ agent_version: '0.0', status: 'online' })).toEqual(
      await serials({ status: 'online' }),
    );
    expect(await serials({ agent_version: '0.9' })).toEqual([]);
    expect(await serials({ model: 'BOARD', status: 'online' })).toEqual(['01', '02']);
    expect(await serials({ model: 'Wiren' })).toEqual([]);
    expect(await serials({ status: 'offline,never', search: '100' })).toEqual(['04', '05']);
  });

  it('refuse unknown names, values and ids that are none', async () => {
    expect(await refusal({ password: 'x' })).toEqual([400, ['password']]);
    expect(await refusal({ status: 'up' })).toEqual([400, ['status']]);
    expect(await refusal({ organization_id: 'x' })).toEqual([400, ['organization_id']]);
    expect(await refusal({ search: 'x'.repeat(256) })).toEqual([400, ['search']]);
    expect(await refusal({ search: 'a\u0000b' })).toEqual([400, ['search']]);
  });

  // spec: 7.15, 7.16
  it('count what the list counts', async () => {
    const count = async (query: Record<string, string>) =>
      (await server.call('countControllers', { as: user, query })).body;
    expect(await count({})).toEqual({ count: 7, countOnline: 2, countOffline: 2, countNever: 3 });
    expect(await count({ search: '10.0' })).toEqual({
      count: 2,
      countOnline: 0,
      countOffline: 0,
      countNever: 2,
    });
    expect(await count({ status: 'online', organization_id: organization })).toMatchObject({ count: 2 });
    const elsewhere = { page: '9', page_size: '1', ordering: '-description' };
    expect(await count({ ...elsewhere, search: '10.0' })).toMatchObject({ count: 2 });
    const total = await server.call('countAllControllers', { as: user });
    const rows = await server.db.selectFrom('controllers').select('id').execute();
    expect(total.body).toEqual({ count: rows.length });
  });
});
