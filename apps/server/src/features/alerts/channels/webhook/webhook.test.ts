import { createHmac } from 'node:crypto';
import type { AlertRule, TestedAlertRule } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReceiver, type Received } from '../../../../platform/webhooks/webhook-receiver.fixture.ts';
import { type AlertsFixture, createAlertsFixture, minute } from '../../alerts.fixture.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: AlertsFixture;
let receiver: Awaited<ReturnType<typeof createReceiver>>;
const lines: string[] = [];

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  server = await createTestServer({ environment: { ALERT_WEBHOOK_PRIVATE: 'true' }, log });
  owner = await server.createUser('owner@example.com');
  server.clock.advance(11 * minute);
  await server.startJobs();
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(owner, 'Heating');
  fixture = createAlertsFixture(server, owner, organization);
  receiver = await createReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const rule = async (id: string) => {
  const { body } = await fixture.call('listAlertRules');
  return (body as AlertRule[]).find((each) => each.id === id);
};
const lastResult = async (id: string) => (await rule(id))?.webhook?.lastResult;

/** Webhooks are sent by the queue, whenever it comes to them. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

/** As docs/alerts.md tells a receiver to do it. */
function isGenuine({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('a webhook', () => {
  /** As after a restart with another secrets.json. */
  const loseKey = (ruleId: string) =>
    server.db
      .updateTable('alert_rule_channels')
      .set({ settings: Buffer.from('encrypted with another key') })
      .where('rule_id', '=', ruleId)
      .execute();

  it('a webhook whose key is lost holds up no other rule', async () => {
    const group = await fixture.group('Pumps');
    const broken = await fixture.rule({ group, minutes: 1, webhookUrl: receiver.url });
    await fixture.rule({ minutes: 1, members: [owner.id] });
    await loseKey(broken.id);
    await fixture.controller('LOST-1', group);
    await fixture.controller('LOST-2');
    for (const serialNumber of ['LOST-1', 'LOST-2']) await fixture.goOffline(serialNumber);
    await fixture.pass(2);
    expect(await fixture.fired()).toEqual(['LOST-1', 'LOST-2']);
    expect((await fixture.mails()).some((mail) => mail.includes('LOST-2'))).toBe(true);
    await eventually(() => lastResult(broken.id)).toMatchObject({ delivered: false, reason: 'key_lost' });
  });

  it('a webhook whose key is lost is listed without its address, and good again once it is entered anew', async () => {
    const group = await fixture.group('Valves');
    const { id } = await fixture.rule({ group, webhookUrl: receiver.url });
    await fixture.rule({ members: [owner.id] });
    await loseKey(id);
    const listed = await fixture.call('listAlertRules');
    expect(listed.status).toBe(200);
    expect(listed.body).toHaveLength(2);
    expect((await rule(id))?.webhook).toEqual({ url: null, lastResult: null });
    const tested = (await fixture.call('testAlertRule', { params: { ruleId: id } })).body as TestedAlertRule;
    expect(tested.webhook).toMatchObject({ delivered: false, reason: 'key_lost' });
    // Whatever else is changed leaves it as it is: the right key may come back.
    expect(await fixture.update(id, { minutes: 20 })).toMatchObject({ status: 200 });
    expect((await rule(id))?.webhook).toMatchObject({ url: null });
    const { webhookSecret = '' } = (await fixture.update(id, { webhookUrl: receiver.url })).body as {
      webhookSecret?: string;
    };
    await fixture.call('testAlertRule', { params: { ruleId: id } });
    expect(isGenuine(receiver.received[0] as Received, webhookSecret)).toBe(true);
  });

  it('notifies of alerts and of their end, signed with the key that was shown once', async () => {
    const group = await fixture.group('Boilers');
    const { id, webhookSecret = '' } = await fixture.rule({ group, minutes: 1, webhookUrl: receiver.url });
    expect(webhookSecret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(JSON.stringify(await rule(id))).not.toContain(webhookSecret);
    await fixture.controller('HOOK-1', group);
    await fixture.goOffline('HOOK-1');
    const offlineSince = server.clock.now().toISOString();
    await fixture.pass(2);
    await eventually(() => receiver.received.length).toBe(1);
    const [first] = receiver.received as [Received];
    expect(isGenuine(first, webhookSecret)).toBe(true);
    expect(isGenuine({ ...first, body: first.body.replace('HOOK-1', 'HOOK-2') }, webhookSecret)).toBe(false);
    const timestamp = new Date(Number(first.headers['webhook-timestamp']) * 1000);
    expect(Math.abs(timestamp.getTime() - server.clock.now().getTime())).toBeLessThan(1000);
    expect(first).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
    });
    const home = `${server.publicUrl}/organizations/${organization}`;
    expect(JSON.parse(first.body)).toEqual({
      specversion: '1.0',
      id: first.headers['webhook-id'],
      source: home,
      type: 'pult.alerts.fired',
      time: server.clock.now().toISOString(),
      datacontenttype: 'application/json',
      data: {
        organization: { id: organization, name: 'Heating' },
        rule: { id, group: { id: group, name: 'Boilers' }, minutes: 1 },
        url: `${home}/alerts`,
        count: 1,
        groups: [{ id: group, name: 'Boilers', count: 1 }],
        controllers: [
          {
            serialNumber: 'HOOK-1',
            description: '',
            group: { id: group, name: 'Boilers' },
            offlineSince,
            resolvedAt: null,
            url: `${home}/controllers/HOOK-1`,
          },
        ],
      },
    });
    await eventually(() => lastResult(id)).toMatchObject({
      kind: 'alerts.fired',
      delivered: true,
      status: 204,
      attempts: 1,
      nextTryAt: null,
    });
    await fixture.comeOnline('HOOK-1');
    await fixture.pass(2);
    await eventually(() => receiver.received.length).toBe(2);
    const { type, data } = JSON.parse(receiver.received[1]?.body ?? '');
    expect([type, data.controllers[0].resolvedAt]).toEqual(['pult.alerts.resolved', expect.any(String)]);
  });

  it('a webhook that fails is tried eight times, under one id, later and later; then given up', async () => {
    receiver.answerWith(500);
    const { id } = await fixture.rule({ minutes: 1, webhookUrl: receiver.url });
    await fixture.controller('FAIL-1');
    await fixture.goOffline('FAIL-1');
    await fixture.pass(2);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const at = server.clock.now().toISOString();
      await eventually(() => lastResult(id)).toMatchObject({ at, attempts: attempt });
      const result = await lastResult(id);
      if (result?.nextTryAt) {
        waits.push((new Date(result.nextTryAt).getTime() - new Date(result.at).getTime()) / 1000);
        server.clock.advance((waits.at(-1) ?? 0) * 1000);
        await server.runPendingJobs();
      }
    }
    expect(waits).toEqual([30, 90, 270, 810, 2430, 7200, 7200]);
    expect(await lastResult(id)).toMatchObject({
      delivered: false,
      status: 500,
      reason: 'status',
      nextTryAt: null,
    });
    expect(receiver.received).toHaveLength(8);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8);
  });

  it('a webhook is sent once, however many hurry, and again when its server was killed with it in hand', async () => {
    const { id } = await fixture.rule({ minutes: 1, webhookUrl: receiver.url });
    const soon = new Date(server.clock.now().getTime() + 30_000);
    // As a killed server leaves it.
    await server.db.transaction().execute(async (transaction) => {
      const delivery = { channel: 'webhook', kind: 'alerts.fired', ruleId: id, content: '{}' };
      await server.server.deliveries.add(transaction, delivery);
      await transaction
        .updateTable('deliveries')
        .set({ attempts: 1, claimed_until: soon })
        .where('rule_id', '=', id)
        .execute();
      await transaction.deleteFrom('graphile_worker._private_jobs' as 'deliveries').execute();
    });
    const resume = async () => server.server.jobs.find(({ name }) => name === 'resume-deliveries')?.run();
    await resume();
    server.clock.advance(30_000);
    await Promise.all(Array.from({ length: 6 }, resume));
    await eventually(() => lastResult(id)).toMatchObject({ delivered: true, attempts: 2 });
    await Promise.all(Array.from({ length: 6 }, resume));
    expect(receiver.received).toHaveLength(1);
  });

  it('keeps its key while its receiver is the same, gets another on demand or with another receiver', async () => {
    const { id, webhookSecret } = await fixture.rule({ webhookUrl: receiver.url });
    const change = async (body: object) =>
      (await fixture.update(id, body)).body as { webhookSecret?: string };
    expect((await change({ minutes: 20 })).webhookSecret).toBeUndefined();
    expect((await change({ webhookUrl: `${receiver.url}/other` })).webhookSecret).toBeUndefined();
    const second = (await change({ newWebhookSecret: true })).webhookSecret ?? '';
    const third = (await change({ webhookUrl: 'https://hook.example.com/' })).webhookSecret ?? '';
    const fourth = (await change({ webhookUrl: receiver.url })).webhookSecret ?? '';
    expect(new Set([webhookSecret, second, third, fourth]).size).toBe(4);
    await fixture.call('testAlertRule', { params: { ruleId: id } });
    expect(isGenuine(receiver.received[0] as Received, fourth)).toBe(true);
    expect((await change({ webhookUrl: null })).webhookSecret).toBeUndefined();
    expect((await rule(id))?.webhook).toBeNull();
  });
});

describe('the test of a rule', () => {
  const test = async (ruleId: string) =>
    (await fixture.call('testAlertRule', { params: { ruleId } })).body as TestedAlertRule;

  it('says how the webhook went, and that mails are kept where there is no mail server', async () => {
    const { id } = await fixture.rule({ webhookUrl: receiver.url, members: [owner.id] });
    expect(await test(id)).toMatchObject({
      mails: 0,
      mailsKept: 1,
      webhook: { kind: 'test', delivered: true, status: 204 },
    });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'pult.test',
      data: { rule: { id } },
    });
    expect((await fixture.mails()).at(-1)).toBe('owner@example.com: Test of alerts – Heating');
    receiver.answerWith(302, { location: 'http://127.0.0.1/' });
    expect((await test(id)).webhook).toMatchObject({
      delivered: false,
      status: 302,
      reason: 'redirect',
      nextTryAt: null,
    });
    // Not tried again.
    expect(receiver.received).toHaveLength(2);
    expect(await lastResult(id)).toMatchObject({ kind: 'test', delivered: false });
  });

  it('the test of a rule can be made five times in ten minutes, however many ask at once', async () => {
    const { id } = await fixture.rule({});
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => fixture.call('testAlertRule', { params: { ruleId: id } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });
});

it('an alert that only mails tell of is kept where there is no mail server, and one with a webhook is notified', async () => {
  const group = await fixture.group('Pumps');
  await fixture.rule({ minutes: 1, members: [owner.id] });
  await fixture.rule({ group, minutes: 1, members: [owner.id], webhookUrl: receiver.url });
  await fixture.controller('KEPT-1');
  await fixture.controller('TOLD-1', group);
  await fixture.goOffline('KEPT-1', 'TOLD-1');
  await fixture.pass(2);
  const alerts = await fixture.list();
  const of = (serialNumber: string) =>
    alerts.find(({ controller }) => controller.serialNumber === serialNumber);
  expect(of('KEPT-1')).toMatchObject({ notifiedAt: null, isKept: true });
  expect(of('TOLD-1')).toMatchObject({ notifiedAt: expect.any(String), isKept: false });
});

it('keeps address and key encrypted in the database, and out of log and audit', async () => {
  const url = `${receiver.url}/T0KEN-IN-A-PATH`;
  const { id, webhookSecret = '' } = await fixture.rule({ webhookUrl: url });
  receiver.answerWith(500);
  await fixture.call('testAlertRule', { params: { ruleId: id } });
  await fixture.update(id, { newWebhookSecret: true });
  const row = await server.db
    .selectFrom('alert_rule_channels')
    .select('settings')
    .where('rule_id', '=', id)
    .executeTakeFirstOrThrow();
  const audit = await server.db
    .selectFrom('audit_events')
    .selectAll()
    .where('organization_id', '=', organization)
    .execute();
  const stored = `${row.settings.toString('latin1')}${JSON.stringify(audit)}${lines.join('')}`;
  expect(stored).not.toContain('T0KEN-IN-A-PATH');
  expect(stored).not.toContain(webhookSecret.slice(6));
  expect(audit.map(({ action, details }) => [action, details])).toEqual([
    ['alert_rule.created', expect.objectContaining({ webhookHost: new URL(url).host })],
    ['alert_rule.tested', {}],
    ['alert_rule.updated', expect.objectContaining({ newWebhookSecret: true })],
  ]);
});
