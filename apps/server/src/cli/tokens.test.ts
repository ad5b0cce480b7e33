import type { TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createId } from '../platform/ids.ts';
import { type CommandFixture, createCommandFixture } from './command.fixture.ts';
import { commands, UsageError } from './commands.ts';

let fixture: CommandFixture;
let server: TestServer;
let organizationId: string;

beforeAll(async () => {
  fixture = await createCommandFixture();
  ({ server } = fixture);
  organizationId = await server.createOrganization(await server.createUser(), 'Factory');
});
afterAll(() => fixture.close());
beforeEach(() => fixture.begin());

const create = (options: Record<string, string[]>, args: string[] = []) =>
  commands['token create']?.run(args, { options, switches: new Set() });
const call = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

it('pult token create makes a service account with its first token, prints that alone, and a running server knows it', async () => {
  await create({ service: ['Terraform'], organization: [organizationId] });
  const printed = fixture.printed();
  expect(printed).toMatch(/^pult_svc_[0-9A-Za-z]{36}\n$/);
  const token = printed.trim();
  const me = await server.call('getCurrentUser', call(token));
  const serviceAccount = { organization: organizationId, name: 'Terraform' };
  expect(me).toMatchObject({ status: 200, body: { email: 'Terraform', serviceAccount } });
  expect((await server.call('listOrganizations', call(token))).body).toEqual([
    { id: organizationId, name: 'Factory', totpRequired: false, userRole: 'admin' },
  ]);
  // What lets others in has to be named.
  const params = { organizationId };
  expect((await server.call('listGrants', { ...call(token), params })).status).toBe(403);
  const events = await server.db
    .selectFrom('audit_events')
    .select(['action', 'subject', 'address', 'organization_id'])
    .where('organization_id', '=', organizationId)
    .where('address', '=', 'localhost')
    .orderBy('id')
    .execute();
  expect(events.map(({ action, subject }) => [action, subject])).toEqual([
    ['service_account.created', 'Terraform'],
    ['grant.created', 'Terraform'],
    ['token.created', 'Terraform'],
  ]);
});

it('pult token create adds tokens to an account that there is, with the scopes, the end and the role that it was told', async () => {
  await create({ service: ['Reader'], organization: [organizationId], role: ['viewer'] });
  await fixture.begin();
  const expires = new Date(server.clock.now().getTime() + 24 * 3600_000).toISOString();
  const scope = ['controllers.read', 'grants.manage'];
  await create({ service: ['reader'], organization: [organizationId], scope, expires: [expires] });
  const token = fixture.printed().trim();
  expect((await server.call('getCurrentUser', call(token))).body).toMatchObject({ email: 'Reader' });
  const query = { organization_id: organizationId };
  expect((await server.call('listControllers', { ...call(token), query })).status).toBe(200);
  expect(await server.call('listGrants', { ...call(token), params: { organizationId } })).toMatchObject({
    status: 403,
    body: { code: 'role_forbidden' },
  });
  const { rows } = { rows: await server.db.selectFrom('access_tokens').selectAll().execute() };
  expect(rows.at(-1)).toMatchObject({ name: 'pult token create', scopes: scope });
});

it.each<[string, Record<string, string[]>, RegExp]>([
  ['no account', {}, /--service names/],
  ['an email for a name', { service: ['boss@example.com'] }, /--service names/],
  ['no organization', { organization: [] }, /--organization is the id/],
  ['an organization that is none', { organization: [createId()] }, /no such organization/],
  ['an owner', { role: ['owner'] }, /--role is one of viewer, member, admin/],
  ['a scope that is none', { scope: ['all'] }, /no scope all/],
  ['an end that is none', { expires: ['tomorrow'] }, /--expires cannot be read/],
])('pult token create makes nothing of %s', async (_, wrong, message) => {
  const options = { service: ['Robot'], organization: [organizationId], ...wrong };
  if (Object.keys(wrong).length === 0) options.service = [];
  await expect(create(options)).rejects.toThrow(message);
  expect(fixture.printed()).toBe('');
  expect(await server.db.selectFrom('users').select('id').where('email', '=', 'Robot').execute()).toEqual([]);
});

it('pult token create takes no words', async () => {
  await expect(create({}, ['Robot'])).rejects.toThrow(UsageError);
});
