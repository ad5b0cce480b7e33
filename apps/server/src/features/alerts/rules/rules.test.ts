import { type AlertRule, limits, type SavedAlertRule } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '../../../platform/ids.ts';
import { type AlertsFixture, createAlertsFixture } from '../alerts.fixture.ts';

let server: TestServer;
let owner: TestUser;
let member: TestUser;
let organization: string;
let fixture: AlertsFixture;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser('owner@example.com');
  member = await server.createUser('member@example.com');
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(owner, 'Heating');
  await server.addMember(organization, member, 'member');
  fixture = createAlertsFixture(server, owner, organization);
});

const create = (body: object) => fixture.call('createAlertRule', { body });
const list = async (as = owner) =>
  (await server.call('listAlertRules', { as, params: { organizationId: organization } })).body as AlertRule[];

describe('a rule', () => {
  it('a rule has its defaults, and is answered as it was made', async () => {
    const { body, status } = await create({});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      group: null,
      enabled: true,
      minutes: 10,
      members: [],
      webhook: null,
      telegram: null,
      slack: null,
      createdAt: server.clock.now().toISOString(),
    });
    expect(await list()).toEqual([body]);
  });

  it('a rule is one for each place, however many are made at once', async () => {
    const group = await fixture.group('Boilers');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) => create({ group: number % 2 ? group : null })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, ...Array(8).fill(409)]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'alert_rule_exists' });
    expect((await list()).map((rule) => rule.group?.name ?? null)).toEqual([null, 'Boilers']);
  });

  it('a rule is changed part by part', async () => {
    const { id } = await fixture.rule({ members: [owner.id, member.id, owner.id], minutes: 5 });
    const { body } = await fixture.update(id, { enabled: false });
    expect(body).toMatchObject({
      enabled: false,
      minutes: 5,
      members: [{ email: 'member@example.com' }, { email: 'owner@example.com' }],
    });
    expect((await fixture.update(id, { members: [member.id] })).body).toMatchObject({
      members: [{ userId: member.id, email: member.email }],
    });
    expect(await fixture.update(createId(), { minutes: 1 })).toMatchObject({
      status: 404,
      body: { code: 'alert_rule_not_found' },
    });
  });

  it('a rule of another organization is none', async () => {
    const elsewhere = createAlertsFixture(server, owner, await server.createOrganization(owner));
    const { id } = await elsewhere.rule({});
    expect(await fixture.update(id, { minutes: 1 })).toMatchObject({ status: 404 });
    expect(await fixture.call('deleteAlertRule', { params: { ruleId: id } })).toMatchObject({ status: 404 });
    expect(await fixture.call('testAlertRule', { params: { ruleId: id } })).toMatchObject({ status: 404 });
  });

  it('forgets a member who leaves, and goes with its group', async () => {
    const group = await fixture.group('Boilers');
    await fixture.rule({ members: [owner.id, member.id] });
    await fixture.rule({ group });
    const left = { organizationId: organization, userId: member.id };
    expect((await fixture.call('removeMember', { params: left })).status).toBe(204);
    expect((await fixture.call('deleteGroup', { params: { groupId: group } })).status).toBe(204);
    expect(await list()).toMatchObject([{ group: null, members: [{ email: 'owner@example.com' }] }]);
  });

  it('shows a member where its webhook goes, but not the path, which may be a secret', async () => {
    await fixture.rule({ webhookUrl: 'https://hooks.example.com/services/T000/SECRET' });
    expect((await list())[0]?.webhook?.url).toBe('https://hooks.example.com/services/T000/SECRET');
    expect((await list(member))[0]?.webhook?.url).toBe('https://hooks.example.com/…');
  });

  it.each([
    [{ minutes: 0 }, 'minutes'],
    [{ minutes: 10_081 }, 'minutes'],
    [{ minutes: 1.5 }, 'minutes'],
    [{ minutes: '5' }, 'minutes'],
    [{ group: createId() }, 'group'],
    [{ members: [createId()] }, 'members'],
    [{ members: Array.from({ length: 51 }, createId) }, 'members'],
    [{ webhookUrl: 'ftp://example.com/' }, 'webhookUrl'],
    [{ webhookUrl: 'javascript:alert(1)' }, 'webhookUrl'],
    [{ webhookUrl: 'https://user:password@example.com/' }, 'webhookUrl'],
    [{ webhookUrl: 'http://127.0.0.1/' }, 'webhookUrl'],
    [{ webhookUrl: 'http://[::ffff:10.0.0.1]/' }, 'webhookUrl'],
    [{ webhookUrl: 'http://localhost:3000/' }, 'webhookUrl'],
    [{ webhookUrl: 'http://169.254.169.254/latest/meta-data/' }, 'webhookUrl'],
    [{ enabled: 'yes' }, 'enabled'],
    [{ organization: 'x' }, 'organization'],
  ])('a rule is refused as %j', async (body, field) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
    expect(await list()).toEqual([]);
  });

  it('a rule is one of a hundred at most, however many are made at once', async () => {
    const now = server.clock.now();
    for (let count = 0; count < limits.alertRulesPerOrganization - 3; count += 1) {
      const group_id = await fixture.group(`Group ${count}`);
      const rule = { id: createId(), organization_id: organization, group_id, enabled: true, minutes: 1 };
      await server.db
        .insertInto('alert_rules')
        .values({ ...rule, effective_from: now, created_at: now })
        .execute();
    }
    const groups = await Promise.all(
      Array.from({ length: 6 }, (_, number) => fixture.group(`Last ${number}`)),
    );
    const answers = await Promise.all(groups.map((group) => create({ group })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    expect(await list()).toHaveLength(limits.alertRulesPerOrganization);
  });

  it('leaves a trace in the audit log when it is made, changed and deleted', async () => {
    const { id } = (await create({ members: [owner.id] })).body as SavedAlertRule;
    await fixture.update(id, { minutes: 30 });
    await fixture.call('deleteAlertRule', { params: { ruleId: id } });
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'subject', 'user_id', 'details'])
      .where('organization_id', '=', organization)
      .orderBy('id')
      .execute();
    const by = { subject: 'Heating', user_id: owner.id };
    expect(events).toEqual([
      { action: 'alert_rule.created', ...by, details: { enabled: true, minutes: 10, members: 1 } },
      { action: 'alert_rule.updated', ...by, details: { enabled: true, minutes: 30, members: 1 } },
      { action: 'alert_rule.deleted', ...by, details: {} },
    ]);
  });
});
