import type { AlertRule, TestedAlertRule } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createReceiver } from '../../../../platform/webhooks/webhook-receiver.fixture.ts';
import { type AlertsFixture, createAlertsFixture, minute } from '../../alerts.fixture.ts';

/** What the fake of the Bot API knows; the real one answers 401 to another token, and 400 to a chat without the bot. */
const token = '123456789:AAEfake-token_of_the_tests_0123456789';
const chat = '-1001234567890';

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: AlertsFixture;
let api: Awaited<ReturnType<typeof createReceiver>>;
const lines: string[] = [];

beforeAll(async () => {
  api = await createReceiver();
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const environment = { TELEGRAM_API_URL: new URL(api.url).origin };
  server = await createTestServer({ environment, log });
  owner = await server.createUser('owner@example.com');
  server.clock.advance(11 * minute);
  await server.startJobs();
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
});
beforeEach(async () => {
  organization = await server.createOrganization(owner, 'Heating @boss');
  fixture = createAlertsFixture(server, owner, organization);
  api.received.length = 0;
  api.answerWith(200);
});

const telegramOf = async (id: string) => {
  const { body } = await fixture.call('listAlertRules');
  return (body as AlertRule[]).find((each) => each.id === id)?.telegram;
};
const test = async (ruleId: string) =>
  (await fixture.call('testAlertRule', { params: { ruleId } })).body as TestedAlertRule;
const sent = () => api.received.map(({ path, body }) => ({ path, ...JSON.parse(body) }));

it('Telegram gets an alert and its end as plain text in the language of the rule', async () => {
  const { id } = await fixture.rule({
    minutes: 1,
    telegramChatId: chat,
    telegramToken: token,
    telegramLocale: 'en',
  });
  await fixture.controller('CHAT-1');
  await fixture.goOffline('CHAT-1');
  await fixture.pass(2);
  await expect.poll(() => api.received.length, { timeout: 10_000 }).toBe(1);
  await fixture.comeOnline('CHAT-1');
  await fixture.pass(2);
  await expect.poll(() => api.received.length, { timeout: 10_000 }).toBe(2);
  const [fired, resolved] = sent();
  expect(fired).toMatchObject({
    path: `/bot${token}/sendMessage`,
    chat_id: chat,
    link_preview_options: { is_disabled: true },
  });
  expect(fired).not.toHaveProperty('parse_mode');
  // Nobody is called by the name of an organization.
  expect(fired.text).toContain('Controller CHAT-1 is offline – Heating @\u200bboss');
  expect(fired.text).toContain(`Open the alerts: ${server.publicUrl}/organizations/${organization}/alerts`);
  expect(resolved.text).toContain('Controller CHAT-1 is back online');
  await expect
    .poll(() => telegramOf(id))
    .toMatchObject({
      chatId: chat,
      locale: 'en',
      lastResult: { delivered: true, status: 200 },
    });
});

it('Telegram is never sent more than it takes, whatever the controllers are called', async () => {
  await fixture.rule({ minutes: 1, telegramChatId: chat, telegramToken: token });
  const serials = Array.from({ length: 30 }, (_, index) => `LONG-${index}`);
  for (const serialNumber of serials) await fixture.controller(serialNumber);
  await server.db
    .updateTable('controllers')
    .set({ description: 'Котельная '.repeat(25).slice(0, 255) })
    .where('serial_number', 'in', serials)
    .execute();
  await fixture.goOffline(...serials);
  await fixture.pass(2);
  await expect.poll(() => api.received.length, { timeout: 10_000 }).toBe(1);
  const [{ text }] = sent() as [{ text: string }];
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(text).toMatch(/\n…\n\nОткрыть оповещения: http/);
});

it('the test of a rule says what Telegram answered', async () => {
  const { id } = await fixture.rule({ telegramChatId: '@boilers', telegramToken: token });
  expect(await test(id)).toMatchObject({
    mails: 0,
    webhook: null,
    slack: null,
    telegram: { delivered: true },
  });
  expect(sent()[0]).toMatchObject({ chat_id: '@boilers' });
  api.answerWith(403);
  expect((await test(id)).telegram).toMatchObject({ delivered: false, status: 403, reason: 'status' });
});

it('the token of a bot is needed once, kept when the chat changes, and gone with the chat', async () => {
  const refused = await fixture.call('createAlertRule', { body: { telegramChatId: chat } });
  expect(refused).toMatchObject({ status: 400, body: { telegramToken: [expect.any(String)] } });
  const { id } = await fixture.rule({ telegramChatId: chat, telegramToken: token });
  expect(await fixture.update(id, { telegramChatId: '@boilers', telegramLocale: 'en' })).toMatchObject({
    status: 200,
  });
  await test(id);
  expect(sent()[0]).toMatchObject({ path: `/bot${token}/sendMessage`, chat_id: '@boilers' });
  expect(await fixture.update(id, { telegramChatId: null })).toMatchObject({ status: 200 });
  expect(await telegramOf(id)).toBeNull();
  expect(await fixture.update(id, { telegramChatId: chat })).toMatchObject({ status: 400 });
});

it('keeps the token of a bot out of answers, log, audit and the plain database', async () => {
  const { id } = await fixture.rule({ telegramChatId: chat, telegramToken: token });
  api.answerWith(500);
  await test(id);
  const settings = await server.db.selectFrom('alert_rule_channels').select('settings').execute();
  const audit = await server.db
    .selectFrom('audit_events')
    .selectAll()
    .where('organization_id', '=', organization)
    .execute();
  const told = JSON.stringify([(await fixture.call('listAlertRules')).body, audit]);
  const stored = settings.map((row) => row.settings.toString('latin1')).join('');
  expect(`${told}${stored}${lines.join('')}`).not.toContain(token.split(':')[1]);
  expect(audit[0]?.details).toMatchObject({ telegramChat: chat });
});
