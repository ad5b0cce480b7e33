import { randomBytes } from 'node:crypto';
import type { Permission, Role } from '@pult/contract';
import {
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestDevice,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../platform/ssh-fingerprint.ts';
import { addToken, bearer } from '../accounts/tokens/tokens.fixture.ts';
import { confirm, giveSecondFactor } from '../organizations/second-factor.fixture.ts';
import { createServiceAccount, grantService } from '../service-accounts/service-accounts.fixture.ts';

// A device in the place of one that an organization has claimed.

let server: TestServer;
let owner: TestUser;
let organization: string;
let present: TestDevice;
let serialNumber: string;
const hostKey = Buffer.from('the host key of the present device');

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.createUser();
  organization = await server.createOrganization(owner, 'Heating');
  serialNumber = `SN-${randomBytes(4).toString('hex').toUpperCase()}`;
  present = createTestDevice(serialNumber);
  await activate({ token: tokenOf(await enrolTestDevice(server, present)) });
  const seen = { ssh_host_key: hostKey, last_seen_at: server.clock.now() };
  await server.db.updateTable('controllers').set(seen).where('serial_number', '=', serialNumber).execute();
});

interface Claim {
  token: string;
  replace?: string | undefined;
  group?: string;
  as?: TestUser | undefined;
  headers?: Record<string, string>;
}

function activate({ as = owner, headers, ...claim }: Claim) {
  const body = { ...claim, organization };
  return server.call('activateController', { body, ...(headers ? { headers } : { as }) });
}
const validate = async (token: string, as = owner) =>
  (await server.call('validateActivation', { as, body: { token } })).body;

/** A device under the same serial number, with another key. */
async function enrolAnother() {
  const device = createTestDevice(serialNumber);
  return { device, token: tokenOf(await enrolTestDevice(server, device)) };
}

async function addMember(role: Role): Promise<TestUser> {
  const user = await server.createUser();
  await server.addMember(organization, user, role);
  return user;
}

async function addGroup(): Promise<string> {
  const answer = await server.call('createGroup', { as: owner, body: { name: 'Attic', organization } });
  return (answer.body as { id: string }).id;
}

async function readBinding() {
  const row = await server.db
    .selectFrom('controllers')
    .innerJoin('enrolments', 'enrolments.id', 'controllers.enrolment_id')
    .select(['public_key as publicKey', 'ssh_host_key as hostKey'])
    .where('controllers.serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();
  return { fingerprint: fingerprintOf(row.publicKey), hostKey: row.hostKey };
}
const bindingOf = ({ publicKey }: TestDevice, key: Buffer | null) => ({
  fingerprint: fingerprintOf(publicKey),
  hostKey: key,
});

const listEvents = () =>
  server.db
    .selectFrom('audit_events')
    .select(['action', 'user_id', 'details'])
    .where('organization_id', '=', organization)
    .where('subject', '=', serialNumber)
    .where('action', '!=', 'controller.activated')
    .orderBy('id')
    .execute();

const refusedBy = (code: string) => ({ status: 409, body: { code } });

describe('a device that is claimed under the serial number of a controller', () => {
  it('replaces no device by the claim of a member, who is told to pass the link on, and the audit log tells of it', async () => {
    const member = await addMember('member');
    const { token } = await enrolAnother();
    for (const replace of [undefined, fingerprintOf(present.publicKey)]) {
      const answer = await activate({ token, as: member, replace });
      expect(answer).toMatchObject(refusedBy('replacement_needs_admin'));
    }
    expect(await readBinding()).toEqual(bindingOf(present, hostKey));
    expect((await enrolTestDevice(server, present)).body).toMatchObject({ activated: true });
    expect(await listEvents()).toEqual([
      {
        action: 'access.refused',
        user_id: member.id,
        details: { route: 'activateController', permission: 'controllers.delete' },
      },
    ]);
  });

  it('replaces no device unless an admin asks for it, and tells them which one there is', async () => {
    const { token } = await enrolAnother();
    const fingerprint = fingerprintOf(present.publicKey);
    const answer = await activate({ token });
    expect(answer).toMatchObject(refusedBy('replacement_not_asked'));
    expect(answer.body).toMatchObject({ detail: expect.stringContaining(fingerprint) });
    expect(await readBinding()).toEqual(bindingOf(present, hostKey));
  });

  it('replaces the device that an admin names, and the audit log has the fingerprints of both', async () => {
    const admin = await addMember('admin');
    const { token, device } = await enrolAnother();
    const previousFingerprint = fingerprintOf(present.publicKey);
    const ended: unknown[] = [];
    const stop = server.server.events.subscribe('accessEnded', (event) => ended.push(event));
    const answer = await activate({ token, as: admin, replace: previousFingerprint });
    stop();
    // All that goes to the device before ends with it.
    expect(ended).toEqual([{ controllerId: (answer.body as { id: string }).id }]);
    expect(answer).toMatchObject({ status: 200, body: { serialNumber } });
    expect(await readBinding()).toEqual(bindingOf(device, null));
    expect((await enrolTestDevice(server, present)).body).toMatchObject({ activated: false });
    const user_id = admin.id;
    const fingerprint = fingerprintOf(device.publicKey);
    expect(await listEvents()).toEqual([
      { action: 'controller.device_replaced', user_id, details: { fingerprint, previousFingerprint } },
      { action: 'host_key.forgotten', user_id, details: { fingerprint: fingerprintOf(hostKey) } },
    ]);
  });

  it('replaces no other device than the one that is named', async () => {
    const shown = fingerprintOf(present.publicKey);
    const first = await enrolAnother();
    expect((await activate({ token: first.token, replace: shown })).status).toBe(200);
    const second = await enrolAnother();
    for (const replace of [shown, 'SHA256:x', fingerprintOf(second.device.publicKey)]) {
      expect(await activate({ token: second.token, replace })).toMatchObject(
        refusedBy('replacement_outdated'),
      );
    }
    expect(await readBinding()).toMatchObject({ fingerprint: fingerprintOf(first.device.publicKey) });
    // Of one that was deleted meanwhile there is nothing to replace.
    await server.call('deleteController', { as: owner, params: { serialNumber } });
    expect(await activate({ token: second.token, replace: shown })).toMatchObject(
      refusedBy('replacement_outdated'),
    );
    expect((await activate({ token: second.token })).status).toBe(200);
  });

  it('replaces a device once, of two that are claimed at the same moment for the same place', async () => {
    for (let round = 0; round < 10; round += 1) {
      const replace = (await readBinding()).fingerprint;
      const rivals = [await enrolAnother(), await enrolAnother()];
      const answers = await Promise.all(rivals.map(({ token }) => activate({ token, replace })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const winner = rivals[answers.findIndex(({ status }) => status === 200)];
      expect(await readBinding()).toMatchObject({
        fingerprint: fingerprintOf(winner?.device.publicKey ?? hostKey),
      });
    }
    const events = await listEvents();
    expect(events.filter(({ action }) => action === 'controller.device_replaced')).toHaveLength(10);
  });

  it('replaces a device where its controller is for the caller to delete, and nowhere else', async () => {
    const group = await addGroup();
    const replace = fingerprintOf(present.publicKey);
    const [admin, partial] = [await addMember('member'), await server.createUser()];
    for (const { id } of [admin, partial]) {
      await grantService(server, id, { organizationId: organization, role: 'admin', groupId: group });
    }
    const { token } = await enrolAnother();
    expect(await activate({ token, as: admin, replace })).toMatchObject(refusedBy('replacement_needs_admin'));
    expect(await activate({ token, as: partial, replace, group })).toMatchObject(
      refusedBy('serial_number_taken'),
    );
    expect(await activate({ token, as: partial, replace })).toMatchObject({
      status: 400,
      body: { group: [expect.any(String)] },
    });
    await server.call('updateController', { as: owner, params: { serialNumber }, body: { group } });
    // The controller stays where it is: nobody has to say where it goes.
    expect((await activate({ token, as: partial, replace })).status).toBe(200);
    const again = { token: (await enrolAnother()).token, replace: (await readBinding()).fingerprint };
    expect((await activate({ ...again, as: admin })).status).toBe(200);
  });

  it('replaces a device by the code of an admin who has a second factor', async () => {
    await giveSecondFactor(server, owner);
    const replace = fingerprintOf(present.publicKey);
    const { token } = await enrolAnother();
    expect(await activate({ token })).toMatchObject(refusedBy('replacement_not_asked'));
    expect(await activate({ token, replace })).toMatchObject({
      status: 403,
      body: { code: 'totp_required' },
    });
    await confirm(server, owner, 'delete_controller');
    expect((await activate({ token, replace })).status).toBe(200);
  });

  it('replaces a device by a token that may delete controllers, and by no other', async () => {
    const replace = fingerprintOf(present.publicKey);
    const { token } = await enrolAnother();
    const activateBy = async (scopes: Permission[], asked?: string) => {
      const headers = bearer(await addToken(server, owner, scopes));
      return activate({ token, headers, replace: asked });
    };
    for (const asked of [undefined, replace]) {
      expect(await activateBy(['controllers.activate'], asked)).toMatchObject({
        status: 403,
        body: { code: 'token_forbidden', detail: expect.stringContaining('controllers.delete') },
      });
    }
    expect(await readBinding()).toEqual(bindingOf(present, hostKey));
    expect((await activateBy(['controllers.activate', 'controllers.delete'], replace)).status).toBe(200);
  });

  it('replaces a device with a mail to all people who may delete the controller, each in their language', async () => {
    const [admin, member, partial] = [
      await addMember('admin'),
      await addMember('member'),
      await server.createUser(),
    ];
    const groupId = await addGroup();
    await server.call('updateController', { as: owner, params: { serialNumber }, body: { group: groupId } });
    await grantService(server, partial.id, { organizationId: organization, role: 'admin', groupId });
    const robot = await createServiceAccount(server, owner, organization);
    await grantService(server, robot.id, { organizationId: organization, role: 'admin' });
    await server.db.updateTable('users').set({ locale: 'ru' }).where('id', '=', admin.id).execute();
    await server.db.updateTable('users').set({ locale: 'en' }).where('id', '=', owner.id).execute();
    const { token, device } = await enrolAnother();
    const [previous, next] = [fingerprintOf(present.publicKey), fingerprintOf(device.publicKey)];
    await activate({ token, replace: previous });
    const mails = (await server.readMails()).filter(
      ({ kind, subject }) => kind === 'device-replaced' && subject.includes(serialNumber),
    );
    expect(mails.map(({ to }) => to).sort()).toEqual([owner.email, admin.email, partial.email].sort());
    expect(mails.map(({ to }) => to)).not.toContain(member.email);
    const textsOf = (user: TestUser) => {
      const { subject, paragraphs = [] } = mails.find(({ to }) => to === user.email) ?? {};
      return [subject, ...paragraphs].join('\n');
    };
    expect(textsOf(owner)).toMatch(/^Device of controller/);
    expect(textsOf(admin)).toMatch(/^Заменено устройство контроллера/);
    for (const user of [owner, admin]) {
      for (const told of [serialNumber, 'Heating', previous, next, owner.email]) {
        expect(textsOf(user)).toContain(told);
      }
    }
  });
});

describe('the check of a token', () => {
  it('the check of a token tells nobody of the present device who does not see its controller', async () => {
    const { token } = await enrolAnother();
    const group = await addGroup();
    const [stranger, elsewhere] = [await server.createUser(), await server.createUser()];
    await server.createOrganization(stranger);
    await grantService(server, elsewhere.id, { organizationId: organization, role: 'admin', groupId: group });
    for (const as of [stranger, elsewhere]) {
      expect(await validate(token, as)).toEqual({ controllerSerialNumber: serialNumber });
    }
  });

  it('the check of a token shows both devices to those who see the controller, and who may replace one by the other', async () => {
    const { token, device } = await enrolAnother();
    const [viewer, member, admin] = [
      await addMember('viewer'),
      await addMember('member'),
      await addMember('admin'),
    ];
    const shown = {
      organization: { id: organization, name: 'Heating' },
      present: {
        fingerprint: fingerprintOf(present.publicKey),
        connectionKind: 'agent',
        model: 'Test board',
        status: 'never',
        lastSeenAt: server.clock.now().toISOString(),
      },
      candidate: {
        fingerprint: fingerprintOf(device.publicKey),
        connectionKind: 'agent',
        model: 'Test board',
      },
    };
    for (const [as, refusal] of [
      [viewer, 'replacement_needs_admin'],
      [member, 'replacement_needs_admin'],
      [admin, null],
      [owner, null],
    ] as const) {
      const replacement = { ...shown, refusal };
      expect(await validate(token, as)).toEqual({ controllerSerialNumber: serialNumber, replacement });
    }
  });

  it('the check of a token says nothing of a replacement where the serial number is free', async () => {
    const device = createTestDevice(`FREE-${serialNumber}`);
    const token = tokenOf(await enrolTestDevice(server, device));
    expect(await validate(token)).toEqual({ controllerSerialNumber: device.serialNumber });
  });
});
