import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Organization } from '@pult/contract';
import {
  type CallOptions,
  createListeningServer,
  createTestController,
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type ListeningServer,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInviteFixture } from './invites/invite.fixture.ts';
import { confirm, giveSecondFactor } from './second-factor.fixture.ts';

/** An organization that requires a second factor, as its members with and without one meet it. */

let server: ListeningServer;
let owner: TestUser;
/** An admin: no role helps. */
let without: TestUser;
let strict: string;
let open: string;
let serialNumber: string;

beforeAll(async () => {
  server = await createListeningServer();
  [owner, without] = [await server.createUser(), await server.createUser()];
  await giveSecondFactor(server, owner);
  strict = await server.createOrganization(owner, 'Strict');
  open = await server.createOrganization(owner, 'Open');
  await server.addMember(strict, without, 'admin');
  await server.addMember(open, without, 'admin');
  ({ serialNumber } = await createTestController(server, {
    organizationId: strict,
    serialNumber: 'STRICT-1',
  }));
  await createTestController(server, { organizationId: open, serialNumber: 'OPEN-1' });
  await requireTotp(true);
});
afterAll(() => server.close());

async function requireTotp(totpRequired: boolean) {
  await confirm(server, owner, 'change_org_totp');
  const params = { organizationId: strict };
  return server.call('updateOrganization', { as: owner, params, body: { totpRequired } });
}

const refusal = {
  status: 403,
  body: {
    code: 'totp_setup_required',
    detail: 'The organization “Strict” requires a second factor. Turn it on to go on.',
  },
};

type Calls = [string, () => Promise<Awaited<ReturnType<TestServer['call']>>>][];
const byOrganization = (as: TestUser, id: string): Calls => {
  const options: CallOptions = { as, params: { organizationId: id } };
  return [
    ['getOrganization', () => server.call('getOrganization', options)],
    ['listMembers', () => server.call('listMembers', options)],
    ['listInvites', () => server.call('listInvites', options)],
    ['listAuditEvents', () => server.call('listAuditEvents', options)],
    ['updateOrganization', () => server.call('updateOrganization', { ...options, body: { name: 'Mine' } })],
    ['events', () => server.call('listenToEvents', { as, query: { organization_id: id } })],
    ['filtered list', () => server.call('listControllers', { as, query: { organization_id: id } })],
    ['filtered count', () => server.call('countControllers', { as, query: { organization_id: id } })],
  ];
};

describe('a member without a second factor', () => {
  // spec: 6.03
  it('a member without a second factor is refused by every way to the organization, with its name', async () => {
    const token = tokenOf(await enrolTestDevice(server, createTestDevice('STRICT-2')));
    const params = { serialNumber };
    const calls: Calls = [
      ...byOrganization(without, strict),
      ['controller', () => server.call('getController', { as: without, params })],
      ['change', () => server.call('updateController', { as: without, params, body: { description: 'x' } })],
      ['deletion', () => server.call('deleteController', { as: without, params })],
      ['tunnel', () => server.call('openTunnel', { as: without, params: { ...params, protocol: 'ssh' } })],
      [
        'activation',
        () => server.call('activateController', { as: without, body: { token, organization: strict } }),
      ],
    ];
    for (const [name, call] of calls) expect([name, await call()]).toMatchObject([name, refusal]);
    // Refused by the second factor, not by the role.
    const events = await server.db
      .selectFrom('audit_events')
      .select('id')
      .where('action', '=', 'access.refused')
      .execute();
    expect(events).toEqual([]);
  });

  it('still finds it in the list of organizations and hears of it as a user', async () => {
    const listed = (await server.call('listOrganizations', { as: without })).body as Organization[];
    expect(listed).toContainEqual({ id: strict, name: 'Strict', totpRequired: true, userRole: 'admin' });
    expect(await server.call('getCurrentUser', { as: without })).toMatchObject({
      status: 200,
      body: { hasTotpRequiredOrg: true, totpEnabled: false },
    });
  });

  it('sees the other organizations as ever, and across all of them none of this one', async () => {
    const all = await server.call('listControllers', { as: without });
    expect(all).toMatchObject({ status: 200, body: { count: 1, results: [{ serialNumber: 'OPEN-1' }] } });
    expect((await server.call('countControllers', { as: without })).body).toMatchObject({ count: 1 });
    expect(
      (await server.call('getController', { as: without, params: { serialNumber: 'OPEN-1' } })).status,
    ).toBe(200);
    const calls = byOrganization(without, open).filter(([name]) => name !== 'events');
    for (const [name, call] of calls) expect([name, (await call()).status]).toEqual([name, 200]);
  });

  it('a member without a second factor can join it by an invite, and leave it', async () => {
    const guest = await server.createUser();
    const fixture = createInviteFixture(server, strict);
    const token = await fixture.tokenFor(owner, guest.email);
    expect(await fixture.accept(guest, token)).toMatchObject({
      status: 200,
      body: { id: strict, totpRequired: true },
    });
    const params = { organizationId: strict };
    expect(await server.call('getOrganization', { as: guest, params })).toMatchObject(refusal);
    expect(
      await server.call('removeMember', { as: guest, params: { ...params, userId: guest.id } }),
    ).toMatchObject(refusal);
    expect((await server.call('leaveOrganization', { as: guest, params })).status).toBe(204);
    expect((await server.call('getOrganization', { as: guest, params })).status).toBe(404);
  });

  it('a member without a second factor is let in from the moment they have one, and out again without it', async () => {
    const params = { organizationId: strict };
    const user = await server.createUser();
    await server.addMember(strict, user, 'viewer');
    await giveSecondFactor(server, user);
    expect((await server.call('getOrganization', { as: user, params })).status).toBe(200);
    expect((await server.call('getController', { as: user, params: { serialNumber } })).status).toBe(200);
    expect((await server.call('listControllers', { as: user })).body).toMatchObject({ count: 1 });
    await server.db.updateTable('users').set({ totp_secret: null }).where('id', '=', user.id).execute();
    expect(await server.call('getOrganization', { as: user, params })).toMatchObject(refusal);
  });

  it('a member without a second factor who is no member learns nothing of it', async () => {
    const stranger = await server.createUser();
    const calls = byOrganization(stranger, strict).filter(([name]) => !name.startsWith('filtered'));
    for (const [name, call] of calls) expect([name, (await call()).status]).toEqual([name, 404]);
    const params = { serialNumber };
    expect((await server.call('getController', { as: stranger, params })).status).toBe(404);
    const query = { organization_id: strict };
    expect(await server.call('listControllers', { as: stranger, query })).toMatchObject({
      status: 200,
      body: { count: 0 },
    });
  });
});

describe('switching the requirement on', () => {
  // spec: 3.04
  it('switching the requirement on is confirmed by a code, answered and recorded', async () => {
    await requireTotp(false);
    // To a minute of its own in the audit log, where equal events are one row.
    server.clock.advance(60_000);
    await server.db.deleteFrom('session_confirmations').execute();
    const params = { organizationId: strict };
    const call = () => server.call('updateOrganization', { as: owner, params, body: { totpRequired: true } });
    expect(await call()).toMatchObject({ status: 403, body: { code: 'totp_required' } });
    await confirm(server, owner, 'change_org_totp');
    expect(await call()).toMatchObject({ status: 200, body: { totpRequired: true } });
    const { details } = await server.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'organization.updated')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(details).toEqual({ totpRequired: true });
  });

  it('ends the event streams of those without one at once, and no others', async () => {
    await requireTotp(false);
    const listen = async (user: TestUser) => {
      const asked = request({
        host: '127.0.0.1',
        port: server.port,
        path: `/api/v1/events/?organization_id=${strict}`,
        headers: { host: `localhost:${server.port}`, cookie: user.cookie },
      });
      asked.end();
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      const stream = { response, hasEnded: false };
      response.on('end', () => {
        stream.hasEnded = true;
      });
      response.on('error', () => {}).resume();
      return stream;
    };
    const [staying, leaving] = [await listen(owner), await listen(without)];
    expect([staying.response.statusCode, leaving.response.statusCode]).toEqual([200, 200]);
    await requireTotp(true);
    await expect.poll(() => leaving.hasEnded).toBe(true);
    expect(staying.hasEnded).toBe(false);
    staying.response.destroy();
  });
});

describe('with TOTP_AUTH_ENABLED=false', () => {
  let lax: TestServer;
  let user: TestUser;
  let organization: string;
  beforeAll(async () => {
    lax = await createTestServer({ environment: { TOTP_AUTH_ENABLED: 'false' } });
    user = await lax.createUser();
    organization = await lax.createOrganization(user, 'Lax');
    await createTestController(lax, { organizationId: organization, serialNumber: 'LAX-1' });
    await lax.db.updateTable('organizations').set({ totp_required: true }).execute();
  });
  afterAll(() => lax.close());

  it('the requirement is ignored by every way to the organization', async () => {
    const params = { organizationId: organization };
    const query = { organization_id: organization };
    expect(await lax.call('getOrganization', { as: user, params })).toMatchObject({
      status: 200,
      body: { totpRequired: true },
    });
    const answers = await Promise.all([
      lax.call('listMembers', { as: user, params }),
      lax.call('listControllers', { as: user, query }),
      lax.call('getController', { as: user, params: { serialNumber: 'LAX-1' } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await lax.call('listControllers', { as: user })).body).toMatchObject({ count: 1 });
  });

  it('nobody without a second factor can switch it on, and anybody may switch it off', async () => {
    const params = { organizationId: organization };
    const update = (totpRequired: boolean) =>
      lax.call('updateOrganization', { as: user, params, body: { totpRequired } });
    expect(await update(false)).toMatchObject({ status: 200, body: { totpRequired: false } });
    expect(await update(true)).toMatchObject({ status: 409, body: { code: 'own_totp_required' } });
  });
});
