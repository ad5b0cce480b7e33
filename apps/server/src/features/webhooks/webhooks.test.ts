import type { SavedWebhook, Webhook, WebhookDelivery, WholeWebhookDelivery } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { pino } from 'pino';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReceiver, type Received } from '../../platform/webhooks/webhook-receiver.fixture.ts';

let server: TestServer;
let owner: TestUser;
let headers: Record<string, string>;
let organization: string;
let receiver: Awaited<ReturnType<typeof createReceiver>>;
const lines: string[] = [];
const minute = 60_000;

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  server = await createTestServer({ environment: { ALERT_WEBHOOK_PRIVATE: 'true' }, log });
  owner = await server.createUser('owner@example.com');
  // An access token is over sooner than these tests.
  headers = { cookie: owner.cookie, origin: server.publicUrl };
  await server.startJobs();
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(owner, 'Heating');
  receiver = await createReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

async function createWebhook(settings: object = {}): Promise<SavedWebhook> {
  const body = { name: 'SIEM', url: receiver.url, ...settings };
  const params = { organizationId: organization };
  const answer = await server.call('createWebhook', { headers, params, body });
  expect(answer.status).toBe(201);
  return answer.body as SavedWebhook;
}
const paramsOf = (webhookId: string) => ({ organizationId: organization, webhookId });
const update = (id: string, body: object) =>
  server.call('updateWebhook', { headers, params: paramsOf(id), body });
async function list(): Promise<Webhook[]> {
  const params = { organizationId: organization };
  return (await server.call('listWebhooks', { headers, params })).body as Webhook[];
}
async function deliveriesOf(id: string, query: Record<string, string> = {}): Promise<WebhookDelivery[]> {
  const { body } = await server.call('listWebhookDeliveries', { headers, params: paramsOf(id), query });
  return (body as { results: WebhookDelivery[] }).results;
}
const createGroup = (name: string) =>
  server.call('createGroup', { headers, body: { organization, name, parent: null } });

/** Webhooks are sent by the queue, whenever it comes to them. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });
const eventsOf = (all: readonly Received[]) => all.map(({ body }) => JSON.parse(body));
const typesReceived = () => eventsOf(receiver.received).map(({ type }) => type);

/** By the library that receivers have; the test's clock is not the machine's. */
function verify({ headers: given, body }: Received, secret: string): unknown {
  const at = new Date(Number(given['webhook-timestamp']) * 1000);
  const signed = new StandardWebhook(secret).sign(String(given['webhook-id']), at, body);
  expect(given['webhook-signature']).toBe(signed);
  expect(Math.abs(at.getTime() - server.clock.now().getTime())).toBeLessThan(60_000);
  return JSON.parse(body);
}

describe('a webhook', () => {
  it('tells what stands in the log of its organization, as a signed CloudEvent, with the act itself', async () => {
    const { id, secret = '' } = await createWebhook({ events: ['group.created'] });
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(JSON.stringify(await list())).not.toContain(secret);
    await createGroup('Boilers');
    await eventually(() => receiver.received.length).toBe(1);
    const [first] = receiver.received as [Received];
    expect(first.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect(verify(first, secret)).toEqual({
      specversion: '1.0',
      id: first.headers['webhook-id'],
      source: `${server.publicUrl}/organizations/${organization}`,
      type: 'pult.group.created',
      subject: 'Boilers',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      datacontenttype: 'application/json',
      data: {
        organization: { id: organization, name: 'Heating' },
        user: { id: owner.id, email: 'owner@example.com' },
        subject: 'Boilers',
        address: '127.0.0.1',
        details: expect.any(Object),
      },
    });
    await eventually(async () => (await list())[0]?.lastDelivery).toMatchObject({
      id: first.headers['webhook-id'],
      event: 'group.created',
      state: 'delivered',
      status: 204,
      attempts: 1,
    });
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  it('tells nothing that it does not ask for, nothing of other organizations, and nothing once it is off', async () => {
    await createWebhook({ name: 'chosen', events: ['group.deleted', 'member.invited'] });
    const all = await createWebhook({ name: 'all' });
    const other = await server.createOrganization(owner, 'Elsewhere');
    await server.call('createGroup', {
      headers,
      body: { organization: other, name: 'Theirs', parent: null },
    });
    await createGroup('Ours');
    // Its own making is the first that it tells of.
    await eventually(() => typesReceived().sort()).toEqual(['pult.group.created', 'pult.webhook.created']);
    expect(await update(all.id, { enabled: false })).toMatchObject({ status: 200, body: { enabled: false } });
    await createGroup('Unseen');
    const waiting = await server.db
      .selectFrom('deliveries')
      .select('kind')
      .where('webhook_id', '=', all.id)
      .execute();
    expect(waiting.map(({ kind }) => kind).sort()).toEqual(['group.created', 'webhook.created']);
  });

  it('tells nothing of an act that came to nothing', async () => {
    const { id } = await createWebhook({ events: ['group.created'] });
    const act = server.db.transaction().execute(async (transaction) => {
      const event = { action: 'group.created', organizationId: organization, subject: 'Never' } as const;
      await server.server.recordAudit({ ...event, address: '127.0.0.1' }, transaction);
      throw new Error('came to nothing');
    });
    await expect(act).rejects.toThrow('came to nothing');
    expect(await deliveriesOf(id)).toEqual([]);
  });

  it('tells equal events of one minute once, as the log has them', async () => {
    const { id } = await createWebhook({ events: ['access.refused'] });
    const event = { action: 'access.refused', organizationId: organization, subject: 'Heating' } as const;
    const refuse = () => server.server.recordAudit({ ...event, address: '192.0.2.1' });
    await Promise.all(Array.from({ length: 8 }, refuse));
    expect(await deliveriesOf(id)).toHaveLength(1);
    server.clock.advance(minute);
    await refuse();
    expect(await deliveriesOf(id)).toHaveLength(2);
  });

  it('keeps its key while its receiver is the same, gets another on demand or with another receiver', async () => {
    const { id, secret } = await createWebhook();
    const change = async (body: object) => ((await update(id, body)).body as SavedWebhook).secret;
    expect(await change({ name: 'Other' })).toBeUndefined();
    expect(await change({ url: `${receiver.url}/path` })).toBeUndefined();
    const second = await change({ newSecret: true });
    const third = await change({ url: 'https://hook.example.com/' });
    expect(new Set([secret, second, third]).size).toBe(3);
    expect((await list())[0]).toMatchObject({
      name: 'Other',
      url: 'https://hook.example.com/',
      events: null,
    });
  });

  it.each([
    ['a name that is blank', { name: ' ' }],
    ['an address that is none', { url: 'ftp://example.com/' }],
    ['an address with a password', { url: 'https://a:b@example.com/' }],
    ['an event that there is not', { events: ['group.exploded'] }],
    ['no event at all', { events: [] }],
    ['a field that there is not', { secret: 'whsec_mine' }],
  ])('%s is refused', async (_, settings) => {
    const body = { name: 'SIEM', url: receiver.url, ...settings };
    const params = { organizationId: organization };
    expect(await server.call('createWebhook', { headers, params, body })).toMatchObject({ status: 400 });
    const { id } = await createWebhook();
    expect(await update(id, settings)).toMatchObject({ status: 400 });
  });

  it('there are twenty at most in an organization, however many are made at once', async () => {
    const params = { organizationId: organization };
    const create = () =>
      server.call('createWebhook', { headers, params, body: { name: 'x', url: receiver.url } });
    const answers = await Promise.all(Array.from({ length: 25 }, create));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409).map(({ body }) => body)).toEqual(
      Array(5).fill({ code: 'webhooks_limit_reached', detail: expect.stringContaining('20') }),
    );
  });

  it('one whose key is lost is listed without its address, and good again once that is entered anew', async () => {
    const { id } = await createWebhook({ events: ['group.created'] });
    await server.db
      .updateTable('webhooks')
      .set({ receiver: Buffer.from('of another key') })
      .where('id', '=', id)
      .execute();
    expect((await list())[0]).toMatchObject({ url: null });
    const tested = await server.call('testWebhook', { headers, params: paramsOf(id) });
    expect(tested).toMatchObject({ status: 200, body: { state: 'failed', reason: 'key_lost' } });
    expect(await update(id, { name: 'Renamed' })).toMatchObject({ status: 200, body: { url: null } });
    const { secret = '' } = (await update(id, { url: receiver.url })).body as SavedWebhook;
    await server.call('testWebhook', { headers, params: paramsOf(id) });
    expect(verify(receiver.received.at(-1) as Received, secret)).toMatchObject({ type: 'pult.test' });
  });

  it('keeps address and key encrypted in the database, and out of log and audit', async () => {
    const url = `${receiver.url}/T0KEN-IN-A-PATH`;
    const { id, secret = '' } = await createWebhook({ url });
    receiver.answerWith(500);
    await update(id, { newSecret: true });
    const kept = await server.db.selectFrom('webhooks').selectAll().where('id', '=', id).execute();
    const audit = await server.db
      .selectFrom('audit_events')
      .selectAll()
      .where('organization_id', '=', organization)
      .execute();
    const stored = `${kept[0]?.receiver.toString('latin1')}${JSON.stringify(audit)}${lines.join('')}`;
    expect(stored).not.toContain('T0KEN-IN-A-PATH');
    expect(stored).not.toContain(secret.slice(6));
    expect(audit.map(({ details }) => details)).toContainEqual({ webhookHost: new URL(url).host });
  });
});

describe('deliveries', () => {
  it('one that failed eight times is over, and is repeated by hand under the same id', async () => {
    const { id } = await createWebhook({ events: ['group.created'] });
    receiver.answerWith(500);
    await createGroup('Boilers');
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const triedAt = server.clock.now().toISOString();
      await eventually(async () => (await deliveriesOf(id))[0]).toMatchObject({ attempts: attempt, triedAt });
      server.clock.advance(2 * 3600_000);
      await server.runPendingJobs();
    }
    const [failed] = await deliveriesOf(id, { state: 'failed' });
    expect(failed).toMatchObject({ state: 'failed', status: 500, reason: 'status', nextTryAt: null });
    expect(await deliveriesOf(id, { state: 'waiting,delivered' })).toEqual([]);
    const params = { ...paramsOf(id), deliveryId: failed?.id ?? '' };
    const repeat = () => server.call('repeatWebhookDelivery', { headers, params });
    expect(await repeat()).toMatchObject({ status: 200, body: { state: 'failed', attempts: 9 } });
    receiver.answerWith(204);
    expect(await repeat()).toMatchObject({
      status: 200,
      body: { state: 'delivered', attempts: 10, reason: null },
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const whole = await server.call('getWebhookDelivery', { headers, params });
    expect((whole.body as WholeWebhookDelivery).body).toBe(receiver.received[0]?.body);
  });

  it('one that waits for its next try and is repeated keeps the tries that it had left', async () => {
    const { id } = await createWebhook({ events: ['group.created'] });
    receiver.answerWith(503);
    await createGroup('Boilers');
    await eventually(async () => (await deliveriesOf(id))[0]).toMatchObject({ attempts: 1 });
    const [first] = await deliveriesOf(id);
    const params = { ...paramsOf(id), deliveryId: first?.id ?? '' };
    expect(await server.call('repeatWebhookDelivery', { headers, params })).toMatchObject({
      body: { state: 'waiting', attempts: 2, nextTryAt: expect.any(String) },
    });
  });

  it('a webhook that asks for a pause gets all of its events after it, and none before', async () => {
    const { id } = await createWebhook({ events: ['group.created'] });
    server.clock.advance(1000 - (server.clock.now().getTime() % 1000));
    const end = new Date(server.clock.now().getTime() + 60 * minute);
    receiver.answerWith(503, { 'retry-after': end.toUTCString() });
    await createGroup('Boilers');
    const nextTryAt = end.toISOString();
    await eventually(() => deliveriesOf(id)).toMatchObject([{ attempts: 1, status: 503, nextTryAt }]);
    await createGroup('Valves');
    await eventually(async () => (await deliveriesOf(id)).map(({ reason }) => reason).sort()).toEqual([
      'paused',
      'status',
    ]);
    expect(await deliveriesOf(id)).toMatchObject([{ nextTryAt }, { nextTryAt }]);
    expect(receiver.received).toHaveLength(1);
    receiver.answerWith(204);
    server.clock.advance(60 * minute);
    await server.runPendingJobs();
    await eventually(() => deliveriesOf(id, { state: 'delivered' })).toHaveLength(2);
  });

  it('repeated by many at once it is sent by one of them at a time', async () => {
    const { id } = await createWebhook({ events: ['group.created'] });
    await createGroup('Boilers');
    await eventually(async () => (await deliveriesOf(id))[0]).toMatchObject({ state: 'delivered' });
    const [sent] = await deliveriesOf(id);
    const params = { ...paramsOf(id), deliveryId: sent?.id ?? '' };
    const repeat = () => server.call('repeatWebhookDelivery', { headers, params });
    const answers = await Promise.all(Array.from({ length: 5 }, repeat));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const [after] = await deliveriesOf(id);
    expect(after?.state).toBe('delivered');
    expect(receiver.received).toHaveLength(after?.attempts ?? 0);
  });

  it('what a delivery held is forgotten after seven days, and it can be repeated no more', async () => {
    const { id } = await createWebhook({ events: ['group.created'] });
    await createGroup('Boilers');
    await eventually(async () => (await deliveriesOf(id))[0]).toMatchObject({
      state: 'delivered',
      isKept: true,
    });
    server.clock.advance(7 * 24 * 3600_000 + 1000);
    await server.server.jobs.find(({ name }) => name === 'forget-deliveries')?.run();
    const [forgotten] = await deliveriesOf(id);
    expect(forgotten).toMatchObject({ isKept: false });
    const params = { ...paramsOf(id), deliveryId: forgotten?.id ?? '' };
    expect(await server.call('getWebhookDelivery', { headers, params })).toMatchObject({
      body: { body: null },
    });
    expect(await server.call('repeatWebhookDelivery', { headers, params })).toMatchObject({
      status: 409,
      body: { code: 'webhook_delivery_forgotten' },
    });
  });

  it('those of a webhook that is deleted are gone, and one of another webhook is not found under this', async () => {
    const first = await createWebhook({ events: ['group.created'] });
    const second = await createWebhook({ events: ['group.updated'] });
    await createGroup('Boilers');
    await eventually(async () => (await deliveriesOf(first.id)).length).toBe(1);
    const [delivery] = await deliveriesOf(first.id);
    const params = { ...paramsOf(second.id), deliveryId: delivery?.id ?? '' };
    for (const name of ['getWebhookDelivery', 'repeatWebhookDelivery'] as const) {
      expect(await server.call(name, { headers, params })).toMatchObject({
        status: 404,
        body: { code: 'webhook_delivery_not_found' },
      });
    }
    await server.call('deleteWebhook', { headers, params: paramsOf(first.id) });
    const left = await server.db
      .selectFrom('deliveries')
      .select('id')
      .where('id', '=', delivery?.id ?? '')
      .execute();
    expect(left).toEqual([]);
  });

  it('tries by hand are counted', async () => {
    const { id } = await createWebhook({ events: ['group.created'] });
    const test = () => server.call('testWebhook', { headers, params: paramsOf(id) });
    const answers = await Promise.all(Array.from({ length: 62 }, test));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });
});

describe('who is there', () => {
  const setStatus = (status: 'online' | 'offline', ...serialNumbers: string[]) =>
    server.db
      .updateTable('controllers')
      .set({ status, status_reason: 'link', status_since: server.clock.now() })
      .where('serial_number', 'in', serialNumbers)
      .execute();
  const tell = async () => server.server.jobs.find(({ name }) => name === 'tell-presence')?.run();
  const told = () => eventsOf(receiver.received).map(({ type, data }) => [type, data.count]);
  let serial = 0;
  async function createControllers(count: number): Promise<string[]> {
    const made: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const serialNumber = `HOOK-${++serial}`;
      await createTestController(server, { organizationId: organization, serialNumber, status: 'online' });
      made.push(serialNumber);
    }
    return made;
  }

  it('changes are told once a minute, together, each once whoever asks', async () => {
    const [first = '', second = '', third = ''] = await createControllers(3);
    server.clock.advance(minute);
    const { secret = '' } = await createWebhook({ events: ['controllers.offline', 'controllers.online'] });
    // What was so before is no news.
    await tell();
    server.clock.advance(minute);
    await setStatus('offline', first, second);
    await Promise.all(Array.from({ length: 6 }, tell));
    await eventually(told).toEqual([['pult.controllers.offline', 2]]);
    expect(verify(receiver.received[0] as Received, secret)).toMatchObject({
      data: {
        organization: { id: organization, name: 'Heating' },
        controllers: [
          { serialNumber: first, reason: 'link', since: expect.any(String), group: null },
          { serialNumber: second },
        ],
      },
    });
    await tell();
    await setStatus('online', first);
    await setStatus('offline', third);
    await tell();
    await eventually(() => told().length).toBe(3);
    expect(told().slice(1).sort()).toEqual([
      ['pult.controllers.offline', 1],
      ['pult.controllers.online', 1],
    ]);
  });

  it('a controller that went and came back between two looks is not told', async () => {
    const [serialNumber = ''] = await createControllers(1);
    server.clock.advance(minute);
    const { id } = await createWebhook({ events: ['controllers.offline', 'controllers.online'] });
    await tell();
    await setStatus('offline', serialNumber);
    await setStatus('online', serialNumber);
    await tell();
    expect(await deliveriesOf(id)).toEqual([]);
  });

  it('a controller that comes for the first time is news', async () => {
    await createWebhook({ events: ['controllers.online'] });
    server.clock.advance(minute);
    await createControllers(1);
    await tell();
    await eventually(told).toEqual([['pult.controllers.online', 1]]);
  });

  it('controllers are all counted, and named up to a limit', async () => {
    await createWebhook({ events: ['controllers.offline'] });
    server.clock.advance(minute);
    const made = await createControllers(502);
    await tell();
    await setStatus('offline', ...made);
    await tell();
    await eventually(told).toEqual([['pult.controllers.offline', 502]]);
    expect(eventsOf(receiver.received)[0].data.controllers).toHaveLength(500);
  });
});
