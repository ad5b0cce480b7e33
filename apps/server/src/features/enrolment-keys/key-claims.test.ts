import type { ErrorCode } from '@pult/contract';
import { ENROLLMENT_KEY_HEADER } from '@pult/link';
import {
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeyFixture, type KeyFixture, newDevice } from './enrolment-key.fixture.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: KeyFixture;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  // All tests come from one address, whose enrolments are counted.
  server.clock.advance(3600_000);
  owner = await server.createUser();
  organization = await server.createOrganization(owner, 'Heating');
  fixture = createKeyFixture(server, owner, organization);
});

const activated = { status: 200, body: { activated: true, activationLink: null } };
/** The device is enrolled all the same, and told why its key did not count. */
const enrolledBut = (code: ErrorCode) => ({
  status: 200,
  body: {
    activated: false,
    activationLink: expect.stringContaining('/controllers?token='),
    keyRefusal: { code, detail: expect.stringMatching(/\.$/) },
  },
});
const activate = (token: string, into = organization, as = owner) =>
  server.call('activateController', { as, body: { token, organization: into } });

describe('a device with a key', () => {
  it('claims itself into the group of the key, counted and recorded', async () => {
    const group = await fixture.createGroup('Line 1');
    const { id, key } = await fixture.createKey({ name: 'Spring batch', group, maxUses: 2 });
    const device = newDevice();
    server.clock.advance(5000);
    expect(await fixture.enrol(key, device)).toEqual(expect.objectContaining(activated));
    expect(await fixture.controllerOf(device)).toMatchObject({
      organization_id: organization,
      group_id: group,
      status: 'never',
    });
    const lastUsedAt = server.clock.now().toISOString();
    expect(await fixture.getKey(id)).toMatchObject({ uses: 1, lastUsedAt, state: 'active' });
    expect(await fixture.listEvents()).toContainEqual({
      action: 'controller.activated',
      user_id: null,
      subject: device.serialNumber,
      details: { enrolmentKey: 'Spring batch' },
    });
  });

  it('claims itself into no group where the key has none, or that was deleted', async () => {
    const group = await fixture.createGroup('Short-lived');
    const keys = [await fixture.createKey(), await fixture.createKey({ group })];
    await server.call('deleteGroup', { as: owner, params: { groupId: group } });
    for (const { id, key } of keys) {
      const device = newDevice();
      expect(await fixture.enrol(key, device)).toMatchObject(activated);
      expect(await fixture.controllerOf(device)).toMatchObject({ group_id: null });
      expect(await fixture.getKey(id)).toMatchObject({ group: null });
    }
  });

  it('uses nothing up once it is claimed, by that key or another one', async () => {
    const { id, key } = await fixture.createKey({ maxUses: 1 });
    const device = newDevice();
    for (let round = 0; round < 3; round += 1) {
      const { body } = await fixture.enrol(key, device);
      expect(body).toEqual(activated.body);
    }
    expect(await fixture.getKey(id)).toMatchObject({ uses: 1, state: 'used_up' });
    expect((await fixture.enrol('pek_WRONG', device)).body).toEqual(activated.body);
  });

  it('claims itself at a later enrolment, when it got the key only then', async () => {
    const device = newDevice();
    const before = await enrolTestDevice(server, device);
    const { key } = await fixture.createKey();
    expect(await fixture.enrol(key, device)).toMatchObject(activated);
    expect(await activate(tokenOf(before))).toMatchObject({ body: { code: 'activation_token_invalid' } });
  });

  it('shuts out others of its serial number who were not claimed', async () => {
    const { key } = await fixture.createKey();
    const device = newDevice();
    const other = await enrolTestDevice(server, createTestDevice(device.serialNumber));
    expect(await fixture.enrol(key, device)).toMatchObject(activated);
    expect(await activate(tokenOf(other))).toMatchObject({ body: { code: 'activation_token_invalid' } });
  });
});

describe('a key that does not count', () => {
  it.each(['pek_WRONG', 'x', `pek_${'A'.repeat(32)}`, 'x'.repeat(3000)])('%.20s is unknown', async (key) => {
    const device = newDevice();
    expect(await fixture.enrol(key, device)).toMatchObject(enrolledBut('enrolment_key_unknown'));
    expect(await fixture.controllerOf(device)).toBeUndefined();
  });

  it('counts no more after its last use', async () => {
    const { id, key } = await fixture.createKey({ maxUses: 1 });
    expect(await fixture.enrol(key)).toMatchObject(activated);
    const device = newDevice();
    expect(await fixture.enrol(key, device)).toMatchObject(enrolledBut('enrolment_key_used_up'));
    expect(await fixture.controllerOf(device)).toBeUndefined();
    expect(await fixture.getKey(id)).toMatchObject({ uses: 1, state: 'used_up' });
  });

  it('counts to its very end and no longer', async () => {
    const { id, key } = await fixture.createKey({ expiresAt: fixture.inDays(2) });
    server.clock.advance(2 * 24 * 3600_000 - 1);
    expect(await fixture.enrol(key)).toMatchObject(activated);
    server.clock.advance(1);
    expect(await fixture.enrol(key)).toMatchObject(enrolledBut('enrolment_key_expired'));
    const row = await server.db
      .selectFrom('enrolment_keys')
      .select('uses')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toEqual({ uses: 1 });
  });

  it('counts no more once it is revoked, and what it has claimed stays', async () => {
    const { id, key } = await fixture.createKey();
    const device = newDevice();
    await fixture.enrol(key, device);
    await fixture.revoke(id);
    expect(await fixture.enrol(key)).toMatchObject(enrolledBut('enrolment_key_revoked'));
    expect(await fixture.controllerOf(device)).toBeDefined();
    expect(await fixture.enrol(key, device)).toMatchObject(activated);
  });

  it('goes with its organization', async () => {
    const { key } = await fixture.createKey();
    await server.db.deleteFrom('organizations').where('id', '=', organization).execute();
    expect(await fixture.enrol(key)).toMatchObject(enrolledBut('enrolment_key_unknown'));
  });

  it('takes over no controller, of another organization or of its own, and uses nothing up', async () => {
    const stranger = await server.createUser();
    const theirs = await server.createOrganization(stranger);
    const { id, key } = await fixture.createKey();
    for (const [into, as] of [
      [theirs, stranger],
      [organization, owner],
    ] as const) {
      const device = newDevice();
      await activate(tokenOf(await enrolTestDevice(server, device)), into, as);
      const before = await fixture.controllerOf(device);
      const again = createTestDevice(device.serialNumber);
      expect(await fixture.enrol(key, again)).toMatchObject(enrolledBut('enrolment_key_controller_exists'));
      expect(await fixture.controllerOf(device)).toEqual(before);
      expect(await enrolTestDevice(server, device)).toMatchObject(activated);
    }
    expect(await fixture.getKey(id)).toMatchObject({ uses: 0, lastUsedAt: null });
  });

  it('brings no deleted controller back, as the same device or installed anew', async () => {
    const { id, key } = await fixture.createKey();
    const device = newDevice();
    await fixture.enrol(key, device);
    const { serialNumber } = device;
    await server.call('deleteController', { as: owner, params: { serialNumber } });
    for (const each of [device, createTestDevice(serialNumber)]) {
      expect(await fixture.enrol(key, each)).toMatchObject(enrolledBut('enrolment_key_controller_removed'));
    }
    expect(await fixture.controllerOf(device)).toBeUndefined();
    expect(await fixture.getKey(id)).toMatchObject({ uses: 1 });
    const link = tokenOf(await enrolTestDevice(server, device));
    expect((await activate(link)).status).toBe(200);
  });

  it('goes no further than the licence', async () => {
    await using licensed = await createTestServer({ environment: { MAX_ACTIVATED_CONTROLLERS: '2' } });
    const user = await licensed.createUser();
    const keys = createKeyFixture(licensed, user, await licensed.createOrganization(user));
    const { id, key } = await keys.createKey();
    const answers = await Promise.all(Array.from({ length: 6 }, () => keys.enrol(key)));
    expect(answers.filter(({ body }) => (body as { activated: boolean }).activated)).toHaveLength(2);
    expect(await keys.enrol(key)).toMatchObject(enrolledBut('controllers_limit_reached'));
    expect(await keys.getKey(id)).toMatchObject({ uses: 2, state: 'active' });
  });
});

describe('races for a key', () => {
  it('many devices at once use a key exactly as often as it may be', async () => {
    const { id, key } = await fixture.createKey({ maxUses: 7 });
    const devices = Array.from({ length: 25 }, newDevice);
    const answers = await Promise.all(devices.map((device) => fixture.enrol(key, device)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.filter(({ body }) => (body as { activated: boolean }).activated)).toHaveLength(7);
    const controllers = await Promise.all(devices.map(fixture.controllerOf));
    expect(controllers.filter((controller) => controller !== undefined)).toHaveLength(7);
    expect(await fixture.getKey(id)).toMatchObject({ uses: 7, state: 'used_up' });
  });

  it('the same device many times at once uses a key once', async () => {
    const { id, key } = await fixture.createKey();
    const device = newDevice();
    const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.enrol(key, device)));
    for (const { body } of answers) expect(body).toEqual(activated.body);
    expect(await fixture.getKey(id)).toMatchObject({ uses: 1 });
  });

  it('several devices at once with one serial number leave it to one of them', async () => {
    const { id, key } = await fixture.createKey();
    const { serialNumber } = newDevice();
    const devices = Array.from({ length: 6 }, () => createTestDevice(serialNumber));
    const answers = await Promise.all(devices.map((device) => fixture.enrol(key, device)));
    expect(answers.filter(({ body }) => (body as { activated: boolean }).activated)).toHaveLength(1);
    expect(await fixture.getKey(id)).toMatchObject({ uses: 1 });
  });

  it('a person with the link and the key at once: one of them claims the device', async () => {
    const { id, key } = await fixture.createKey();
    const device = newDevice();
    const token = tokenOf(await enrolTestDevice(server, device));
    const stranger = await server.createUser();
    const theirs = await server.createOrganization(stranger);
    const [byKey, byLink] = await Promise.all([
      fixture.enrol(key, device),
      activate(token, theirs, stranger),
    ]);
    expect(byKey.body).toMatchObject({ activated: true });
    const { organization_id: winner } = (await fixture.controllerOf(device)) ?? {};
    expect(byLink.status).toBe(winner === theirs ? 200 : 400);
    expect(await fixture.getKey(id)).toMatchObject({ uses: winner === theirs ? 0 : 1 });
  });
});

it('admins learn once an hour of each reason for which a key was refused, and by what device', async () => {
  const { id, key } = await fixture.createKey({ name: 'Spring batch' });
  const claimed = newDevice();
  await fixture.enrol(key, claimed);
  const impostor = createTestDevice(claimed.serialNumber);
  await fixture.enrol(key, impostor);
  await fixture.enrol(key, impostor);
  await fixture.revoke(id);
  const late = newDevice();
  await fixture.enrol(key, late);
  await fixture.enrol(key, newDevice());
  await fixture.enrol('pek_WRONG');
  const refused = async () =>
    (await fixture.listEvents()).filter(({ action }) => action === 'enrolment_key.refused');
  const event = { action: 'enrolment_key.refused', user_id: null, subject: 'Spring batch' };
  const exists = { controllers: claimed.serialNumber, reason: 'enrolment_key_controller_exists' };
  const revoked = { controllers: late.serialNumber, reason: 'enrolment_key_revoked' };
  expect(await refused()).toEqual([
    { ...event, details: exists },
    { ...event, details: revoked },
  ]);
  server.clock.advance(3600_000);
  await fixture.enrol(key, late);
  expect(await refused()).toHaveLength(3);
});

describe('beside the key of the server', () => {
  const secret = 'correct-enrolment-key-1';
  let locked: TestServer;
  let keys: KeyFixture;
  beforeAll(async () => {
    locked = await createTestServer({ environment: { ENROLLMENT_KEY: secret } });
    const user = await locked.createUser();
    keys = createKeyFixture(locked, user, await locked.createOrganization(user));
  });
  afterAll(() => locked.close());

  it('a key of an organization lets its device in', async () => {
    const { key } = await keys.createKey();
    expect(await keys.enrol(key)).toMatchObject(activated);
  });

  it('a key that does not count leaves a stranger outside, and says why', async () => {
    const { id, key } = await keys.createKey();
    await keys.revoke(id);
    const device = newDevice();
    expect(await keys.enrol(key, device)).toMatchObject({
      status: 401,
      body: { code: 'enrolment_key_revoked' },
    });
    expect(await keys.listEvents()).toContainEqual(
      expect.objectContaining({
        action: 'enrolment_key.refused',
        details: { controllers: device.serialNumber, reason: 'enrolment_key_revoked' },
      }),
    );
    expect(await keys.enrol('pek_WRONG', device)).toMatchObject({
      status: 401,
      body: { code: 'enrolment_key_invalid' },
    });
    const known = await locked.db
      .selectFrom('enrolments')
      .select('id')
      .where('serial_number', '=', device.serialNumber)
      .execute();
    expect(known).toEqual([]);
  });

  it('a device that is claimed comes back with an old key, or none', async () => {
    const { id, key } = await keys.createKey();
    const device = newDevice();
    await keys.enrol(key, device);
    await keys.revoke(id);
    expect(await keys.enrol(key, device)).toMatchObject(activated);
    expect(await enrolTestDevice(locked, device)).toMatchObject(activated);
    const impostor = createTestDevice(device.serialNumber);
    expect(await keys.enrol(key, impostor)).toMatchObject({ status: 401 });
  });

  it('the key of the server is no key of an organization', async () => {
    const answer = await enrolTestDevice(locked, newDevice(), {
      headers: { [ENROLLMENT_KEY_HEADER]: secret },
    });
    expect(answer.body).toEqual({ activated: false, activationLink: expect.any(String) });
  });
});
