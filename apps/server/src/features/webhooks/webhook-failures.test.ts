import type { SavedWebhook, WebhookDelivery } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createReceiver } from '../../platform/webhooks/webhook-receiver.fixture.ts';

let server: TestServer;
let owner: TestUser;
let headers: Record<string, string>;
let organization: string;
let webhook: SavedWebhook;
let receiver: Awaited<ReturnType<typeof createReceiver>>;
let lines: string[] = [];
const minute = 60_000;

beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  server = await createTestServer({ environment: { ALERT_WEBHOOK_PRIVATE: 'true' }, log });
  owner = await server.createUser('owner@example.com');
  headers = { cookie: owner.cookie, origin: server.publicUrl };
  await server.startJobs();
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(owner, 'Heating');
  receiver = await createReceiver();
  const body = { name: 'SIEM', url: receiver.url };
  const params = { organizationId: organization };
  webhook = (await server.call('createWebhook', { headers, params, body })).body as SavedWebhook;
  await eventually(receivedTypes).toContain('pult.webhook.created');
  server.clock.advance(1000 - (server.clock.now().getTime() % 1000));
  lines = [];
});
afterEach(() => receiver[Symbol.asyncDispose]());

/** Webhooks are sent by the queue, whenever it comes to them. */
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });
const receivedTypes = () => receiver.received.map(({ body }) => JSON.parse(body).type);
const createGroup = (name: string) =>
  server.call('createGroup', { headers, body: { organization, name, parent: null } });
const failures = () =>
  server.db
    .selectFrom('audit_events')
    .select(['subject', 'details'])
    .where('organization_id', '=', organization)
    .where('action', '=', 'webhook.failed')
    .execute();
const notDelivered = () =>
  lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg, webhook: id }) => msg === 'not delivered' && id === webhook.id);
/** What has become of the group that was created first; the time of a try is written down with its outcome. */
async function deliveryOfGroup(): Promise<Partial<WebhookDelivery> | undefined> {
  const params = { organizationId: organization, webhookId: webhook.id };
  const { body } = await server.call('listWebhookDeliveries', { headers, params });
  const all = (body as { results: WebhookDelivery[] }).results;
  return all.filter(({ event }) => event === 'group.created').at(-1);
}
const triedNow = (attempts: number) =>
  eventually(deliveryOfGroup).toMatchObject({ attempts, triedAt: server.clock.now().toISOString() });
async function pass(minutes: number): Promise<void> {
  server.clock.advance(minutes * minute);
  await server.runPendingJobs();
}

it('admins learn once an hour that a receiver asks for a pause, the log each time, and no webhook', async () => {
  const end = new Date(server.clock.now().getTime() + 20 * minute);
  receiver.answerWith(503, { 'retry-after': String(20 * 60) });
  await createGroup('Boilers');
  await triedNow(1);
  expect(notDelivered()).toMatchObject([{ reason: 'status', status: 503, isFinal: false }]);
  const details = { reason: 'paused', webhookHost: new URL(receiver.url).host, expiresAt: end.toISOString() };
  expect(await failures()).toEqual([{ subject: 'SIEM', details }]);
  await pass(20);
  await triedNow(2);
  expect(notDelivered()).toHaveLength(2);
  expect(await failures()).toHaveLength(1);
  receiver.answerWith(204);
  await pass(120);
  await eventually(deliveryOfGroup).toMatchObject({ state: 'delivered' });
  await createGroup('Valves');
  await eventually(() => receivedTypes().filter((type) => type === 'pult.group.created').length).toBe(4);
  expect(receivedTypes()).not.toContain('pult.webhook.failed');
  expect(lines.join('')).not.toContain('/hook');
});

it('admins learn that an event is given up', async () => {
  receiver.answerWith(500);
  await createGroup('Boilers');
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    await triedNow(attempt);
    expect(notDelivered()).toHaveLength(attempt);
    expect(await failures()).toHaveLength(attempt < 8 ? 0 : 1);
    await pass(120);
  }
  expect(notDelivered().at(-1)).toMatchObject({ reason: 'status', isFinal: true });
  expect(await failures()).toMatchObject([{ subject: 'SIEM', details: { reason: 'status' } }]);
});
