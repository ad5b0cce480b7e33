import type { Controller } from '@pult/contract';
import {
  createTestController,
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: TestServer;
let admin: TestUser;
let organization: string;
let serialNumber: string;

beforeAll(async () => {
  server = await createTestServer();
  admin = await server.createUser();
  organization = await server.createOrganization(await server.createUser(), 'Fleet');
  await server.addMember(organization, admin, 'admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ serialNumber } = await createTestController(server, { organizationId: organization }));
});

async function createGroup(
  organizationId: string,
  name: string,
  parent: string | null = null,
): Promise<string> {
  const id = globalThis.crypto.randomUUID();
  await server.db
    .insertInto('groups')
    .values({ id, organization_id: organizationId, parent_id: parent, name, created_at: server.clock.now() })
    .execute();
  return id;
}

const get = (as = admin) => server.call('getController', { as, params: { serialNumber } });
const patch = (body: unknown, as = admin) =>
  server.call('updateController', { as, params: { serialNumber }, body });

async function auditOf(subject: string) {
  return server.db
    .selectFrom('audit_events')
    .select(['action', 'user_id', 'organization_id', 'details'])
    .where('subject', '=', subject)
    .orderBy('id')
    .execute();
}

describe('a controller', () => {
  it('a controller is found by its serial number in either case', async () => {
    const lower = await server.call('getController', {
      as: admin,
      params: { serialNumber: serialNumber.toLowerCase() },
    });
    expect(lower).toMatchObject({
      status: 200,
      body: {
        serialNumber,
        organization: { id: organization, name: 'Fleet' },
        group: null,
        latitude: null,
        longitude: null,
        status: 'never',
        lastSeenAt: null,
      },
    });
  });

  it('a controller that does not or cannot exist is answered alike, by name', async () => {
    for (const unknown of [
      'NOBODY',
      'no.dots',
      'a--b',
      '-',
      '%',
      'x'.repeat(1000),
      'Контроллер',
      'A\u0000B',
      "'",
    ]) {
      const answer = await server.call('getController', { as: admin, params: { serialNumber: unknown } });
      expect([unknown, answer.status, (answer.body as { code: string }).code]).toEqual([
        unknown,
        404,
        'controller_not_found',
      ]);
    }
  });

  it('a controller of another organization is not there at all', async () => {
    const stranger = await server.createUser();
    for (const answer of [await get(stranger), await patch({ description: 'mine' }, stranger)]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'controller_not_found' } });
    }
  });
});

describe('changing a controller', () => {
  // spec: 3.02, 7.18
  it('keeps what is not given, and records what was', async () => {
    await patch({ description: ' Насосная ', latitude: 55.75, longitude: 37.62 });
    const answer = await patch({ latitude: -0.5, longitude: 180 });
    expect(answer).toMatchObject({
      status: 200,
      body: { description: 'Насосная', latitude: -0.5, longitude: 180 },
    });
    expect((await get()).body).toEqual(answer.body);
    const event = { action: 'controller.updated', user_id: admin.id, organization_id: organization };
    expect(await auditOf(serialNumber)).toEqual([
      { ...event, details: { changed: 'description, latitude, longitude' } },
      { ...event, details: { changed: 'latitude, longitude' } },
    ]);
  });

  it('changes nothing when nothing is given', async () => {
    const before = (await get()).body;
    expect(await patch({})).toMatchObject({ status: 200, body: before });
  });

  it('clears the description and the coordinates', async () => {
    await patch({ description: 'x', latitude: 1, longitude: 2 });
    expect(await patch({ description: '', latitude: null, longitude: null })).toMatchObject({
      status: 200,
      body: { description: '', latitude: null, longitude: null },
    });
  });

  it('takes a description of 255 characters, emoji or not, and no more', async () => {
    for (const letter of ['x', 'Ё', '🚰']) {
      expect(await patch({ description: letter.repeat(255) })).toMatchObject({
        status: 200,
        body: { description: letter.repeat(255) },
      });
      expect(await patch({ description: letter.repeat(256) })).toMatchObject({
        status: 400,
        body: { description: ['At most 255 characters.'] },
      });
    }
  });

  it.each([
    [{ latitude: 1 }, ['longitude']],
    [{ longitude: 1 }, ['latitude']],
    [{ latitude: null, longitude: 1 }, ['latitude']],
    [{ latitude: 90.01, longitude: 0 }, ['latitude']],
    [{ latitude: 0, longitude: 180.01 }, ['longitude']],
    [{ latitude: '1', longitude: '2' }, ['latitude', 'longitude']],
    [{ description: ['x'] }, ['description']],
    [{ description: null }, ['description']],
    [{ description: 'a\u0000' }, ['description']],
    [{ description: '\ud800' }, ['description']],
    [{ group: 'x' }, ['group']],
    [
      { serialNumber: 'NEW', status: 'online', organization: 'x' },
      ['serialNumber', 'status', 'organization'],
    ],
  ])('refuses %j', async (body, fields) => {
    const before = (await get()).body;
    const answer = await patch(body);
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, fields]);
    expect((await get()).body).toEqual(before);
  });

  // spec: 3.01
  it('puts it into a group of its organization, with the group’s level', async () => {
    const root = await createGroup(organization, `root of ${serialNumber}`);
    const child = await createGroup(organization, 'child', root);
    const grandchild = await createGroup(organization, 'grandchild', child);
    expect(await patch({ group: root })).toMatchObject({
      status: 200,
      body: { group: { id: root, level: 0 } },
    });
    expect(await patch({ group: grandchild })).toMatchObject({
      body: { group: { id: grandchild, name: 'grandchild', level: 2 } },
    });
    expect(await patch({ description: 'stays in it' })).toMatchObject({
      body: { group: { id: grandchild } },
    });
    expect(await patch({ group: null })).toMatchObject({ status: 200, body: { group: null } });
  });

  it('refuses a group of another organization, even of one’s own, and one that does not exist', async () => {
    const own = await server.createOrganization(admin);
    for (const group of [await createGroup(own, 'elsewhere'), globalThis.crypto.randomUUID()]) {
      expect(await patch({ group })).toMatchObject({
        status: 400,
        body: { group: ['The organization has no such group.'] },
      });
    }
  });

  it('races with the deletion of the group without an error', async () => {
    for (let round = 0; round < 20; round += 1) {
      const group = await createGroup(organization, `short-lived ${serialNumber} ${round}`);
      const [answer] = await Promise.all([
        patch({ group }),
        server.db.deleteFrom('groups').where('id', '=', group).execute(),
      ]);
      expect([200, 400]).toContain(answer.status);
      expect((await get()).body).toMatchObject({ group: null });
    }
  });

  it('needs a member', async () => {
    const [viewer, member] = [await server.createUser(), await server.createUser()];
    await server.addMember(organization, viewer, 'viewer');
    await server.addMember(organization, member, 'member');
    expect(await patch({ description: 'x' }, viewer)).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    });
    expect((await patch({ description: 'x' }, member)).status).toBe(200);
  });
});

describe('deleting a controller', () => {
  const remove = (as: TestUser, serial: string) =>
    server.call('deleteController', { as, params: { serialNumber: serial } });

  it('needs an admin', async () => {
    const member = await server.createUser();
    await server.addMember(organization, member, 'member');
    expect(await remove(member, serialNumber)).toMatchObject({
      status: 403,
      body: { code: 'role_forbidden' },
    });
    expect((await get()).status).toBe(200);
    expect(await remove(admin, serialNumber)).toMatchObject({ status: 204, body: undefined });
    expect((await get()).status).toBe(404);
    expect(await remove(admin, serialNumber)).toMatchObject({ status: 404 });
    expect((await auditOf(serialNumber)).map(({ action }) => action)).toEqual([
      'access.refused',
      'controller.deleted',
    ]);
  });

  // spec: 7.19
  it('ends the old token; the device shows a new link and can be claimed again, with nothing left of before', async () => {
    const device = createTestDevice(`DEL-${serialNumber}`);
    const token = tokenOf(await enrolTestDevice(server, device));
    const claim = (by: string) =>
      server.call('activateController', { as: admin, body: { token: by, organization } });
    const first = (await claim(token)).body as Controller;
    await server.call('updateController', {
      as: admin,
      params: { serialNumber: device.serialNumber },
      body: { description: 'old', latitude: 1, longitude: 1 },
    });
    expect((await remove(admin, device.serialNumber)).status).toBe(204);

    expect(await claim(token)).toMatchObject({ status: 400, body: { code: 'activation_token_invalid' } });
    const again = await enrolTestDevice(server, device);
    expect(again.body).toMatchObject({ activated: false });
    expect(tokenOf(again)).not.toBe(token);
    const second = await claim(tokenOf(again));
    expect(second).toMatchObject({ status: 200, body: { description: '', latitude: null } });
    expect((second.body as Controller).id).not.toBe(first.id);
  });

  it('deleting a controller of two at once lets one succeed', async () => {
    const answers = await Promise.all([remove(admin, serialNumber), remove(admin, serialNumber)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    expect(await auditOf(serialNumber)).toHaveLength(1);
  });
});

describe('a controller that is named in lower case', () => {
  // spec: 5.02
  it('spec 5: a serial number in lower case is upper-cased by the server in every call of the controller', async () => {
    const lower = serialNumber.toLowerCase();
    expect(lower).not.toBe(serialNumber);
    const params = { serialNumber: lower };
    const calls = [
      'getController',
      'getLastMqttData',
      'getDiagnostic',
      'listDiagnostics',
      'listServices',
    ] as const;
    for (const name of calls) {
      expect([name, (await server.call(name, { as: admin, params })).status]).toEqual([name, 200]);
    }
    expect((await server.call('getController', { as: admin, params })).body).toMatchObject({ serialNumber });
    const body = { description: 'By its small letters' };
    expect((await server.call('updateController', { as: admin, params, body })).body).toMatchObject({
      serialNumber,
      ...body,
    });
    expect((await server.call('deleteController', { as: admin, params })).status).toBe(204);
    expect((await get()).status).toBe(404);
  });
});

it.each([
  ['viewer', 403],
  ['member', 403],
  ['admin', 204],
  ['owner', 204],
] as const)('the deletion of a controller by the role %s is answered by %i', async (role, status) => {
  const user = await server.createUser();
  await server.addMember(organization, user, role);
  const answer = await server.call('deleteController', { as: user, params: { serialNumber } });
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.body).toMatchObject({ code: 'role_forbidden' });
  expect((await get()).status).toBe(status === 204 ? 404 : 200);
});
