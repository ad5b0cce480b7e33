import type { SearchResults } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../platform/ids.ts';

/** What the console's palette finds. */

let server: TestServer;
let user: TestUser;
let plant: string;
let school: string;

async function addGroup(organization_id: string, name: string, parent_id: string | null = null) {
  const group = { id: createId(), organization_id, parent_id, name, created_at: server.clock.now() };
  await server.db.insertInto('groups').values(group).execute();
  return group.id;
}

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
  plant = await server.createOrganization(user, 'Plant');
  school = await server.createOrganization(user, 'School');
  const boilers = await addGroup(
    plant,
    'Котельные',
    await addGroup(plant, 'Север', await addGroup(plant, 'Юг')),
  );
  await addGroup(plant, 'Котельные 2');
  await addGroup(school, 'Старые котельные');
  await addGroup(school, 'Котельные');
  const controllers = [
    { organizationId: school, serialNumber: 'AB12', description: 'Ленина, 5' },
    { organizationId: plant, serialNumber: 'AB1', description: 'Pump_station 7' },
    { organizationId: plant, serialNumber: 'AA-AB1', description: '' },
    { organizationId: school, serialNumber: 'AB11', description: 'Teacher’s room' },
    { organizationId: plant, serialNumber: 'ZZ9', description: 'ab1 in its description' },
    { organizationId: plant, serialNumber: 'BOILER', description: 'ул. Ленина, 7', groupId: boilers },
  ];
  for (const controller of controllers) await createTestController(server, controller);
});
afterAll(() => server.close());

async function search(text: string, as = user): Promise<SearchResults> {
  const { status, body } = await server.call('search', { as, query: { search: text } });
  expect(status).toBe(200);
  return body as SearchResults;
}
const serials = async (text: string, as = user) =>
  (await search(text, as)).controllers.map(({ serialNumber }) => serialNumber);

describe('controllers', () => {
  it('controllers of all organizations: this very serial number, then those that begin so, then the others', async () => {
    expect(await serials('AB1')).toEqual(['AB1', 'AB11', 'AB12', 'AA-AB1', 'ZZ9']);
  });

  it.each(['ab1', '  AB1 ', 'Ab1\t'])('controllers are found by %j, however it was typed', async (text) => {
    expect((await serials(text))[0]).toBe('AB1');
  });

  it('controllers are found by words of the description and of the group, in any order and case', async () => {
    expect(await serials('ленина')).toEqual(['AB12', 'BOILER']);
    expect(await serials('7 ЛЕНИНА')).toEqual(['BOILER']);
    expect(await serials('котельные ленина')).toEqual(['BOILER']);
    expect(await serials('ленина 7 nowhere')).toEqual([]);
  });

  it('controllers are not found by wildcards', async () => {
    expect(await serials('%')).toEqual([]);
    expect(await serials('AB_')).toEqual([]);
    expect(await serials('p_s')).toEqual(['AB1']);
  });

  it('come with what the palette shows of them', async () => {
    const { controllers } = await search('boiler');
    expect(controllers).toMatchObject([
      { status: 'never', organization: { id: plant, name: 'Plant' }, group: { name: 'Котельные', level: 2 } },
    ]);
  });

  it('controllers are 20 at most, the very one among them', async () => {
    const crowd = await server.createUser();
    const organizationId = await server.createOrganization(crowd);
    const numbers = Array.from({ length: 30 }, (_, index) => `CROWD-${index + 1}`);
    for (const serialNumber of numbers) await createTestController(server, { organizationId, serialNumber });
    const found = await serials('crowd-3', crowd);
    expect(found).toEqual(['CROWD-3', 'CROWD-30']);
    expect(await serials('crowd', crowd)).toHaveLength(20);
  });
});

describe('groups', () => {
  it('groups of all organizations: of this very name, then those that begin so, then the others, with what is above', async () => {
    const { groups } = await search('котельные');
    const found = groups.map(({ name, path, organization }) => [organization.name, ...path, name]);
    expect(found.slice(0, 2).sort()).toEqual([
      ['Plant', 'Юг', 'Север', 'Котельные'],
      ['School', 'Котельные'],
    ]);
    expect(found.slice(2)).toEqual([
      ['Plant', 'Котельные 2'],
      ['School', 'Старые котельные'],
    ]);
  });
});

it('skips organizations that the user is not in, or may not enter without a second factor', async () => {
  const stranger = await server.createUser();
  await server.createOrganization(stranger);
  expect(await search('AB1', stranger)).toEqual({ controllers: [], groups: [] });
  await server.db.updateTable('organizations').set({ totp_required: true }).where('id', '=', plant).execute();
  expect(await serials('AB1')).toEqual(['AB11', 'AB12']);
  expect((await search('котельные 2')).groups).toEqual([]);
  await server.db
    .updateTable('organizations')
    .set({ totp_required: false })
    .where('id', '=', plant)
    .execute();
});

it.each(['', '   '])('refuses %j: there is nothing to look for', async (text) => {
  const { status } = await server.call('search', { as: user, query: { search: text } });
  expect(status).toBe(400);
});
