import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('the rate of a member’s changes', () => {
  let server: TestServer;
  let member: TestUser;
  const serialNumber = 'RATE-1';

  beforeAll(async () => {
    server = await createTestServer({ writeRate: { burst: 30, perSecond: 1 } });
    const owner = await server.createUser();
    member = await server.createUser();
    const organization = await server.createOrganization(owner);
    await server.addMember(organization, member, 'member');
    await createTestController(server, { organizationId: organization, serialNumber });
  });
  afterAll(() => server.close());

  const change = (description: string, locale = 'en') =>
    server.call('updateController', {
      as: member,
      params: { serialNumber },
      body: { description },
      headers: { 'accept-language': locale },
    });
  const rows = async () => {
    const { count } = await server.db
      .selectFrom('audit_events')
      // Equal ones are one row.
      .select(({ fn }) => fn.sum<string>('count').as('count'))
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  it('the rate of a member’s changes bounds what they write into the audit log, and leaves reading and logout', async () => {
    const begun = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => change(`Pump ${index}`, index % 2 ? 'ru' : 'en')),
    );
    const seconds = (performance.now() - begun) / 1_000;
    expect(await rows()).toBeLessThanOrEqual(30 + Math.ceil(seconds));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(10);
    const details = new Set(refused.map(({ body }) => (body as { detail: string }).detail));
    expect([...details].sort()).toEqual([
      'Too many changes in a row. Try again in 1 s.',
      'Слишком много изменений подряд. Повторите через 1 с.',
    ]);
    expect(refused[0]).toMatchObject({ body: { code: 'too_many_changes' }, headers: { 'retry-after': '1' } });
    expect((await server.call('listOrganizations', { as: member })).status).toBe(200);
    expect((await server.call('logout', { as: member })).status).toBe(204);
  });
});
