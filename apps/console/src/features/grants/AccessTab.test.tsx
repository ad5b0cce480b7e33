import type { Grant } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const address = `/organizations/${organization.id}?tab=access`;
const groupId = '01890a5d-ac96-774b-bcce-b302099a8060';

const makeGrant = (email: string, changes: Partial<Grant> = {}): Grant => ({
  id: `grant-of-${email.split('@')[0]}`,
  subject: { type: 'user', id: `id-of-${email.split('@')[0]}`, name: email },
  scope: { type: 'group', id: groupId, name: 'Hall', path: ['North', 'Plant'] },
  role: 'member',
  until: null,
  grantedBy: 'a@example.com',
  createdAt: '2025-11-01T10:00:00Z',
  isUnbacked: false,
  ...changes,
});

const whole: Grant['scope'] = { type: 'organization', id: organization.id, name: 'Boiler Works', path: [] };
const grants = [
  makeGrant('owner@example.com', { id: null, scope: whole, role: 'owner', grantedBy: null }),
  makeGrant('tech@example.com'),
  makeGrant('guest@example.com', {
    scope: { type: 'controller', id: 'A1B2C3D4', name: 'A1B2C3D4', path: ['North'] },
    role: 'viewer',
    until: '2025-12-01T20:59:59Z',
  }),
];

function open(answers: Answers = {}, changes: object = {}, at = address) {
  const mine = { ...organization, ...changes };
  return renderConsole(at, {
    answers: {
      listOrganizations: () => [mine],
      getOrganization: () => mine,
      listGrants: ({ query }) => (query.controller ? grants.slice(0, 2) : grants),
      listInvites: () => [],
      listGroups: () => [
        {
          id: groupId,
          name: 'Hall',
          parent: null,
          level: 0,
          organization: { id: organization.id },
          controllersCount: 0,
          subgroups: [],
        },
      ],
      createGrant: () => grants[1],
      deleteGrant: () => undefined,
      inviteUser: () => ({ id: groupId }),
      ...answers,
    },
  });
}

const rowOf = async (email: string) => {
  const row = (await screen.findByRole('rowheader', { name: new RegExp(`^${email}`) })).closest('tr');
  if (!row) throw new Error(`no row of ${email}`);
  return within(row);
};

test('rights are shown with place, role, end and who gave them', async () => {
  open();
  const tech = await rowOf('tech@example.com');
  expect(tech.getByText('North / Plant')).toBeTruthy();
  expect(tech.getByText('Member')).toBeTruthy();
  expect(tech.getByText('no end')).toBeTruthy();
  expect(tech.getByText('a@example.com')).toBeTruthy();
  expect((await rowOf('guest@example.com')).getByRole('link', { name: 'A1B2C3D4' })).toBeTruthy();
  expect((await rowOf('owner@example.com')).queryByRole('button')).toBeNull();
});

test('the question who reaches a controller is asked by its serial number in the address', async () => {
  const { callsOf } = open({}, {}, `${address}&controller=a1b2c3d4`);
  expect(await screen.findByText('Who can reach the controller A1B2C3D4, and by which right.')).toBeTruthy();
  expect(callsOf('listGrants').some(({ query }) => query.controller === 'A1B2C3D4')).toBe(true);
  expect(screen.queryByRole('rowheader', { name: /^guest/ })).toBeNull();
});

test('a right by a provider’s group says so, and is not for ending here', async () => {
  const byGroup = makeGrant('staff@example.com', { grantedBy: null, isByProvider: true });
  open({ listGrants: () => [byGroup] });
  const staff = await rowOf('staff@example.com');
  expect(staff.getByText('by a group of the provider')).toBeTruthy();
  const end = staff.getByRole('button', { name: 'End the access of staff@example.com, Hall' });
  expect(end.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(end);
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.mouseEnter(end);
  expect(await screen.findByText(/^A group of the provider gives this right/)).toBeTruthy();
});

test('a serial number that no controller has is said to be unknown, and nobody is listed', async () => {
  const answers: Answers = {
    listGrants: ({ query }) => (query.controller ? refuse(404, 'controller_not_found') : grants),
  };
  open(answers, {}, `${address}&controller=nowhere`);
  expect(await screen.findByRole('heading', { name: 'No controller NOWHERE' })).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.change(screen.getByLabelText('Serial number: who reaches it'), { target: { value: '' } });
  await rowOf('tech@example.com');
});

test('the list of a part says what it leaves out', async () => {
  open({}, { userRole: 'admin', isPartial: true }, `${address}&controller=a1b2c3d4`);
  await rowOf('tech@example.com');
  expect(
    screen.getByText(/^Who can reach .* These are rights in your part of the organization/),
  ).toBeTruthy();
});

test('what a person reaches is shown by the person in the address', async () => {
  open({}, {}, `${address}&person=id-of-guest`);
  await rowOf('guest@example.com');
  expect(screen.getByText(/^What guest@example.com can reach/)).toBeTruthy();
  expect(screen.queryByRole('rowheader', { name: /^tech/ })).toBeNull();
});

test('a right ends after a question', async () => {
  const { callsOf } = open();
  const tech = await rowOf('tech@example.com');
  fireEvent.click(tech.getByRole('button', { name: 'End the access of tech@example.com, Hall' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End the access of tech@example.com?' }));
  expect(callsOf('deleteGrant')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'End' }));
  await waitFor(() => expect(callsOf('deleteGrant')[0]?.params.grantId).toBe('grant-of-tech'));
});

async function give(email: string, { isOpen = false } = {}) {
  if (!isOpen) fireEvent.click(await screen.findByRole('button', { name: 'Give access' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give access' }));
  fireEvent.change(dialog.getByLabelText('Email'), { target: { value: email } });
  fireEvent.change(dialog.getByLabelText('To what'), { target: { value: 'controller' } });
  fireEvent.change(dialog.getByLabelText('Serial number'), { target: { value: 'A1B2C3D4' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Give access' }));
}

test('somebody of the organization is given a right, and somebody else is invited to it', async () => {
  const { callsOf } = open();
  const scope = { type: 'controller', id: 'A1B2C3D4' };
  await give('Tech@example.com');
  await waitFor(() =>
    expect(callsOf('createGrant')[0]?.body).toEqual({
      subject: { type: 'user', id: 'id-of-tech' },
      scope,
      role: 'member',
      until: null,
    }),
  );
  await give('new@example.com');
  await waitFor(() =>
    expect(callsOf('inviteUser')[0]?.body).toEqual({
      email: 'new@example.com',
      role: 'member',
      scope,
      until: null,
    }),
  );
});

test('an invite to the whole organization has no end, which is said before it is sent', async () => {
  const { callsOf } = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Give access' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give access' }));
  fireEvent.change(dialog.getByLabelText('Email'), { target: { value: 'new@example.com' } });
  fireEvent.change(dialog.getByLabelText('To what'), { target: { value: 'organization' } });
  fireEvent.change(dialog.getByLabelText('Until'), { target: { value: '2031-05-01' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Give access' }));
  expect(await dialog.findByText(/^An invite to the whole organization has no end/)).toBeTruthy();
  expect(callsOf('inviteUser')).toEqual([]);
  fireEvent.change(dialog.getByLabelText('Email'), { target: { value: 'tech@example.com' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Give access' }));
  await waitFor(() =>
    expect(callsOf('createGrant')[0]?.body).toMatchObject({
      scope: { type: 'organization', id: organization.id },
    }),
  );
});

test.each([
  ['a day, which counts to its end', '1 May 2031', '2031-05-01T23:59:59'],
  ['a moment', '01.05.2031 14:30', '2031-05-01T14:30'],
])('access until %s ends by the clock of the reader', async (_, typed, end) => {
  const { callsOf } = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Give access' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give access' }));
  fireEvent.change(dialog.getByLabelText('Until'), { target: { value: typed } });
  await give('tech@example.com', { isOpen: true });
  await waitFor(() =>
    expect(callsOf('createGrant')[0]?.body).toMatchObject({ until: new Date(end).toISOString() }),
  );
});

test.each([
  ['27.11.2020', 'That time has already passed'],
  ['next week', 'Enter a date, or leave the field empty'],
])('access until %s is refused at its field', async (typed, words) => {
  const { callsOf } = open();
  fireEvent.click(await screen.findByRole('button', { name: 'Give access' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give access' }));
  fireEvent.change(dialog.getByLabelText('Until'), { target: { value: typed } });
  await give('tech@example.com', { isOpen: true });
  expect(await dialog.findByText(words)).toBeTruthy();
  expect(dialog.getByLabelText('Until').getAttribute('aria-invalid')).toBe('true');
  expect(callsOf('createGrant')).toEqual([]);
});

test('a member is told that rights are for admins, and the call is not made', async () => {
  const { callsOf } = open({}, { userRole: 'member' });
  expect(await screen.findByText('For admins')).toBeTruthy();
  expect(callsOf('listGrants')).toEqual([]);
});

test('somebody with a part asks for no members in the settings, and may leave', async () => {
  const at = `/organizations/${organization.id}?tab=settings`;
  const { callsOf } = open({}, { userRole: 'admin', isPartial: true }, at);
  expect(await screen.findByRole('button', { name: /Leave/ })).toBeTruthy();
  expect(callsOf('listMembers')).toEqual([]);
});
