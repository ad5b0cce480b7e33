import { controllerOrderings, type Group, type Overview } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPartFixture, type PartFixture } from './part.fixture.ts';

/** What somebody sees who has rights on parts of an organization's tree. */

let server: TestServer;
let fixture: PartFixture;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  fixture = await createPartFixture(server);
  user = await server.createUser();
});

const atOrganization = () => ({ params: { organizationId: fixture.organizationId } });
const get = (name: Parameters<TestServer['call']>[0], options: object) =>
  server.call(name, { as: user, ...options });
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000);

describe('a right on a group', () => {
  beforeEach(() => fixture.grant(user, 'member', { groupId: fixture.groups.plant }));

  it('shows the organization as one of which the caller has a part', async () => {
    const own = { id: fixture.organizationId, name: 'Tree', userRole: 'member', isPartial: true };
    expect((await get('listOrganizations', {})).body).toEqual([{ ...own, totpRequired: false }]);
    expect((await get('getOrganization', atOrganization())).body).toMatchObject(own);
    expect(await get('updateOrganization', { ...atOrganization(), body: { name: 'x' } })).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    });
  });

  it.each(controllerOrderings.flatMap((key) => [key, `-${key}`]))(
    'shows its controllers and those under it in a list by %s, and their number',
    async (ordering) => {
      for (const query of [{ ordering }, { ordering, page_size: '1' }]) {
        const answer = await get('listControllers', {
          query: { ...query, organization_id: fixture.organizationId },
        });
        expect(answer.body).toMatchObject({ count: 2 });
      }
      expect(await fixture.listNames(user, { ordering })).toEqual(['HALL', 'PLANT']);
    },
  );

  it.each<[string, Record<string, string>, string[]]>([
    ['no organization', { organization_id: '' }, ['HALL', 'PLANT']],
    ['a search', { search: 'Boiler' }, ['HALL', 'PLANT']],
    ['a search for what is outside', { search: 'Boiler of SOUTH' }, []],
    ['a status', { status: 'online' }, ['HALL', 'PLANT']],
    ['no group', { ungrouped: 'true' }, []],
    ['the name of a group', { group_name: 'Hall' }, ['HALL']],
  ])('shows nothing but its controllers in a list with %s', async (_, query, expected) => {
    expect(await fixture.listNames(user, query)).toEqual(expected);
    const asked = { query: { organization_id: fixture.organizationId, ...query } };
    expect((await get('listControllers', asked)).body).toMatchObject({ count: expected.length });
    expect((await get('countControllers', asked)).body).toMatchObject({
      count: expected.length,
      countOnline: expected.length,
    });
  });

  it('a page behind the end is empty, and tells how many there are', async () => {
    for (const [page, results] of [
      ['2', 1],
      ['3', 0],
      ['3000', 0],
    ] as const) {
      const query = { organization_id: fixture.organizationId, page, page_size: '1', search: 'Boiler' };
      const { body } = await get('listControllers', { query });
      expect(body).toMatchObject({ count: 2, results: { length: results } });
    }
  });

  it('filters by groups within it, and finds nothing by one above it but what is its own', async () => {
    const { hall, north, south } = fixture.groups;
    for (const [ids, expected] of [
      [hall, ['HALL']],
      [north, ['HALL', 'PLANT']],
      [south, []],
    ] as const) {
      expect(await fixture.listNames(user, { group_ids: ids })).toEqual(expected);
      const query = { organization_id: fixture.organizationId, group_ids: ids };
      expect((await get('countControllers', { query })).body).toMatchObject({ count: expected.length });
    }
  });

  it('shows its tree, with the way to it by names alone', async () => {
    const { body } = await get('listGroups', { query: { organization_id: fixture.organizationId } });
    const [root, ...others] = body as Group[];
    expect(others).toEqual([]);
    expect(root).toMatchObject({ name: 'North', isOutside: true, level: 0, controllersCount: 2 });
    const [plant, ...more] = root?.subgroups ?? [];
    expect(more).toEqual([]);
    expect(plant).toMatchObject({ name: 'Plant', level: 1, controllersCount: 2 });
    expect(plant).not.toHaveProperty('isOutside');
    expect(plant?.subgroups).toMatchObject([{ name: 'Hall', level: 2, controllersCount: 1 }]);
    const searched = await get('listGroups', {
      query: { organization_id: fixture.organizationId, search: 'Boiler of HALL' },
    });
    expect(searched.body).toMatchObject([{ name: 'North', controllersCount: 1 }]);
  });

  it('a part is what the map, the file, the search and the figures show', async () => {
    await server.db.updateTable('controllers').set({ latitude: 60, longitude: 30 }).execute();
    const query = { organization_id: fixture.organizationId };
    expect((await get('mapControllers', { query })).body).toMatchObject({ count: 2 });
    const file = String((await get('exportControllers', { query })).body);
    expect(file.trim().split('\n')).toHaveLength(3);
    const found = await get('search', { query: { search: 'Boiler' } });
    expect((found.body as { controllers: unknown[] }).controllers).toHaveLength(2);
    expect((await get('search', { query: { search: 'South' } })).body).toMatchObject({ groups: [] });
    expect((await get('search', { query: { search: 'North' } })).body).toMatchObject({ groups: [] });
    expect((await get('search', { query: { search: 'Hall' } })).body).toMatchObject({
      groups: [{ name: 'Hall', path: ['North', 'Plant'] }],
    });
    const overview = (await get('getOverview', atOrganization())).body as Overview;
    expect(overview).toMatchObject({
      count: 2,
      groups: [{ group: { name: 'North' }, count: 2 }],
    });
    expect(overview.recentlyAdded).toHaveLength(2);
    expect((await get('countAllControllers', {})).body).toEqual({ count: 2 });
  });

  it('ends with its time', async () => {
    await server.db
      .updateTable('grants')
      .set({ ends_at: inHours(1) })
      .where('subject_user_id', '=', user.id)
      .execute();
    expect(await fixture.listNames(user)).toEqual(['HALL', 'PLANT']);
    await server.db
      .updateTable('grants')
      .set({ ends_at: inHours(-1) })
      .where('subject_user_id', '=', user.id)
      .execute();
    expect(await fixture.listNames(user)).toEqual([]);
    expect((await get('listOrganizations', {})).body).toEqual([]);
    expect((await get('getOrganization', atOrganization())).status).toBe(404);
  });

  it('ends with its group, and comes back with it', async () => {
    const params = { groupId: fixture.groups.plant };
    await server.call('deleteGroup', { as: fixture.owner, params });
    expect((await get('listOrganizations', {})).body).toEqual([]);
    await server.call('restoreGroup', { as: fixture.owner, params });
    expect(await fixture.listNames(user)).toEqual(['HALL', 'PLANT']);
  });

  it('reaches what comes under it, and no more what leaves', async () => {
    const { south, hall } = fixture.groups;
    await server.call('updateGroup', {
      as: fixture.owner,
      params: { groupId: hall },
      body: { parent: south },
    });
    expect(await fixture.listNames(user)).toEqual(['PLANT']);
    const body = { controllers: [fixture.controllers.none.serialNumber] };
    await server.call('attachControllers', {
      as: fixture.owner,
      params: { groupId: fixture.groups.plant },
      body,
    });
    expect(await fixture.listNames(user)).toEqual(['NONE', 'PLANT']);
  });

  it('a part is closed where the organization requires a second factor', async () => {
    await server.db
      .updateTable('organizations')
      .set({ totp_required: true })
      .where('id', '=', fixture.organizationId)
      .execute();
    expect(
      await get('listControllers', { query: { organization_id: fixture.organizationId } }),
    ).toMatchObject({
      status: 403,
      body: { code: 'totp_setup_required' },
    });
    expect(await fixture.listNames(user, { organization_id: '' })).toEqual([]);
    const params = { serialNumber: fixture.controllers.plant.serialNumber };
    expect((await get('getController', { params })).status).toBe(403);
  });
});

describe('rights on several places', () => {
  it('a right on one controller shows it, and the way to it', async () => {
    await fixture.grant(user, 'viewer', { controllerId: fixture.controllers.hall.id });
    expect(await fixture.listNames(user)).toEqual(['HALL']);
    const { body } = await get('listGroups', { query: { organization_id: fixture.organizationId } });
    expect(body).toMatchObject([
      {
        name: 'North',
        isOutside: true,
        controllersCount: 1,
        subgroups: [
          {
            name: 'Plant',
            isOutside: true,
            subgroups: [{ name: 'Hall', isOutside: true, controllersCount: 1 }],
          },
        ],
      },
    ]);
  });

  it('a controller without a group is among those without, where it was granted itself', async () => {
    await fixture.grant(user, 'viewer', { controllerId: fixture.controllers.none.id });
    await fixture.grant(user, 'viewer', { controllerId: fixture.controllers.hall.id });
    await fixture.grant(user, 'viewer', { groupId: fixture.groups.south });
    for (const [ungrouped, names] of [
      ['true', ['NONE']],
      ['false', ['HALL', 'SOUTH']],
    ] as const) {
      expect(await fixture.listNames(user, { ungrouped })).toEqual(names);
      expect(await fixture.listNames(user, { ungrouped, search: 'Boiler' })).toEqual(names);
      const { body } = await get('countControllers', {
        query: { organization_id: fixture.organizationId, ungrouped, search: 'Boiler' },
      });
      expect(body).toMatchObject({ count: names.length });
    }
  });

  it('what is reached twice is counted once', async () => {
    await fixture.grant(user, 'viewer', { controllerId: fixture.controllers.hall.id });
    await fixture.grant(user, 'viewer', { groupId: fixture.groups.hall });
    await fixture.grant(user, 'viewer', { groupId: fixture.groups.north });
    expect(await fixture.listNames(user)).toEqual(['HALL', 'NORTH', 'PLANT']);
    const query = { organization_id: fixture.organizationId };
    expect((await get('countControllers', { query })).body).toMatchObject({ count: 3, countOnline: 3 });
    await server.addMember(fixture.organizationId, user, 'viewer');
    expect((await get('countControllers', { query })).body).toMatchObject({ count: 5, countOnline: 5 });
    expect((await get('listControllers', { query })).body).toMatchObject({ count: 5 });
    expect((await get('listOrganizations', {})).body).toMatchObject([{ userRole: 'viewer' }]);
    expect(((await get('listOrganizations', {})).body as object[])[0]).not.toHaveProperty('isPartial');
  });

  it('the stronger of two counts, at its place alone', async () => {
    await fixture.grant(user, 'viewer', { groupId: fixture.groups.north });
    await fixture.grant(user, 'admin', { groupId: fixture.groups.hall });
    const remove = (name: keyof PartFixture['controllers']) =>
      get('deleteController', { params: { serialNumber: fixture.controllers[name].serialNumber } });
    expect(await remove('plant')).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
    expect(await remove('south')).toMatchObject({ status: 404, body: { code: 'controller_not_found' } });
    expect((await remove('hall')).status).toBe(204);
    expect((await get('listOrganizations', {})).body).toMatchObject([{ userRole: 'admin', isPartial: true }]);
  });

  it('a right on the whole organization is like a role in it', async () => {
    await fixture.grant(user, 'admin');
    expect(await fixture.listNames(user)).toHaveLength(5);
    expect((await get('listOrganizations', {})).body).toMatchObject([{ userRole: 'admin' }]);
    expect((await get('updateOrganization', { ...atOrganization(), body: { name: 'Tree 2' } })).status).toBe(
      200,
    );
  });

  it('parts of two organizations are seen beside each other', async () => {
    const other = await createPartFixture(server);
    await fixture.grant(user, 'viewer', { groupId: fixture.groups.hall });
    await other.grant(user, 'viewer', { groupId: other.groups.south });
    const { body } = await get('listControllers', { query: { ordering: 'serial_number' } });
    const serials = (body as { results: { serialNumber: string }[] }).results.map(
      (each) => each.serialNumber,
    );
    expect(serials.sort()).toEqual(
      [fixture.controllers.hall.serialNumber, other.controllers.south.serialNumber].sort(),
    );
    expect(await fixture.listNames(user)).toEqual(['HALL']);
  });

  it('a part of more controllers than are sorted at once is walked, and shows the same', async () => {
    await fixture.grant(user, 'viewer', { groupId: fixture.groups.plant });
    await server.db
      .insertInto('group_counts')
      .values({
        organization_id: fixture.organizationId,
        group_id: fixture.groups.plant,
        status: 'never',
        change: 5000,
      })
      .execute();
    for (const ordering of controllerOrderings) {
      expect(await fixture.listNames(user, { ordering })).toEqual(['HALL', 'PLANT']);
    }
    expect(await fixture.listNames(user, { search: 'Boiler', organization_id: '' })).toEqual([
      'HALL',
      'PLANT',
    ]);
  });
});
