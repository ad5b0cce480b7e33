import type { Role, Webhook, WebhookDelivery } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const webhookId = '01890a5d-ac96-774b-bcce-b302099a8090';
const deliveryId = '01890a5d-ac96-774b-bcce-b302099a8091';
const secret = `whsec_${'A'.repeat(43)}=`;
const makeDelivery = (changes: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: deliveryId,
  event: 'tunnel.opened',
  createdAt: '2025-11-20T09:40:00Z',
  state: 'failed',
  attempts: 8,
  triedAt: '2025-11-20T14:40:00Z',
  status: 500,
  reason: 'status',
  nextTryAt: null,
  isKept: true,
  ...changes,
});
const makeWebhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: webhookId,
  name: 'SIEM',
  url: 'https://siem.example.com/pult',
  events: null,
  enabled: true,
  createdAt: '2025-11-01T10:00:00Z',
  createdBy: 'owner@example.com',
  lastDelivery: null,
  ...changes,
});

function open(path: string, answers: Answers = {}, role: Role = 'owner', locale: 'ru' | 'en' = 'en') {
  const mine = { ...organization, userRole: role };
  const user = { userId: organization.id, email: 'a@example.com', role, totpEnabled: true };
  return renderConsole(`/organizations/${organization.id}${path}`, {
    locale,
    answers: {
      listOrganizations: () => [mine],
      getOrganization: () => mine,
      listMembers: () => [{ ...user, joinedAt: '2025-11-01T10:00:00Z' }],
      ...answers,
    },
  });
}
const section = async () => within(await screen.findByRole('region', { name: 'Webhooks' }));

test('each webhook says where it goes, what it tells, and how it went last', async () => {
  const webhooks = [
    makeWebhook({ lastDelivery: makeDelivery() }),
    makeWebhook({ id: 'b', name: 'Chat', events: ['tunnel.opened', 'member.joined'], enabled: false }),
    makeWebhook({ id: 'c', name: 'Lost', url: null }),
  ];
  open('/settings/webhooks', { listWebhooks: () => webhooks });
  const rows = await (await section()).findAllByRole('listitem');
  const texts = rows.map(({ textContent }) => textContent);
  expect(texts[0]).toContain('https://siem.example.com/pult');
  expect(texts[0]).toContain('all events');
  expect(texts[0]).toContain('not delivered · answer 500');
  expect(texts[1]).toContain('2 kinds of events');
  expect(texts[1]).toContain('off');
  expect(texts[2]).toContain('enter the address again');
});

test('a webhook is made with chosen events, and its key is shown once', async () => {
  const bodies: unknown[] = [];
  open('/settings/webhooks', {
    listWebhooks: () => [],
    createWebhook: ({ body }) => {
      bodies.push(body);
      return { ...makeWebhook(), secret };
    },
  });
  fireEvent.click(await (await section()).findByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Enter a name')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: ' SIEM ' } });
  fireEvent.change(dialog.getByLabelText('Address'), { target: { value: 'https://siem.example.com/pult' } });
  fireEvent.click(dialog.getByLabelText('Only the chosen ones'));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Choose at least one event')).toBeTruthy();
  fireEvent.click(dialog.getByRole('combobox', { name: 'Choose events' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Controllers went offline', hidden: true }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(secret)).toBeTruthy();
  expect(bodies).toEqual([
    { name: 'SIEM', url: 'https://siem.example.com/pult', events: ['controllers.offline'] },
  ]);
});

test('one whose address is lost is renamed without it', async () => {
  const bodies: unknown[] = [];
  open('/settings/webhooks', {
    listWebhooks: () => [makeWebhook({ url: null })],
    updateWebhook: ({ body }) => {
      bodies.push(body);
      return makeWebhook({ url: null, name: 'Other' });
    },
  });
  fireEvent.click(await (await section()).findByRole('button', { name: 'Actions for webhook “SIEM”' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit webhook' }));
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Other' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(bodies).toEqual([{ name: 'Other', events: null, enabled: true, newSecret: false }]),
  );
});

test('the test of a webhook says why it failed', async () => {
  open('/settings/webhooks', {
    listWebhooks: () => [makeWebhook()],
    testWebhook: () => makeDelivery({ event: 'test', status: null, reason: 'name_unknown' }),
  });
  fireEvent.click(await (await section()).findByRole('button', { name: 'Actions for webhook “SIEM”' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Test' }));
  expect(await screen.findByText('Test event not delivered')).toBeTruthy();
  expect(screen.getByText(/name not found/)).toBeTruthy();
});

test.each([
  ['en', 'Deliveries', 'Tunnel opened', 'Send again'],
  ['ru', 'Отправки', 'Открыт туннель', 'Отправить ещё раз'],
] as const)('a delivery is opened and sent again (%s)', async (locale, list, label, again) => {
  const asked: unknown[] = [];
  const body = JSON.stringify({ type: 'pult.tunnel.opened', data: { subject: '<b>A1</b>' } });
  open(
    `/webhooks/${webhookId}`,
    {
      listWebhooks: () => [makeWebhook()],
      listWebhookDeliveries: () => ({ count: 1, next: null, previous: null, results: [makeDelivery()] }),
      getWebhookDelivery: () => ({ ...makeDelivery(), body }),
      repeatWebhookDelivery: ({ params }) => {
        asked.push(params);
        return makeDelivery({ state: 'delivered', status: 204, reason: null });
      },
    },
    'owner',
    locale,
  );
  const table = within(await screen.findByRole('table', { name: list }));
  fireEvent.click(table.getByRole('button', { name: new RegExp(label) }));
  const dialog = within(await screen.findByRole('dialog'));
  // What people and devices wrote is text.
  expect(await dialog.findByText(/"subject": "<b>A1<\/b>"/)).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: again }));
  await waitFor(() => expect(asked).toEqual([{ organizationId: organization.id, webhookId, deliveryId }]));
});

test('a delivery whose content is forgotten cannot be sent again', async () => {
  open(`/webhooks/${webhookId}`, {
    listWebhooks: () => [makeWebhook()],
    listWebhookDeliveries: () => ({ count: 1, next: null, previous: null, results: [makeDelivery()] }),
    getWebhookDelivery: () => ({ ...makeDelivery({ isKept: false }), body: null }),
  });
  fireEvent.click(await screen.findByRole('button', { name: /Tunnel opened/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('The content is kept for 7 days and is gone.')).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Send again' })).toBeNull();
});

test('the page of a webhook that is gone says so', async () => {
  open(`/webhooks/${webhookId}`, { listWebhooks: () => [] });
  expect(await screen.findByText('There is no such webhook')).toBeTruthy();
});
