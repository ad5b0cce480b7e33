import type { AuditAction, AuditEvent } from '@pult/contract';
import { lifetimes } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditLog } from '../../../platform/audit.ts';
import { createInviteFixture, logInAgain } from '../invites/invite.fixture.ts';

let server: TestServer;
let owner: TestUser;
let admin: TestUser;
let organization: string;
let start: number;

interface Page {
  count: number;
  next: string | null;
  previous: string | null;
  results: AuditEvent[];
}

const list = (query: Record<string, string> = {}, as = owner, organizationId = organization) =>
  server.call('listAuditEvents', { as, params: { organizationId }, query });
const page = async (query: Record<string, string> = {}) => (await list(query)).body as Page;
const actionsOf = async (query: Record<string, string>) =>
  (await page(query)).results.map(({ action, subject }) => `${action} ${subject}`);

/** One event a second, oldest first. */
const written: [AuditAction, 'owner' | 'admin' | undefined, string][] = [
  ['organization.created', 'owner', 'Heating'],
  ['member.invited', 'owner', 'a@example.com'],
  ['member.joined', 'admin', 'a@example.com'],
  ['controller.activated', 'admin', 'SN-100%'],
  ['controller.updated', 'admin', 'SN-1001'],
  ['login.refused', undefined, 'Насосная'],
];

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser('Olga.Owner@example.com'.toLowerCase());
  admin = await server.createUser('adam@example.org');
  organization = await server.createOrganization(owner, 'Heating');
  await server.addMember(organization, admin, 'admin');
  start = server.clock.now().getTime();
  const record = createAuditLog(server.db, server.clock).record;
  for (const [action, user, subject] of written) {
    const userId = user && { owner, admin }[user].id;
    const details = { role: 'member', count: 1, moved: true };
    await record({ action, userId, organizationId: organization, subject, address: '192.0.2.7', details });
    await record({ action, userId, organizationId: globalThis.crypto.randomUUID(), subject, address: '' });
    await record({ action: 'login.succeeded', userId, subject: admin.email, address: '192.0.2.7' });
    server.clock.advance(1000);
  }
});
afterAll(() => server.close());

describe('the audit log', () => {
  it('shows the events of its organization alone, newest first, with their details as they are', async () => {
    const { count, next, previous, results } = await page();
    expect({ count, next, previous }).toEqual({ count: written.length, next: null, previous: null });
    expect(results.map(({ action, subject }) => [action, subject])).toEqual(
      written.map(([action, , subject]) => [action, subject]).reverse(),
    );
    expect(results[1]).toEqual({
      id: expect.any(String),
      at: new Date(start + 4000).toISOString(),
      count: 1,
      lastAt: new Date(start + 4000).toISOString(),
      action: 'controller.updated',
      user: { id: admin.id, email: admin.email },
      subject: 'SN-1001',
      address: '192.0.2.7',
      details: { role: 'member', count: 1, moved: true },
      existingControllers: [],
    });
    expect(results[0]?.user).toBeNull();
  });

  it('the audit log is for admins and owners', async () => {
    expect((await list({}, admin)).status).toBe(200);
    for (const role of ['viewer', 'member'] as const) {
      const user = await server.createUser();
      const own = await server.createOrganization(owner);
      await server.addMember(own, user, role);
      expect(await list({}, user, own)).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
    }
    expect(await list({}, await server.createUser())).toMatchObject({
      status: 404,
      body: { code: 'organization_not_found' },
    });
  });

  it('comes in pages that neither overlap nor leave anything out', async () => {
    const all = (await page()).results;
    const first = await page({ page_size: '4' });
    expect(first).toMatchObject({ count: 6, previous: null, results: all.slice(0, 4) });
    const url = new URL(first.next ?? '');
    expect(url.origin + url.pathname).toBe(
      `${server.publicUrl}/api/v1/organizations/${organization}/audit-log/`,
    );
    const second = await page(Object.fromEntries(url.searchParams));
    expect(second).toMatchObject({ count: 6, next: null, results: all.slice(4) });
    expect(second.previous).toContain('page=1');
    expect((await page({ page: '9' })).results).toEqual([]);
  });
});

it('tells which of the controllers that an event names the organization has now', async () => {
  const user = await server.createUser();
  const id = await server.createOrganization(user, 'Links');
  for (const serialNumber of ['LINK-1', 'LINK-2', 'LINK-3'])
    await createTestController(server, { organizationId: id, serialNumber });
  const elsewhere = await server.createOrganization(user, 'Elsewhere');
  await createTestController(server, { organizationId: elsewhere, serialNumber: 'LINK-9' });
  const record = createAuditLog(server.db, server.clock).record;
  const event = { userId: user.id, organizationId: id, address: '' };
  await record({ ...event, action: 'tunnel.opened', subject: 'LINK-1' });
  await record({ ...event, action: 'tunnel.ended', subject: 'LINK-9' });
  const details = { count: 3, controllers: 'LINK-2, LINK-3, LINK-4' };
  await record({ ...event, action: 'controllers.attached', subject: 'LINK-1', details });
  const existing = async () =>
    ((await list({ subject: 'LINK' }, user, id)).body as Page).results
      .filter(({ action }) => action !== 'controller.deleted')
      .map(({ action, existingControllers }) => [action, ...[...existingControllers].sort()].join(' '))
      .sort();
  expect(await existing()).toEqual([
    'controllers.attached LINK-1 LINK-2 LINK-3',
    'tunnel.ended',
    'tunnel.opened LINK-1',
  ]);
  for (const serialNumber of ['LINK-1', 'LINK-3'])
    await server.call('deleteController', { as: user, params: { serialNumber } });
  expect(await existing()).toEqual(['controllers.attached LINK-2', 'tunnel.ended', 'tunnel.opened']);
});

describe('its filters', () => {
  it.each<[Record<string, string>, string[]]>([
    [{ action: 'member.joined' }, ['member.joined a@example.com']],
    [
      { action: 'member.joined,organization.created' },
      ['member.joined a@example.com', 'organization.created Heating'],
    ],
    [{ user: 'OLGA' }, ['member.invited a@example.com', 'organization.created Heating']],
    [{ user: 'adam@', subject: 'sn-1' }, ['controller.updated SN-1001', 'controller.activated SN-100%']],
    [{ subject: '100%' }, ['controller.activated SN-100%']],
    [{ subject: 'насос' }, ['login.refused Насосная']],
    [{ subject: 'A@EXAMPLE' }, ['member.joined a@example.com', 'member.invited a@example.com']],
    [{ user: 'nobody' }, []],
    [
      { action: '', user: '', subject: '', from: '', to: '', page: '', page_size: '2' },
      ['login.refused Насосная', 'controller.updated SN-1001'],
    ],
  ])('%j', async (query, expected) => {
    expect(await actionsOf(query)).toEqual(expected);
  });

  it('take a period: its start included, its end not, in any time zone', async () => {
    const at = (second: number) => new Date(start + second * 1000).toISOString();
    expect(await actionsOf({ from: at(2), to: at(4) })).toEqual([
      'controller.activated SN-100%',
      'member.joined a@example.com',
    ]);
    expect(await actionsOf({ from: at(5) })).toEqual(['login.refused Насосная']);
    expect(await actionsOf({ to: at(1) })).toEqual(['organization.created Heating']);
    const moscow = new Date(start + 5000 + 3 * 3600_000).toISOString().replace('Z', '+03:00');
    expect(await actionsOf({ from: moscow })).toEqual(['login.refused Насосная']);
    expect(await actionsOf({ from: at(2), to: at(2) })).toEqual([]);
  });

  it.each<[Record<string, string>, string, string]>([
    [
      { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      'from',
      'The period ends before it starts.',
    ],
    [{ from: 'yesterday' }, 'from', 'Invalid value.'],
    [{ to: '2026-01-01' }, 'to', 'Invalid value.'],
    [{ action: 'member.joined,unknown' }, 'action', expect.stringContaining('Allowed values')],
    [{ page_size: '5001' }, 'page_size', 'At most 5000.'],
    [{ organization: 'x' }, 'organization', 'Unknown field.'],
  ])('refuse %j', async (query, field, message) => {
    expect(await list(query)).toMatchObject({ status: 400, body: { [field]: [message] } });
  });
});

it('records what people do in an organization: who, what, from where', async () => {
  const user = await server.createUser();
  const guest = await server.createUser();
  const { body } = await server.call('createOrganization', { as: user, body: { name: 'Recorded' } });
  const { id } = body as { id: string };
  const params = { organizationId: id };
  const fixture = createInviteFixture(server, id);
  await server.call('updateOrganization', { as: user, params, body: { name: 'Renamed' } });
  await fixture.accept(guest, await fixture.tokenFor(user, guest.email, 'viewer'));
  const member = { ...params, userId: guest.id };
  await server.call('updateMember', { as: user, params: member, body: { role: 'member' } });
  await server.call('updateOrganization', { as: guest, params, body: { name: 'Mine' } });
  await server.call('removeMember', { as: user, params: member });
  const events = ((await list({}, user, id)).body as Page).results.reverse();
  const byUser = { id: user.id, email: user.email };
  const byGuest = { id: guest.id, email: guest.email };
  expect(
    events.map(({ action, user: by, subject, details, address }) => ({
      action,
      user: by,
      subject,
      details,
      address,
    })),
  ).toEqual(
    [
      { action: 'organization.created', user: byUser, subject: 'Recorded', details: {} },
      { action: 'organization.updated', user: byUser, subject: 'Recorded', details: { name: 'Renamed' } },
      { action: 'member.invited', user: byUser, subject: guest.email, details: { role: 'viewer' } },
      { action: 'member.joined', user: byGuest, subject: guest.email, details: { role: 'viewer' } },
      {
        action: 'member.role_changed',
        user: byUser,
        subject: guest.email,
        details: { role: 'member', previousRole: 'viewer' },
      },
      {
        action: 'access.refused',
        user: byGuest,
        subject: 'Renamed',
        details: { route: 'updateOrganization', permission: 'organization.update' },
      },
      { action: 'member.removed', user: byUser, subject: guest.email, details: { role: 'member' } },
    ].map((event) => ({ ...event, address: '127.0.0.1' })),
  );
});

it('forgets what is 400 days old, and not a moment sooner', async () => {
  const run = async () => {
    await server.server.jobs.find(({ name }) => name === 'delete-forgotten-audit-events')?.run();
    return (await page()).count;
  };
  server.clock.advance(start + lifetimes.auditEvent * 1000 - server.clock.now().getTime());
  owner = await logInAgain(server, owner);
  expect(await run()).toBe(written.length);
  server.clock.advance(1);
  expect(await run()).toBe(written.length - 1);
});
