import type { AlertRule, TestedAlertRule } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createReceiver, type Received } from '../../../../platform/webhooks/webhook-receiver.fixture.ts';
import { type AlertsFixture, createAlertsFixture, minute } from '../../alerts.fixture.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: AlertsFixture;
/** As an incoming webhook of Slack: 200 to a JSON with a text. */
let hook: Awaited<ReturnType<typeof createReceiver>>;

/** Refuses as Slack does: 404 where there is no webhook, 400 to what is no JSON with a text of up to 40,000. */
function refuse({ method, path, headers, body }: Received): number | undefined {
  if (method !== 'POST') return 405;
  if (path !== '/hook') return 404;
  if (!/^application\/json(;|$)/.test(headers['content-type'] ?? '')) return 400;
  try {
    const { text } = JSON.parse(body) as Record<string, unknown>;
    return typeof text === 'string' && text.trim() !== '' && text.length <= 40_000 ? undefined : 400;
  } catch {
    return 400;
  }
}

beforeAll(async () => {
  server = await createTestServer({ environment: { ALERT_WEBHOOK_PRIVATE: 'true' } });
  owner = await server.createUser('owner@example.com');
  server.clock.advance(11 * minute);
  await server.startJobs();
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(owner, 'Heating <!channel> & co');
  fixture = createAlertsFixture(server, owner, organization);
  hook = await createReceiver(refuse);
  hook.answerWith(200);
});
afterEach(() => hook[Symbol.asyncDispose]());

const slackOf = async (id: string) => {
  const { body } = await fixture.call('listAlertRules');
  return (body as AlertRule[]).find((each) => each.id === id)?.slack;
};
const test = async (ruleId: string) =>
  (await fixture.call('testAlertRule', { params: { ruleId } })).body as TestedAlertRule;
const texts = () => hook.received.map(({ body }) => (JSON.parse(body) as { text: string }).text);

it('Slack gets an alert whose names are letters and no marks', async () => {
  const group = await fixture.group('[North](http://evil.example) *A* @here');
  const { id } = await fixture.rule({ minutes: 1, slackUrl: hook.url, slackLocale: 'en' });
  await fixture.controller('SLACK-1', group);
  await fixture.goOffline('SLACK-1');
  await fixture.pass(2);
  await expect.poll(() => hook.received.length, { timeout: 10_000 }).toBe(1);
  const [text = ''] = texts();
  expect(text.split('\n')[0]).toBe(
    '*Controller SLACK-1 is offline – Heating &lt;!\u200bchannel&gt; &amp; co*',
  );
  expect(text).not.toContain('<!channel>');
  expect(text).not.toContain('](http');
  expect(text).not.toContain('@here');
  expect(text).toMatch(/\n<http[^|>]+\/alerts\|Open the alerts>$/);
  await expect
    .poll(() => slackOf(id))
    .toMatchObject({ url: hook.url, lastResult: { delivered: true, status: 200 } });
});

it('the test of a rule says how its Slack webhook went, in the language of the rule', async () => {
  const { id } = await fixture.rule({ slackUrl: hook.url });
  expect(await test(id)).toMatchObject({ telegram: null, slack: { delivered: true, status: 200 } });
  expect(texts()[0]).toContain('Проверка оповещений');
  // Somebody took the webhook away.
  await fixture.update(id, { slackUrl: `${hook.url}/gone` });
  expect((await test(id)).slack).toMatchObject({ delivered: false, status: 404, reason: 'status' });
});

it('Slack is left alone for as long as it says by Retry-After', async () => {
  const { id } = await fixture.rule({ slackUrl: hook.url });
  hook.answerWith(429, { 'retry-after': '30' });
  expect((await test(id)).slack).toMatchObject({ delivered: false, status: 429, reason: 'status' });
  expect((await test(id)).slack).toMatchObject({ delivered: false, status: null, reason: 'paused' });
  expect(hook.received).toHaveLength(1);
  hook.answerWith(200);
  server.clock.advance(30_000);
  expect((await test(id)).slack).toMatchObject({ delivered: true });
});

it('the address of a Slack webhook is shown whole to admins only, and ends with an empty one', async () => {
  const { id } = await fixture.rule({ slackUrl: `${hook.url}/T0KEN` });
  expect(await slackOf(id)).toMatchObject({ url: `${hook.url}/T0KEN` });
  const member = await server.createUser('member@example.com');
  await server.addMember(organization, member, 'member');
  const seen = await server.call('listAlertRules', {
    params: { organizationId: organization },
    headers: { cookie: member.cookie, origin: server.publicUrl },
  });
  expect(JSON.stringify(seen.body)).not.toContain('T0KEN');
  expect(await fixture.update(id, { slackUrl: null })).toMatchObject({ status: 200 });
  expect(await slackOf(id)).toBeNull();
});
