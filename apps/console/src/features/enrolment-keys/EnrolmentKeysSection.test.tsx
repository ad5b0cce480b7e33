import type { EnrolmentKey, Role } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { addDays, endOfDate, toDay } from '../../shared/time/dates.ts';
import { type Answers, organization, refuseFields } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const groupId = '01890a5d-ac96-774b-bcce-b302099a8060';
const secret = `pek_${'A'.repeat(32)}`;
const makeKey = (changes: Partial<EnrolmentKey> = {}): EnrolmentKey => ({
  id: '01890a5d-ac96-774b-bcce-b302099a8070',
  name: 'Batch 1',
  prefix: 'pek_AB12CD34',
  group: { id: groupId, name: 'Line 1' },
  uses: 3,
  maxUses: 1000,
  expiresAt: '2030-05-01T20:59:59Z',
  state: 'active',
  createdBy: 'owner@example.com',
  createdAt: '2025-11-01T10:00:00Z',
  lastUsedAt: null,
  ...changes,
});

function open(answers: Answers = {}, role: Role = 'owner') {
  const mine = { ...organization, userRole: role };
  const user = { userId: organization.id, email: 'a@example.com', role, totpEnabled: true };
  return renderConsole(`/organizations/${organization.id}/settings/enrolment-keys`, {
    answers: {
      listOrganizations: () => [mine],
      getOrganization: () => mine,
      listMembers: () => [{ ...user, joinedAt: '2025-11-01T10:00:00Z' }],
      listGroups: () => [
        {
          id: groupId,
          name: 'Line 1',
          parent: null,
          level: 0,
          organization: { id: organization.id },
          controllersCount: 0,
          subgroups: [],
        },
      ],
      ...answers,
    },
  });
}

const section = () => screen.findByRole('region', { name: 'Enrolment keys' });
const openForm = async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Create key' }));
  return within(await screen.findByRole('dialog', { name: 'New enrolment key' }));
};

test('each key says what it is for, how much of it is left, and whose it is', async () => {
  const keys = [
    makeKey(),
    makeKey({ id: 'b', name: 'Old', group: null, uses: 5, maxUses: 5, state: 'used_up', createdBy: null }),
    makeKey({ id: 'c', name: 'Lost', state: 'revoked' }),
    makeKey({ id: 'd', name: 'Late', state: 'expired', lastUsedAt: '2025-11-20T09:40:00Z' }),
  ];
  open({ listEnrolmentKeys: () => keys });
  const rows = await within(await section()).findAllByRole('listitem');
  const texts = rows.map(({ textContent }) => textContent);
  for (const part of [
    'Batch 1',
    'active',
    'pek_AB12CD34…',
    '3 of 1,000 used',
    'group Line 1',
    'not used yet',
  ]) {
    expect(texts[0]).toContain(part);
  }
  expect(texts[0]).toMatch(/until 1 May 2030|until 2 May 2030/);
  expect(texts[0]).toContain('created by owner@example.com');
  expect(texts[1]).toMatch(/used up.*5 of 5 used.*no group/);
  expect(texts[1]).not.toContain('created by');
  expect(texts[2]).toContain('revoked');
  expect(texts[3]).toMatch(/expired.*last used 20 Nov 2025/);
  const buttons = rows.map((row) => within(row).queryByRole('button') !== null);
  expect(buttons).toEqual([true, true, false, true]);
});

test('a new key is shown once, with the command that installs the agent with it', async () => {
  const keys: EnrolmentKey[] = [];
  const { callsOf } = open({
    listEnrolmentKeys: () => [...keys],
    createEnrolmentKey: () => {
      keys.push(makeKey());
      return { ...makeKey(), key: secret };
    },
  });
  const form = await openForm();
  fireEvent.change(form.getByLabelText('Name'), { target: { value: ' Batch 1 ' } });
  fireEvent.click(form.getByRole('combobox', { name: 'Group' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Line 1', hidden: true }));
  fireEvent.change(form.getByLabelText('How many controllers'), { target: { value: '40' } });
  const day = toDay(addDays(new Date(), 10));
  fireEvent.change(form.getByLabelText('Good until the end of'), { target: { value: day } });
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
  const made = within(await screen.findByRole('dialog', { name: 'Key created' }));
  expect(made.getByText(secret)).toBeTruthy();
  const command = `curl -fsSL ${window.location.origin}/agent/install.sh | sudo sh -s -- --enrolment-key ${secret}`;
  expect(
    made.getByText((_, element) => element?.tagName === 'CODE' && element.textContent === command),
  ).toBeTruthy();
  const expiresAt = endOfDate(day)?.toISOString();
  expect(callsOf('createEnrolmentKey').map(({ body }) => body)).toEqual([
    { name: 'Batch 1', group: groupId, maxUses: 40, expiresAt },
  ]);
  fireEvent.click(made.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(secret)).toBeNull());
  expect(within(await section()).getByText('Batch 1')).toBeTruthy();
});

test('the command names an address that devices find, and the warning says what to do for it', async () => {
  const { port } = window.location;
  const lan = `http://192.168.1.5${port && `:${port}`}`;
  open({
    listLanAddresses: () => ({ addresses: ['192.168.1.5'] }),
    createEnrolmentKey: () => ({ ...makeKey(), key: secret }),
  });
  const form = await openForm();
  fireEvent.change(form.getByLabelText('Name'), { target: { value: 'Batch 1' } });
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
  const made = within(await screen.findByRole('dialog', { name: 'Key created' }));
  await made.findByText(/^Other devices do not find the server at localhost/);
  const command = `curl -fsSL ${lan}/agent/install.sh | sudo sh -s -- --enrolment-key ${secret}`;
  made.getByText((_, element) => element?.tagName === 'CODE' && element.textContent === command);
});

test('what is wrong in the form is said there, and nothing is sent', async () => {
  const { callsOf } = open();
  const form = await openForm();
  const end = form.getByLabelText('Good until the end of');
  fireEvent.change(form.getByLabelText('How many controllers'), { target: { value: '100001' } });
  fireEvent.change(end, { target: { value: toDay(addDays(new Date(), -1)) } });
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
  for (const text of ['Enter a name', 'From 1 to 100,000', 'Choose a day from today and within five years']) {
    expect(await form.findByText(text)).toBeTruthy();
  }
  expect(callsOf('createEnrolmentKey')).toEqual([]);
});

test('what the server refuses is told in a toast and at its field', async () => {
  open({ createEnrolmentKey: () => refuseFields({ group: ['The organization has no such group.'] }) });
  const form = await openForm();
  fireEvent.change(form.getByLabelText('Name'), { target: { value: 'Batch' } });
  fireEvent.click(form.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('The organization has no such group.')).toBeTruthy();
  const field = form.getByRole('combobox', { name: 'Group' });
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
});

test('a key is revoked after a question', async () => {
  const { callsOf } = open({ listEnrolmentKeys: () => [makeKey()], revokeEnrolmentKey: () => undefined });
  fireEvent.click(await screen.findByRole('button', { name: 'Revoke the key “Batch 1”' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Revoke the key “Batch 1”?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Key revoked')).toBeTruthy();
  expect(callsOf('revokeEnrolmentKey').map(({ params }) => params)).toEqual([
    { organizationId: organization.id, keyId: makeKey().id },
  ]);
});
