import { Writable } from 'node:stream';
import type { AccessToken } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { enableTotp } from '../totp-user.fixture.ts';
import { createToken } from './token-format.ts';
import { addToken, bearer } from './tokens.fixture.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
const lines: string[] = [];

beforeAll(async () => {
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  server = await createTestServer({
    log: pino({ level: 'trace', base: null }, output),
    environment: { TRUSTED_PROXIES: '192.0.2.1' },
  });
  owner = await server.createUser();
  organization = await server.createOrganization(owner);
});
afterAll(() => server.close());

const controller = async () =>
  (await createTestController(server, { organizationId: organization })).serialNumber;
const eventsOf = (userId: string) =>
  server.db
    .selectFrom('audit_events')
    .select(['action', 'details', 'address'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

it('a token may do what its scopes name, as far as its owner may at that moment', async () => {
  const member = await server.createUser();
  await server.addMember(organization, member, 'member');
  const headers = bearer(await addToken(server, member, ['controllers.update', 'controllers.delete']));
  const params = { serialNumber: await controller() };
  const update = () =>
    server.call('updateController', { headers, params, body: { description: 'by a script' } });
  expect((await update()).status).toBe(200);
  const read = await server.call('getController', { headers, params });
  expect(read).toMatchObject({ status: 403, body: { code: 'token_forbidden' } });
  // The scope is there and the role is too weak.
  const forbidden = await server.call('deleteController', { headers, params });
  expect(forbidden).toMatchObject({ status: 403, body: { code: 'role_forbidden' } });
  await server.db
    .updateTable('memberships')
    .set({ role: 'viewer' })
    .where('user_id', '=', member.id)
    .execute();
  expect((await update()).body).toMatchObject({ code: 'role_forbidden' });
  await server.db.deleteFrom('memberships').where('user_id', '=', member.id).execute();
  expect((await update()).body).toMatchObject({ code: 'controller_not_found' });
});

it('a token passes no confirmation but that of controllers.delete, whether or not its owner has a second factor', async () => {
  const plain = await server.createUser();
  await server.addMember(organization, plain, 'owner');
  const totp = await server.createUser();
  await server.addMember(organization, totp, 'owner');
  const withTotp = await enableTotp(server, totp);
  const made = { plain: await addToken(server, plain, ['controllers.delete', 'organization.update']) };
  const cookie = { cookie: withTotp.cookie, origin: server.publicUrl };
  await server.call('verifyTotp', { headers: cookie, body: { scope: 'add_token', code: withTotp.code() } });
  const answer = await server.call('createToken', {
    headers: cookie,
    body: { name: 'Script', scopes: ['controllers.delete', 'organization.update'] },
  });
  for (const token of [made.plain, answer.body as { token: string }]) {
    const headers = bearer(token);
    const params = { organizationId: organization };
    const update = (body: object) => server.call('updateOrganization', { headers, params, body });
    expect((await update({ totpRequired: false })).body).toMatchObject({ code: 'token_forbidden' });
    expect((await update({ name: 'Renamed by a script' })).status).toBe(200);
    const deleted = await server.call('deleteController', {
      headers,
      params: { serialNumber: await controller() },
    });
    expect(deleted.status).toBe(204);
  }
});

it('a token cannot end itself by a logout', async () => {
  const made = await addToken(server, owner, ['controllers.read']);
  const answer = await server.call('logout', { headers: bearer(made) });
  expect(answer).toMatchObject({ status: 403, body: { code: 'token_forbidden' } });
  expect((await server.call('getCurrentUser', { headers: bearer(made) })).status).toBe(200);
});

it('a token is good from its networks alone, by the address that a trusted proxy tells', async () => {
  const user = await server.createUser();
  const made = await addToken(server, user, ['controllers.read'], {
    networks: ['203.0.113.0/24', '2001:db8:1::/48'],
  });
  const from = async (remoteAddress: string, forwarded?: string) =>
    (
      await server.request('GET', '/api/v1/users/me/', {
        headers: { ...bearer(made), ...(forwarded ? { 'x-forwarded-for': forwarded } : {}) },
        remoteAddress,
      })
    ).status;
  expect(await from('203.0.113.9')).toBe(200);
  expect(await from('::ffff:203.0.113.9')).toBe(200);
  expect(await from('2001:db8:1:2::3')).toBe(200);
  expect(await from('192.0.2.1', '203.0.113.9')).toBe(200);
  expect(await from('192.0.2.1', '203.0.113.9:51234')).toBe(200);
  expect(await from('192.0.2.1', '[2001:db8:1:2::3]:443')).toBe(200);
  expect(await from('203.0.114.9')).toBe(403);
  expect(await from('2001:db8:2::3')).toBe(403);
  expect(await from('192.0.2.1', '198.51.100.1:51234')).toBe(403);
  // Who is no trusted proxy tells nothing.
  expect(await from('198.51.100.1', '203.0.113.9')).toBe(403);
  const refused = (await eventsOf(user.id)).filter(({ action }) => action === 'token.refused');
  expect(refused.map(({ address }) => address).sort()).toEqual([
    '198.51.100.1',
    '2001:db8:2::3',
    '203.0.114.9',
  ]);
  expect(refused[0]?.details).toEqual({ token: 'Script' });
});

it('the last use of a token is written once a minute, with its address', async () => {
  const user = await server.createUser();
  const made = await addToken(server, user, ['controllers.read']);
  const use = (remoteAddress: string) =>
    server.request('GET', '/api/v1/users/me/', { headers: bearer(made), remoteAddress });
  const last = async () => ((await server.call('listTokens', { as: user })).body as AccessToken[])[0];
  await use('198.51.100.1');
  const at = server.clock.now().toISOString();
  server.clock.advance(60_000);
  await use('198.51.100.2');
  expect(await last()).toMatchObject({ lastUsedAt: at, lastUsedFrom: '198.51.100.1' });
  server.clock.advance(1);
  await use('198.51.100.2');
  const now = server.clock.now().toISOString();
  expect(await last()).toMatchObject({ lastUsedAt: now, lastUsedFrom: '198.51.100.2' });
});

it('a network that tries one token after another is held back, and a token that is known there is not', async () => {
  const made = await addToken(server, owner, ['controllers.read']);
  const ask = async (token: string) =>
    (
      await server.request('GET', '/api/v1/users/me/', {
        headers: bearer({ token }),
        remoteAddress: '198.51.100.77',
      })
    ).status;
  expect(await ask(made.token)).toBe(200);
  const statuses = [];
  for (let number = 0; number < 70; number += 1) statuses.push(await ask(createToken('personal')));
  expect(new Set(statuses.slice(0, 50))).toEqual(new Set([401]));
  expect(statuses.at(-1)).toBe(429);
  expect(await ask(made.token)).toBe(200);
  // What no token can be costs nobody anything.
  expect(await ask('pult_pat_nonsense')).toBe(401);
  server.clock.advance(1000);
  expect(await ask(createToken('personal'))).toBe(401);
});

it('the audit log names the token that did something, a refusal too, and nothing of a person’s deeds does', async () => {
  const user = await server.createUser();
  await server.addMember(organization, user, 'member');
  const headers = bearer(
    await addToken(server, user, ['controllers.update', 'groups.manage'], { name: 'CI' }),
  );
  const params = { serialNumber: await controller() };
  await server.call('updateController', { headers, params, body: { description: 'by a script' } });
  await server.call('createGroup', { headers, body: { name: 'No', organization } });
  await server.call('updateController', { as: user, params, body: { description: 'by hand' } });
  const events = (await eventsOf(user.id)).filter(({ action }) => !/^(login|token)\./.test(action));
  expect(events.map(({ action, details }) => [action, details])).toEqual([
    ['controller.updated', { changed: 'description', token: 'CI' }],
    ['access.refused', { route: 'createGroup', permission: 'groups.manage', token: 'CI' }],
    ['controller.updated', { changed: 'description' }],
  ]);
});

it('a token never gets into the log', async () => {
  const made = await addToken(server, owner, ['controllers.read']);
  await server.call('listControllers', { headers: bearer(made) });
  await server.call('search', { headers: bearer(made), query: { search: 'x' } });
  await server.call('getCurrentUser', { headers: bearer({ token: `${made.token}0` }) });
  expect(lines.length).toBeGreaterThan(3);
  expect(lines.join('')).not.toContain(made.token.slice(9));
});
