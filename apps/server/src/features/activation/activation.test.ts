import { randomBytes } from 'node:crypto';
import type { Controller } from '@pult/contract';
import {
  createTestController,
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestAnswer,
  type TestDevice,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../platform/ssh-fingerprint.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
let strangers: { owner: TestUser; organization: string };

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser();
  organization = await server.createOrganization(owner);
  const stranger = await server.createUser();
  strangers = { owner: stranger, organization: await server.createOrganization(stranger) };
});
afterAll(() => server.close());

const day = 24 * 3600 * 1000;
const invalid = { status: 400, body: { code: 'activation_token_invalid' } };

const validate = (token: string, as = owner) => server.call('validateActivation', { as, body: { token } });
const activate = (token: string, as = owner, into = organization) =>
  server.call('activateController', { as, body: { token, organization: into } });

/** Claims another device in the place of that one. */
const replace = (
  { publicKey }: TestDevice,
  token: string,
  { owner: as, organization: into } = { owner, organization },
) =>
  server.call('activateController', {
    as,
    body: { token, organization: into, replace: fingerprintOf(publicKey) },
  });

/** A device that is enrolled, with the token that it shows. */
async function enrol(serialNumber = `SN-${randomBytes(4).toString('hex').toUpperCase()}`) {
  const device = createTestDevice(serialNumber);
  return { device, serialNumber, token: tokenOf(await enrolTestDevice(server, device)) };
}

function statuses(answers: readonly TestAnswer[]): number[] {
  return answers.map(({ status }) => status).sort();
}

describe('an activation token', () => {
  // spec: 7.27
  it('tells the controller it stands for, and changes nothing', async () => {
    const { token, serialNumber } = await enrol();
    expect(token).toMatch(/^([A-Z2-7]{6}-){3}[A-Z2-7]{6}$/);
    for (let round = 0; round < 2; round += 1) {
      expect(await validate(token)).toMatchObject({
        status: 200,
        body: { controllerSerialNumber: serialNumber },
      });
    }
  });

  it('an activation token is read in lower case, without hyphens and with spaces', async () => {
    const { token } = await enrol();
    for (const typed of [token.toLowerCase(), token.replaceAll('-', ''), ` ${token.replaceAll('-', ' ')} `]) {
      expect([typed, (await validate(typed)).status]).toEqual([typed, 200]);
    }
  });

  it('an activation token is refused when it is wrong in any way', async () => {
    const { token } = await enrol();
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    const first = token.startsWith('A') ? 'B' : 'A';
    for (const wrong of [
      `${token.slice(0, -1)}${last}`,
      `${first}${token.slice(1)}`,
      token.slice(0, -1),
      `${token}A`,
      'x',
      '0'.repeat(24),
      '🚰'.repeat(12),
      'A'.repeat(64),
    ]) {
      expect([wrong, await validate(wrong)]).toMatchObject([wrong, invalid]);
      expect([wrong, await activate(wrong)]).toMatchObject([wrong, invalid]);
    }
    for (const malformed of ['', ' ', 'A'.repeat(65), 'A\u0000']) {
      expect(await validate(malformed)).toMatchObject({ status: 400, body: { token: expect.any(Array) } });
    }
  });

  it('lives for at least 7 days and at most 14', async () => {
    await using later = await createTestServer();
    const user = await later.createUser();
    const into = await later.createOrganization(user);
    // The session outlives the token, an access token does not.
    const headers = { cookie: user.cookie, origin: later.publicUrl };
    const check = (token: string) => later.call('validateActivation', { headers, body: { token } });
    const device = createTestDevice('LATER');
    const token = tokenOf(await enrolTestDevice(later, device));
    later.clock.advance(7 * day - 1);
    expect((await check(token)).status).toBe(200);
    later.clock.advance(7 * day);
    expect(await check(token)).toMatchObject(invalid);
    const claim = (by: string) =>
      later.call('activateController', { headers, body: { token: by, organization: into } });
    expect(await claim(token)).toMatchObject(invalid);
    const fresh = tokenOf(await enrolTestDevice(later, device));
    expect(fresh).not.toBe(token);
    expect((await claim(fresh)).status).toBe(200);
  });

  it('an activation token is dead once used', async () => {
    const { token } = await enrol();
    expect((await activate(token)).status).toBe(200);
    expect(await validate(token)).toMatchObject(invalid);
    expect(await activate(token)).toMatchObject(invalid);
    expect(await activate(token, strangers.owner, strangers.organization)).toMatchObject(invalid);
  });
});

describe('activation', () => {
  // spec: 1.06, 3.01, 7.26
  it('claims a controller by the token its device shows, and records it', async () => {
    const { token, device, serialNumber } = await enrol();
    const activated = await activate(token);
    expect(activated).toMatchObject({
      status: 200,
      body: {
        serialNumber,
        organization: { id: organization },
        status: 'never',
        group: null,
        description: '',
        firmwareVersion: '1.0.0',
        model: 'Test board',
        activatedAt: server.clock.now().toISOString(),
      },
    });
    const again = await enrolTestDevice(server, device);
    expect(again.body).toEqual({ activated: true, activationLink: null });
    const audit = await server.db
      .selectFrom('audit_events')
      .select(['action', 'user_id', 'organization_id'])
      .where('subject', '=', serialNumber)
      .execute();
    expect(audit).toEqual([
      { action: 'controller.activated', user_id: owner.id, organization_id: organization },
    ]);
  });

  it('needs a member of an organization of one’s own', async () => {
    const { token } = await enrol();
    const [viewer, member] = [await server.createUser(), await server.createUser()];
    await server.addMember(organization, viewer, 'viewer');
    await server.addMember(organization, member, 'member');
    expect(await activate(token, viewer)).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
    for (const into of [strangers.organization, globalThis.crypto.randomUUID()]) {
      expect(await activate(token, member, into)).toMatchObject({
        status: 404,
        body: { code: 'organization_not_found' },
      });
    }
    expect((await activate(token, member)).status).toBe(200);
  });

  // spec: 7.26
  it('lets one of two claims at once succeed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { token } = await enrol();
      const claims = await Promise.all([
        activate(token),
        activate(token, strangers.owner, strangers.organization),
      ]);
      expect(statuses(claims)).toEqual([200, 400]);
    }
  });
});

describe('devices with one serial number', () => {
  it('devices with one serial number are told apart by their tokens; claiming one forgets the others', async () => {
    const genuine = await enrol();
    const impostor = await enrol(genuine.serialNumber);
    expect(impostor.token).not.toBe(genuine.token);
    expect((await activate(genuine.token)).status).toBe(200);
    expect(await validate(impostor.token)).toMatchObject(invalid);
    const rows = await server.db
      .selectFrom('enrolments')
      .select('public_key')
      .where('serial_number', '=', genuine.serialNumber)
      .execute();
    expect(rows).toEqual([{ public_key: genuine.device.publicKey }]);
  });

  it('claimed at once by their own tokens leave one controller and no error', async () => {
    for (let round = 0; round < 20; round += 1) {
      const first = await enrol();
      const second = await enrol(first.serialNumber);
      const claims = await Promise.all([
        activate(first.token),
        activate(second.token, strangers.owner, strangers.organization),
      ]);
      expect(statuses(claims)).toEqual([200, 400]);
    }
  });

  it('devices with one serial number cannot take a controller from another organization', async () => {
    const claimed = await enrol();
    await activate(claimed.token, strangers.owner, strangers.organization);
    const { token } = await enrol(claimed.serialNumber);
    expect(await activate(token)).toMatchObject({
      status: 409,
      body: {
        code: 'serial_number_taken',
        detail: `Controller ${claimed.serialNumber} is already activated in another organization.`,
      },
    });
    // Its own organization may still let it replace the device.
    expect((await replace(claimed.device, token, strangers)).status).toBe(200);
  });

  it('give a reflashed controller of one’s own its new key, and leave all else as it was', async () => {
    const { token, serialNumber, device } = await enrol();
    const before = (await activate(token)).body as Controller;
    await server.call('updateController', {
      as: owner,
      params: { serialNumber },
      body: { description: 'Насосная', latitude: 1, longitude: 2 },
    });
    const seen = server.clock.now();
    await server.db
      .updateTable('controllers')
      .set({ ssh_host_key: Buffer.from('key'), status: 'offline', status_reason: 'link', last_seen_at: seen })
      .where('serial_number', '=', serialNumber)
      .execute();
    server.clock.advance(1000);

    const reflashed = await enrol(serialNumber);
    expect(await replace(device, reflashed.token)).toMatchObject({
      status: 200,
      body: {
        ...before,
        description: 'Насосная',
        latitude: 1,
        longitude: 2,
        status: 'offline',
        statusReason: 'link',
        lastSeenAt: seen.toISOString(),
      },
    });
    const row = await server.db
      .selectFrom('controllers')
      .innerJoin('enrolments', 'enrolments.id', 'controllers.enrolment_id')
      .select(['public_key', 'ssh_host_key'])
      .where('controllers.serial_number', '=', serialNumber)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ public_key: reflashed.device.publicKey, ssh_host_key: null });
    // The old key is a stranger now.
    expect((await enrolTestDevice(server, device)).body).toMatchObject({ activated: false });
  });

  it('survive that the controller is claimed anew and deleted at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { token, serialNumber, device } = await enrol();
      await activate(token);
      const anew = await enrol(serialNumber);
      const [claim, deletion] = await Promise.all([
        replace(device, anew.token),
        server.call('deleteController', { as: owner, params: { serialNumber } }),
      ]);
      expect([200, 404, 409]).toContain(claim?.status);
      expect(deletion?.status).toBe(204);
    }
  });
});

describe('the licence', () => {
  it('the licence is exact however many controllers are claimed at once, and does not count a reflashed one', async () => {
    await using limited = await createTestServer({ environment: { MAX_ACTIVATED_CONTROLLERS: '5' } });
    const user = await limited.createUser();
    const into = await limited.createOrganization(user);
    await createTestController(limited, { organizationId: into });
    await createTestController(limited, { organizationId: into });
    const devices = new Map<string, TestDevice>();
    const claim = async (serialNumber: string) => {
      const device = createTestDevice(serialNumber);
      const token = tokenOf(await enrolTestDevice(limited, device));
      const before = devices.get(serialNumber);
      devices.set(serialNumber, device);
      const body = {
        token,
        organization: into,
        ...(before ? { replace: fingerprintOf(before.publicKey) } : {}),
      };
      return () => limited.call('activateController', { as: user, body });
    };
    const claims = await Promise.all(Array.from({ length: 12 }, (_, index) => claim(`LIMIT-${index}`)));
    const answers = await Promise.all(claims.map((start) => start()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'controllers_limit_reached', detail: 'The license limit of 5 controllers is reached.' },
      });
    }
    const claimed = answers.findIndex(({ status }) => status === 200);
    const serialNumber = `LIMIT-${claimed}`;
    expect((await (await claim(serialNumber))()).status).toBe(200);
    await limited.call('deleteController', { as: user, params: { serialNumber } });
    expect((await (await claim('LIMIT-NEW'))()).status).toBe(200);
    expect((await (await claim('LIMIT-NEWER'))()).status).toBe(409);
  });
});
