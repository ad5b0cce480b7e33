import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse } from '../../testing/fake-api.ts';
import { groupId, makeRule, openRules, person, row } from '../testing/open-alerts.tsx';

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
  openRules({ rules: [makeRule({ webhook })] });
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
    openRules({ locale, rules: [makeRule({ webhook: { url: null, lastResult: null } })] });
    expect(await row(table)).toContain(cell);
    fireEvent.click(screen.getByRole('button', { name: /^Actions|^Действия/ }));
    fireEvent.click(await screen.findByRole('menuitem', { name: edit }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText(field)).toHaveProperty('value', '');
    dialog.getByText(hint);
  },
);

test('a rule that switches alerts off says so, in Russian', async () => {
  openRules({ locale: 'ru', rules: [makeRule({ enabled: false, group: { id: groupId, name: 'Север' } })] });
  expect(await row('Правила оповещений')).toBe('СеверОповещения выключены');
});

test('a rule is made for a group, and the key of its webhook is shown once', async () => {
  const { callsOf } = openRules({
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
  openRules({
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
  const { callsOf } = openRules({ rules: [], answers: { createAlertRule: () => makeRule() } });
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
  const { callsOf } = openRules({
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
  const { callsOf } = openRules({
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
    openRules({ locale, answers: { getEnvironments: () => environments, testAlertRule: () => tested } });
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
  openRules({ answers });
  const link = await screen.findByRole('link', { name: 'Set up' });
  expect(link.getAttribute('href')).toBe('/installation');
  cleanup();
  openRules({ role: 'member', answers });
  await row('Alert rules');
  expect(screen.queryByText(/^Mail is not set up/)).toBeNull();
});

test('a member sees the rules and cannot change them', async () => {
  openRules({ role: 'member' });
  await row('Alert rules');
  expect(screen.getByRole('button', { name: 'New rule' }).getAttribute('aria-disabled')).toBe('true');
  const menu = screen.getByRole('button', { name: 'Actions of the rule: Whole organization' });
  expect(menu.getAttribute('aria-disabled')).toBe('true');
});

test('a rule wants a place, its first field has the focus, and the menu has it again after its dialogs', async () => {
  openRules({ rules: [makeRule()] });
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
  const { callsOf } = openRules({ rules: [makeRule()], answers: { getOrganization: () => part } });
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
