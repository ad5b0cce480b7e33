import type { AlertRule, TestedAlertRule } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createReceiver, type Received } from '../../../../platform/webhooks/webhook-receiver.fixture.ts';
import { type AlertsFixture, createAlertsFixture, minute } from '../../alerts.fixture.ts';

/** What the fake of the Bot API knows. */
const token = '123456789:AAEfake-token_of_the_tests_0123456789';
const chat = '-1001234567890';
const chats = [chat, '@boilers'];

/** Refuses as the Bot API does: 401 to another token, 400 to a chat without the bot and to what is no message. */
function refuse({ method, path, headers, body }: Received): number | undefined {
  const [, calledBy, call] = path.match(/^\/bot([^/]+)\/(\w+)$/) ?? [];
  if (method !== 'POST') return 405;
  if (calledBy !== undefined && calledBy !== token) return 401;
  if (call !== 'sendMessage') return 404;
  // It reads no other type, and then finds neither chat nor text.
  if (!/^application\/json(;|$)/.test(headers['content-type'] ?? '')) return 400;
  try {
    const { chat_id, text } = JSON.parse(body) as Record<string, unknown>;
    const isMessage = typeof text === 'string' && text.trim() !== '' && text.length <= 4096;
    return isMessage && chats.includes(String(chat_id)) ? undefined : 400;
  } catch {
    return 400;
  }
}

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: AlertsFixture;
let api: Awaited<ReturnType<typeof createReceiver>>;
const lines: string[] = [];

beforeAll(async () => {
  api = await createReceiver(refuse);
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
  const { id } = await fixture.rule({ minutes: 1, telegramChatId: chat, telegramToken: token });
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
  await expect.poll(() => telegramOf(id)).toMatchObject({ lastResult: { delivered: true, status: 200 } });
});

it('the test of a rule says what Telegram answered', async () => {
  const { id } = await fixture.rule({ telegramChatId: '@boilers', telegramToken: token });
  expect(await test(id)).toMatchObject({
    mails: 0,
    webhook: null,
    slack: null,
    telegram: { delivered: true, status: 200 },
  });
  expect(sent()[0]).toMatchObject({ chat_id: '@boilers' });
  api.answerWith(403);
  expect((await test(id)).telegram).toMatchObject({ delivered: false, status: 403, reason: 'status' });
});

it.each([
  ['a token that no bot has', { telegramToken: `${token.slice(0, -1)}x` }, 401],
  ['a chat without the bot', { telegramChatId: '@strangers' }, 400],
])('the test of a rule says that Telegram refused %s', async (_, other, status) => {
  const { id } = await fixture.rule({ telegramChatId: chat, telegramToken: token, ...other });
  expect((await test(id)).telegram).toMatchObject({ delivered: false, status, reason: 'status' });
});

it('Telegram is left alone for as long as it says by retry_after, the chat of another rule too', async () => {
  const [first, second] = [
    await fixture.rule({ telegramChatId: chat, telegramToken: token }),
    await fixture.rule({ group: await fixture.group('Boilers'), telegramChatId: chat, telegramToken: token }),
  ];
  const refusal = {
    ok: false,
    error_code: 429,
    description: 'Too Many Requests: retry after 35',
    parameters: { retry_after: 35 },
  };
  api.answerWith(429, { 'content-type': 'application/json' }, JSON.stringify(refusal));
  expect((await test(first.id)).telegram).toMatchObject({ delivered: false, status: 429, reason: 'status' });
  api.answerWith(200);
  for (const { id } of [first, second]) {
    expect((await test(id)).telegram).toMatchObject({ delivered: false, status: null, reason: 'paused' });
  }
  expect(api.received).toHaveLength(1);
  server.clock.advance(35_000);
  expect((await test(second.id)).telegram).toMatchObject({ delivered: true });
});

it('the token of a bot is needed once, kept when the chat changes, and gone with the chat', async () => {
  const refused = await fixture.call('createAlertRule', { body: { telegramChatId: chat } });
  expect(refused).toMatchObject({ status: 400, body: { telegramToken: [expect.any(String)] } });
  const { id } = await fixture.rule({ telegramChatId: chat, telegramToken: token });
  expect(await fixture.update(id, { telegramChatId: '@boilers', telegramLocale: 'en' })).toMatchObject({
    status: 200,
  });
  expect((await test(id)).telegram).toMatchObject({ delivered: true });
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
