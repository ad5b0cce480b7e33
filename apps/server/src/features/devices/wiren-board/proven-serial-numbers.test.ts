import { randomBytes } from 'node:crypto';
import {
  createTestDevice,
  enrolTestDevice,
  type ListeningServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../platform/ssh-fingerprint.ts';
import { createWirenBoardFixture, type WirenBoardFixture } from './wiren-board.fixture.ts';

// Devices whose hardware proves their serial numbers, by certificates of a factory, beside those that only say theirs.

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

const makeSerialNumber = () => `WB${randomBytes(4).toString('hex').toUpperCase()}`;

/** The token that a device with an agent shows, which anybody can have say any serial number. */
async function say(serialNumber: string): Promise<string> {
  return tokenOf(await enrolTestDevice(server, createTestDevice(serialNumber)));
}

/** The fingerprint of the device that the controller has. */
async function readFingerprint(serialNumber: string): Promise<string> {
  const { public_key } = await server.db
    .selectFrom('controllers')
    .innerJoin('enrolments', 'enrolments.id', 'controllers.enrolment_id')
    .select('enrolments.public_key')
    .where('controllers.serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();
  return fingerprintOf(public_key);
}

/** Claims a device of the serial number in the place of the one that the controller has. */
async function replace(serialNumber: string, token: string, by = { owner, organization }) {
  const body = { token, organization: by.organization, replace: await readFingerprint(serialNumber) };
  return server.call('activateController', { as: by.owner, body });
}

/** The token of a device whose certificate has proven the serial number. */
async function prove(serialNumber: string): Promise<string> {
  const device = await fixture.createDevice(serialNumber);
  await device.startUp();
  return new URL(device.activationLink ?? '').searchParams.get('token') ?? '';
}

const activate = (token: string, { owner: as, organization: into } = { owner, organization }) =>
  server.call('activateController', { as, body: { token, organization: into } });
const get = (serialNumber: string, as = owner) =>
  server.call('getController', { as, params: { serialNumber } });

describe('a serial number that hardware has proven', () => {
  it('a device that only says a serial number is not claimed while one that has proven it waits', async () => {
    const serialNumber = makeSerialNumber();
    const [said, proven] = [await say(serialNumber), await prove(serialNumber)];
    expect(await activate(said, other)).toMatchObject({
      status: 409,
      body: {
        code: 'serial_number_proven',
        detail: `Serial number ${serialNumber} is proven by the factory certificate of another device: claim the controller by the link that one shows.`,
      },
    });
    expect((await activate(proven)).body).toMatchObject({ serialNumber, connectionKind: 'wiren-board' });
  });

  it('a device that has proven a serial number and is not seen any more keeps nobody from claiming', async () => {
    const serialNumber = makeSerialNumber();
    await prove(serialNumber);
    await server.db
      .updateTable('enrolments')
      .set({ last_seen_at: new Date(server.clock.now().getTime() - 3 * 24 * 3600_000) })
      .where('serial_number', '=', serialNumber)
      .execute();
    expect((await activate(await say(serialNumber))).status).toBe(200);
  });

  it('a controller that only said its serial number is shown as contested once a device has proven it', async () => {
    const serialNumber = makeSerialNumber();
    await activate(await say(serialNumber));
    expect((await get(serialNumber)).body).toMatchObject({ isContested: false });
    await prove(serialNumber);
    expect((await get(serialNumber)).body).toMatchObject({ isContested: true });
    const { body } = await server.call('listControllers', {
      as: owner,
      query: { serial_number: serialNumber },
    });
    expect(body).toMatchObject({ results: [{ serialNumber, isContested: true }] });
  });

  it('a contested controller goes on in its organization with all that it had, once an admin replaces its device by the one that has proven it', async () => {
    const serialNumber = makeSerialNumber();
    const { body: before } = await activate(await say(serialNumber));
    const token = await prove(serialNumber);
    const member = await server.createUser();
    await server.addMember(organization, member, 'member');
    expect(await activate(token, { owner: member, organization })).toMatchObject({
      status: 409,
      body: { code: 'replacement_needs_admin' },
    });
    expect(await activate(token)).toMatchObject({ status: 409, body: { code: 'replacement_not_asked' } });
    expect(await replace(serialNumber, token)).toMatchObject({
      status: 200,
      body: { id: (before as { id: string }).id, connectionKind: 'wiren-board', isContested: false },
    });
  });

  it('a controller whose device has proven its serial number takes another one that has, where an admin asks for that', async () => {
    const serialNumber = makeSerialNumber();
    await activate(await prove(serialNumber));
    const token = await prove(serialNumber);
    expect(await activate(token)).toMatchObject({ status: 409, body: { code: 'replacement_not_asked' } });
    const before = await readFingerprint(serialNumber);
    expect((await replace(serialNumber, token)).status).toBe(200);
    expect(await readFingerprint(serialNumber)).not.toBe(before);
  });

  it('a controller whose device has proven its serial number takes none that only says it, until it is deleted and that device not seen any more', async () => {
    const serialNumber = makeSerialNumber();
    await activate(await prove(serialNumber));
    const token = await say(serialNumber);
    const refusal = 'replacement_unproven';
    const validated = await server.call('validateActivation', { as: owner, body: { token } });
    expect(validated.body).toMatchObject({ replacement: { refusal } });
    for (const attempt of [activate(token), replace(serialNumber, token)]) {
      expect(await attempt).toMatchObject({ status: 409, body: { code: refusal } });
    }
    await server.call('deleteController', { as: owner, params: { serialNumber } });
    expect(await activate(token)).toMatchObject({ status: 409, body: { code: 'serial_number_proven' } });
    await server.db
      .updateTable('enrolments')
      .set({ last_seen_at: new Date(server.clock.now().getTime() - 3 * 24 * 3600_000) })
      .where('serial_number', '=', serialNumber)
      .where('connection_kind', '=', 'wiren-board')
      .execute();
    expect((await activate(token)).status).toBe(200);
  });

  it('a contested controller takes no other device that only says its serial number while one that has proven it waits', async () => {
    const serialNumber = makeSerialNumber();
    await activate(await say(serialNumber));
    await prove(serialNumber);
    expect(await replace(serialNumber, await say(serialNumber))).toMatchObject({
      status: 409,
      body: { code: 'serial_number_proven' },
    });
  });

  it('a device that proves the serial number of a controller of another organization takes it from none, until it is deleted there', async () => {
    const serialNumber = makeSerialNumber();
    const { body: before } = await activate(await say(serialNumber), other);
    const token = await prove(serialNumber);
    expect(await activate(token)).toMatchObject({ status: 409, body: { code: 'serial_number_taken' } });
    const { id } = before as { id: string };
    expect((await get(serialNumber, other.owner)).body).toMatchObject({ id, isContested: true });
    const mails = await server.readMails();
    expect(mails.filter(({ subject }) => subject.includes(serialNumber))).toEqual([]);
    await server.call('deleteController', { as: other.owner, params: { serialNumber } });
    expect(await activate(token)).toMatchObject({
      status: 200,
      body: { organization: { id: organization }, isContested: false },
    });
  });

  it('a controller that has proven its serial number gives way to no other organization', async () => {
    const serialNumber = makeSerialNumber();
    await activate(await prove(serialNumber), other);
    for (const show of [say, prove]) {
      const token = await show(serialNumber);
      expect(await activate(token)).toMatchObject({ status: 409, body: { code: 'serial_number_taken' } });
    }
    expect((await get(serialNumber, other.owner)).body).toMatchObject({ isContested: false });
  });

  it('a contested controller that two organizations claim at once stays where it is', async () => {
    for (let round = 0; round < 5; round += 1) {
      const serialNumber = makeSerialNumber();
      await activate(await say(serialNumber), other);
      const token = await prove(serialNumber);
      const [theirs, own] = await Promise.all([activate(token), replace(serialNumber, token, other)]);
      expect(own.status).toBe(200);
      // Its token is used, or the controller is another organization's.
      expect([400, 409]).toContain(theirs.status);
    }
  });

  it('a contested controller that is deleted while another organization claims its device leaves no error', async () => {
    for (let round = 0; round < 5; round += 1) {
      const serialNumber = makeSerialNumber();
      await activate(await say(serialNumber), other);
      const token = await prove(serialNumber);
      const [claim, deletion] = await Promise.all([
        activate(token),
        server.call('deleteController', { as: other.owner, params: { serialNumber } }),
      ]);
      expect([200, 409]).toContain(claim.status);
      expect(deletion.status).toBe(204);
    }
  });
});
