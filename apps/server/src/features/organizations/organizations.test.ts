import { limits, type Organization } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
});
afterAll(() => server.close());

async function list(as: TestUser): Promise<Organization[]> {
  return (await server.call('listOrganizations', { as })).body as Organization[];
}

// spec: 7.35
it('makes an organization of its creator, and records it', async () => {
  const creator = await server.createUser();
  const created = await server.call('createOrganization', { as: creator, body: { name: ' Водоканал ' } });
  const { id } = created.body as Organization;
  const expected = { id, name: 'Водоканал', totpRequired: false, userRole: 'owner' };
  expect(created).toMatchObject({ status: 201, body: expected });
  expect(await list(creator)).toEqual([expected]);
  const got = await server.call('getOrganization', { as: creator, params: { organizationId: id } });
  expect(got).toMatchObject({ status: 200, body: expected });
  const audit = await server.db
    .selectFrom('audit_events')
    .select(['action', 'user_id', 'subject'])
    .where('organization_id', '=', id)
    .execute();
  expect(audit).toEqual([{ action: 'organization.created', user_id: creator.id, subject: 'Водоканал' }]);
});

// spec: 7.35
it('lists the organizations of a user by name with the role in each, and no others', async () => {
  const member = await server.createUser();
  expect(await list(member)).toEqual([]);
  const [second, first] = [
    await server.createOrganization(user, 'B'),
    await server.createOrganization(user, 'A'),
  ];
  await server.createOrganization(user, 'C');
  await server.addMember(second, member, 'viewer');
  await server.addMember(first, member, 'admin');
  expect((await list(member)).map(({ name, userRole }) => [name, userRole])).toEqual([
    ['A', 'admin'],
    ['B', 'viewer'],
  ]);
});

// spec: 7.36
it('answers 404 alike for a foreign organization, for none and for what cannot be one', async () => {
  const stranger = await server.createUser();
  const foreign = await server.createOrganization(user);
  for (const organizationId of [foreign, '018f0000-0000-7000-8000-000000000000', 'x', '%00', '1 or 1=1']) {
    const answer = await server.call('getOrganization', { as: stranger, params: { organizationId } });
    expect([organizationId, answer.status, answer.body]).toEqual([
      organizationId,
      404,
      { detail: 'Organization does not exist.', code: 'organization_not_found' },
    ]);
  }
});

it('an organization is gone for a member from the moment the membership ends', async () => {
  const member = await server.createUser();
  const id = await server.createOrganization(user);
  await server.addMember(id, member, 'owner');
  await server.db.deleteFrom('memberships').where('user_id', '=', member.id).execute();
  expect(await list(member)).toEqual([]);
  const got = await server.call('getOrganization', { as: member, params: { organizationId: id } });
  expect(got.status).toBe(404);
});

it('holds the limit of organizations exactly, however many are made at once', async () => {
  const creator = await server.createUser();
  const missing = 5;
  for (let count = limits.organizationsPerUser - missing; count > 0; count -= 1) {
    await server.createOrganization(creator);
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      server.call('createOrganization', { as: creator, body: { name: `At once ${index}` } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(missing);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'organizations_limit_reached', detail: expect.stringContaining('100') },
    });
  }
  expect(await list(creator)).toHaveLength(limits.organizationsPerUser);
});

it('the limit does not count the organizations of others', async () => {
  const member = await server.createUser();
  for (let count = 0; count < 3; count += 1) {
    await server.addMember(await server.createOrganization(user), member, 'admin');
  }
  expect((await server.call('createOrganization', { as: member, body: { name: 'Own' } })).status).toBe(201);
});
