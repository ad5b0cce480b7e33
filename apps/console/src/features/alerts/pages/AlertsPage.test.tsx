import { type Alert, type AlertRule, alertRule, type Role } from '@pult/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const path = `/organizations/${organization.id}/alerts`;
const groupId = '01890a5d-ac96-774b-bcce-b302099a8111';
const person = { userId: '01890a5d-ac96-774b-bcce-b302099a8112', email: 'anna@example.com' };

/** Whatever channels there are: it uses none of them. */
const unused = Object.fromEntries(Object.keys(alertRule.shape).map((name) => [name, null])) as AlertRule;

function makeRule(changes: Partial<AlertRule> = {}): AlertRule {
  return {
    ...unused,
    id: '01890a5d-ac96-774b-bcce-b302099a8113',
    group: null,
    enabled: true,
    minutes: 90,
    members: [person],
    createdAt: '2025-11-20T09:40:15Z',
    ...changes,
  };
}

function makeAlert(changes: Partial<Alert> = {}): Alert {
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8114',
    controller: { serialNumber: 'A1B2C3D4', description: 'Boiler room' },
    group: { id: groupId, name: 'North' },
    kind: 'offline',
    offlineSince: '2025-11-20T09:00:00Z',
    traffic: null,
    firedAt: '2025-11-20T10:30:00Z',
    notifiedAt: '2025-11-20T10:31:00Z',
    isKept: false,
    resolvedAt: '2025-11-20T10:40:00Z',
    ...changes,
  };
}

interface Fixture {
  query?: string;
  role?: Role;
  rules?: AlertRule[];
  alerts?: Alert[];
  locale?: 'ru' | 'en';
  answers?: Answers;
}

function open({
  query = '',
  role = 'admin',
  rules = [makeRule()],
  alerts = [],
  locale = 'en',
  answers,
}: Fixture = {}) {
  return renderConsole(path + query, {
    locale,
    answers: {
      listOrganizations: () => [{ ...organization, userRole: role }],
      getOrganization: () => ({ ...organization, userRole: role }),
      listAlertRules: () => rules,
      listAlerts: () => ({ count: alerts.length, next: null, previous: null, results: alerts }),
      listMembers: () => [
        { ...person, role: 'member', totpEnabled: false, joinedAt: '2025-11-20T09:40:15Z' },
      ],
      listGroups: () => [
        {
          id: groupId,
          name: 'North',
          parent: null,
          level: 0,
          organization: { id: organization.id },
          controllersCount: 1,
          subgroups: [],
        },
      ],
      ...answers,
    },
  });
}

const row = async (name: string) =>
  within(await screen.findByRole('table', { name })).getAllByRole('row')[1]?.textContent;

test('a rule shows where, when and whom it notifies, and how its webhook went', async () => {
  const webhook = {
    url: 'https://hooks.example.com/…',
    lastResult: {
      at: '2025-11-20T10:31:00Z',
      kind: 'alerts.fired' as const,
      delivered: false,
      status: 500,
      reason: 'status' as const,
      attempts: 8,
      nextTryAt: null,
    },
  };
  open({ rules: [makeRule({ webhook })] });
  expect(await row('Alert rules')).toMatch(
    /^Whole organizationAfter 1 h 30 minanna@example\.comhooks\.example\.comnot delivered .+: answer 500$/,
  );
});

test.each([
  [
    'en',
    'Alert rules',
    'Cannot be read: enter it again',
    'Webhook address',
    'Edit',
    /^Its address and key cannot/,
  ],
  [
    'ru',
    'Правила оповещений',
    'Не читается: введите заново',
    'Адрес вебхука',
    'Изменить',
    /^Адрес и ключ больше не читаются/,
  ],
] as const)(
  'a webhook whose key is lost says in %s that it is to be entered anew',
  async (locale, table, cell, field, edit, hint) => {
    open({ locale, rules: [makeRule({ webhook: { url: null, lastResult: null } })] });
    expect(await row(table)).toContain(cell);
    fireEvent.click(screen.getByRole('button', { name: /^Actions|^Действия/ }));
    fireEvent.click(await screen.findByRole('menuitem', { name: edit }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText(field)).toHaveProperty('value', '');
    dialog.getByText(hint);
  },
);

test('a rule that switches alerts off says so, in Russian', async () => {
  open({ locale: 'ru', rules: [makeRule({ enabled: false, group: { id: groupId, name: 'Север' } })] });
  expect(await row('Правила оповещений')).toBe('СеверОповещения выключены');
});

test('a rule is made for a group, and the key of its webhook is shown once', async () => {
  const { callsOf } = open({
    rules: [],
    answers: {
      createAlertRule: () => ({
        ...makeRule(),
        webhook: { url: 'https://hooks.example.com/x', lastResult: null },
        webhookSecret: 'whsec_secret',
      }),
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.click(dialog.getByRole('combobox', { name: 'Where it counts' }));
  fireEvent.click(await screen.findByRole('option', { name: 'North', hidden: true }));
  fireEvent.change(dialog.getByLabelText('After how many minutes offline'), { target: { value: '15' } });
  fireEvent.click(dialog.getByRole('combobox', { name: 'Members to mail' }));
  fireEvent.click(await screen.findByRole('option', { name: person.email, hidden: true }));
  fireEvent.change(dialog.getByLabelText('Webhook address'), {
    target: { value: ' https://hooks.example.com/x ' },
  });
  fireEvent.click(dialog.getByRole('button', { name: 'Create rule' }));
  await screen.findByText('whsec_secret');
  expect(callsOf('createAlertRule')[0]?.body).toEqual({
    group: groupId,
    enabled: true,
    minutes: 15,
    members: [person.userId],
    webhookUrl: 'https://hooks.example.com/x',
    telegramChatId: null,
    slackUrl: null,
  });
  fireEvent.click(screen.getByRole('button', { name: 'I have kept the key' }));
  await waitFor(() => expect(screen.queryByText('whsec_secret')).toBeNull());
});

test('an error of the server stands at its field', async () => {
  open({
    rules: [],
    answers: { createAlertRule: () => refuse(400, 'webhookUrl', 'This address is private.') },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('After how many minutes offline'), { target: { value: '0' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Create rule' }));
  await dialog.findByText('A whole number from 1 to 10,080');
});

test('a rule is made for chats of Telegram and Slack, each with its language', async () => {
  const { callsOf } = open({ rules: [], answers: { createAlertRule: () => makeRule() } });
  fireEvent.click(await screen.findByRole('button', { name: 'New rule' }));
  const dialog = within(await screen.findByRole('dialog'));
  const type = (label: string, value: string) =>
    fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  expect(dialog.queryByLabelText('Token of the bot')).toBeNull();
  type('Webhook of a Slack channel', 'https://hooks.slack.com/services/x');
  fireEvent.click(dialog.getByRole('combobox', { name: 'Language of the messages' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Русский', hidden: true }));
  type('Telegram chat', ' -100123 ');
  type('Token of the bot', '123:secret');
  fireEvent.click(dialog.getByRole('button', { name: 'Create rule' }));
  await waitFor(() => expect(callsOf('createAlertRule')).toHaveLength(1));
  expect(callsOf('createAlertRule')[0]?.body).toMatchObject({
    telegramChatId: '-100123',
    telegramToken: '123:secret',
    telegramLocale: 'en',
    slackUrl: 'https://hooks.slack.com/services/x',
    slackLocale: 'ru',
  });
});

test('columns of chats are there where a rule uses them, and an empty token leaves the stored one', async () => {
  const result = {
    at: '2025-11-20T10:31:00Z',
    kind: 'test',
    delivered: false,
    status: 403,
    reason: 'status',
    attempts: 8,
    nextTryAt: null,
  } as const;
  const { callsOf } = open({
    rules: [makeRule({ telegram: { chatId: '-100123', locale: 'ru', lastResult: result } })],
    answers: { updateAlertRule: () => makeRule() },
  });
  const table = within(await screen.findByRole('table', { name: 'Alert rules' }));
  table.getByRole('columnheader', { name: 'Telegram' });
  expect(table.queryByRole('columnheader', { name: 'Slack' })).toBeNull();
  table.getByText('-100123');
  table.getByText(/^not delivered .+: answer 403$/);
  fireEvent.click(screen.getByRole('button', { name: /^Actions/ }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByLabelText('Telegram chat'), { target: { value: '@boilers' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(callsOf('updateAlertRule')).toHaveLength(1));
  const body = callsOf('updateAlertRule')[0]?.body;
  expect(body).toMatchObject({ telegramChatId: '@boilers', telegramLocale: 'ru', slackUrl: null });
  expect(body).not.toHaveProperty('telegramToken');
});

test('the test of a rule says how it went', async () => {
  const { callsOf } = open({
    rules: [makeRule({ webhook: { url: 'https://hooks.example.com/x', lastResult: null } })],
    answers: {
      testAlertRule: () => ({
        mails: 1,
        mailsKept: 0,
        telegram: null,
        slack: null,
        webhook: {
          at: '2025-11-20T10:31:00Z',
          kind: 'test',
          delivered: false,
          status: null,
          reason: 'address_private',
          attempts: 1,
          nextTryAt: null,
        },
      }),
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Actions of the rule: Whole organization' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Test' }));
  await screen.findByText('1 mail queued for sending');
  await screen.findByText(/^Webhook: not delivered, an address of the server’s network/);
  expect(callsOf('testAlertRule')).toHaveLength(1);
});

test.each([
  [
    'en',
    'Test',
    /^Mail not sent: .+ kept on the server/,
    'Mail is not set up, so email alerts are not sent.',
  ],
  [
    'ru',
    'Проверить',
    /^Письмо не отправлено: .+ хранится/,
    'Почта не настроена, поэтому оповещения по почте не отправляются.',
  ],
] as const)(
  'the page and the test of a rule say in %s that mails reach nobody where there is no mail server',
  async (locale, entry, kept, notice) => {
    const environments = { IS_ON_PREMISE: true, MAIL_ENABLED: false, PULT_COMMAND: 'pult' };
    const tested = { mails: 0, mailsKept: 2, webhook: null, telegram: null, slack: null };
    open({ locale, answers: { getEnvironments: () => environments, testAlertRule: () => tested } });
    await screen.findByText(notice, { exact: false });
    fireEvent.click(await screen.findByRole('button', { name: /^Actions|^Действия/ }));
    fireEvent.click(await screen.findByRole('menuitem', { name: entry }));
    const toast = await screen.findByText(kept);
    expect(toast.closest('[role="alert"]')).toBeTruthy();
  },
);

test('the notice about mail leads administrators to the page where it is set up, and members see none', async () => {
  const answers: Answers = {
    getEnvironments: () => ({ IS_ON_PREMISE: true, MAIL_ENABLED: false, PULT_COMMAND: 'pult' }),
    getCurrentUser: () => ({
      id: organization.id,
      email: 'a@example.com',
      isAdministrator: true,
      locale: 'en',
    }),
  };
  open({ answers });
  const link = await screen.findByRole('link', { name: 'Set up' });
  expect(link.getAttribute('href')).toBe('/installation');
  cleanup();
  open({ role: 'member', answers });
  await row('Alert rules');
  expect(screen.queryByText(/^Mail is not set up/)).toBeNull();
});

test('an alert whose mails were kept shows that in place of a time', async () => {
  open({ alerts: [makeAlert({ notifiedAt: null, isKept: true })] });
  expect(await row('Alerts that fired')).toMatch(/not sent: kept on the server$/);
});

test('the history tells groups of one name apart', async () => {
  const makeGroup = (id: string, name: string, subgroups: object[] = []) => ({
    id,
    name,
    parent: null,
    level: 0,
    organization: { id: organization.id },
    controllersCount: 1,
    subgroups,
  });
  const groups = ['South', 'North'].map((name, index) =>
    makeGroup(`${groupId}-${index}`, name, [makeGroup(index === 0 ? 'other' : groupId, 'Boilers')]),
  );
  const alerts = [makeAlert({ group: { id: groupId, name: 'Boilers' } })];
  open({ alerts, answers: { listGroups: () => groups } });
  const table = within(await screen.findByRole('table', { name: 'Alerts that fired' }));
  expect(await table.findByTitle('North › Boilers')).toBeTruthy();
  expect(table.getByTitle('North › Boilers').textContent).toBe('North › Boilers');
});

test('the history shows who was away, since when and for how long', async () => {
  open({ alerts: [makeAlert()] });
  expect(await row('Alerts that fired')).toMatch(
    /^A1B2C3D4Boiler roomNorth20 Nov 2025, .+Online since 20 Nov 2025, .+was away for 1 h 40 min20 Nov 2025, /,
  );
  const link = screen.getByRole('link', { name: 'A1B2C3D4' });
  expect(link.getAttribute('href')).toBe(`/organizations/${organization.id}/controllers/A1B2C3D4`);
});

test('the history shows how much of its traffic budget a controller had used', async () => {
  const traffic = { bytes: 42 * 1024 ** 2, budget: 50 * 1024 ** 2 };
  const alert = makeAlert({ kind: 'traffic_80', offlineSince: null, traffic, resolvedAt: null });
  open({ alerts: [alert] });
  expect(await row('Alerts that fired')).toMatch(/Traffic: 84% of 50\sMB a month/);
});

test('the filters live in the address and are what the server is asked', async () => {
  const { callsOf, address } = open({ query: '?state=firing&serial_number=A1', alerts: [makeAlert()] });
  await row('Alerts that fired');
  expect(callsOf('listAlerts')[0]?.query).toMatchObject({ state: 'firing', serial_number: 'A1', page: '1' });
  fireEvent.click(screen.getByRole('radio', { name: 'Past' }));
  await waitFor(() => expect(address()).toBe(`${path}?state=resolved&serial_number=A1`));
});

test('a member sees the rules and cannot change them', async () => {
  open({ role: 'member' });
  await row('Alert rules');
  expect(screen.getByRole('button', { name: 'New rule' }).getAttribute('aria-disabled')).toBe('true');
  const menu = screen.getByRole('button', { name: 'Actions of the rule: Whole organization' });
  expect(menu.getAttribute('aria-disabled')).toBe('true');
});

test('a viewer sees for whom the page is, and nothing is requested', async () => {
  const { callsOf } = open({ role: 'viewer' });
  await screen.findByText('Alerts are for members');
  expect([...callsOf('listAlertRules'), ...callsOf('listAlerts')]).toEqual([]);
});

test('an empty page says what to do and what will be there', async () => {
  open({ rules: [] });
  await screen.findByText('No rules yet');
  await screen.findByText('Nothing has happened yet');
});

test('a rule wants a place, its first field has the focus, and the menu has it again after its dialogs', async () => {
  open({ rules: [makeRule()] });
  fireEvent.click(await screen.findByRole('button', { name: 'New rule' }));
  const created = within(await screen.findByRole('dialog'));
  const place = created.getByRole('combobox', { name: 'Where it counts' });
  await waitFor(() => expect(document.activeElement).toBe(place));
  expect(place.getAttribute('aria-expanded')).not.toBe('true');
  fireEvent.click(created.getByRole('button', { name: 'Create rule' }));
  await created.findByText('Choose a group');
  fireEvent.click(created.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const menu = screen.getByRole('button', { name: 'Actions of the rule: Whole organization' });
  for (const entry of ['Edit', 'Delete']) {
    fireEvent.click(menu);
    fireEvent.click(await screen.findByRole('menuitem', { name: entry }));
    const dialog = within(await screen.findByRole('dialog'));
    if (entry === 'Edit') {
      await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('switch')));
    }
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(document.activeElement).toBe(menu));
  }
});

test('rules are not offered to an admin of a part, who sees why', async () => {
  const part = { ...organization, userRole: 'admin', isPartial: true };
  const { callsOf } = open({ rules: [makeRule()], answers: { getOrganization: () => part } });
  const add = await screen.findByRole('button', { name: 'New rule' });
  const menu = screen.getByRole('button', { name: /^Actions of the rule/ });
  for (const button of [add, menu]) {
    expect(button.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(button);
  }
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.mouseEnter(add);
  expect(await screen.findByText('This takes the organization as a whole')).toBeTruthy();
  expect(callsOf('listMembers')).toEqual([]);
});
