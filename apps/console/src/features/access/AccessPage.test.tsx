import type { Grant, Member, OrganizationGuestLink, ServiceAccount } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const address = `/organizations/${organization.id}/access`;
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
const owner: Member = {
  userId: 'id-of-owner',
  email: 'owner@example.com',
  role: 'owner',
  totpEnabled: true,
  joinedAt: '2025-11-01T10:00:00Z',
};
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
      listMembers: () => [owner],
      listServiceAccounts: () => [],
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

async function detailsOf(name: string) {
  fireEvent.click((await rowOf(name)).getByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name }));
}

test('rights are shown with place and role, and in the details with their end and who gave them', async () => {
  open();
  const tech = await rowOf('tech@example.com');
  expect(tech.getByText('North / Plant')).toBeTruthy();
  expect(tech.getByText('Member')).toBeTruthy();
  expect(tech.getByText('no end')).toBeTruthy();
  expect((await rowOf('guest@example.com')).getByRole('link', { name: 'A1B2C3D4' })).toBeTruthy();
  const details = await detailsOf('tech@example.com');
  expect(details.getByText('Member, no end')).toBeTruthy();
  expect(details.getByText('1 Nov 2025, a@example.com')).toBeTruthy();
});

test('the question who reaches a controller is asked by its serial number in the address', async () => {
  const { callsOf } = open({}, {}, `${address}?controller=a1b2c3d4`);
  expect(await screen.findByText('Who can reach the controller A1B2C3D4, and by which right.')).toBeTruthy();
  expect(callsOf('listGrants').some(({ query }) => query.controller === 'A1B2C3D4')).toBe(true);
  expect(screen.queryByRole('rowheader', { name: /^guest/ })).toBeNull();
});

test('a right by a provider’s group says so, and is not for ending here', async () => {
  const byGroup = makeGrant('staff@example.com', { grantedBy: null, isByProvider: true });
  open({ listGrants: () => [byGroup] });
  const staff = await detailsOf('staff@example.com');
  expect(staff.getByText(/by a group of the provider$/)).toBeTruthy();
  const end = staff.getByRole('button', { name: 'End the access of staff@example.com, Hall' });
  expect(end.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(end);
  expect(screen.getAllByRole('dialog')).toHaveLength(1);
  fireEvent.mouseEnter(end);
  expect(await screen.findByText(/^A group of the provider gives this right/)).toBeTruthy();
});

test('a serial number that no controller has is said to be unknown, and nobody is listed', async () => {
  const answers: Answers = {
    listGrants: ({ query }) => (query.controller ? refuse(404, 'controller_not_found') : grants),
  };
  open(answers, {}, `${address}?controller=nowhere`);
  expect(await screen.findByRole('heading', { name: 'No controller NOWHERE' })).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.change(screen.getByLabelText('Serial number: who reaches it'), { target: { value: '' } });
  await rowOf('tech@example.com');
});

test('the list of a part says what it leaves out', async () => {
  open({}, { userRole: 'admin', isPartial: true }, `${address}?controller=a1b2c3d4`);
  await rowOf('tech@example.com');
  expect(screen.getByText(/^Who can reach /)).toBeTruthy();
  expect(screen.getByText(/^These are rights in your part of the organization/)).toBeTruthy();
});

test('what a person reaches is shown by the person in the address, the old one too', async () => {
  open({}, {}, `/organizations/${organization.id}?tab=access&person=id-of-guest`);
  const details = within(await screen.findByRole('dialog', { name: 'guest@example.com' }));
  expect(details.getByRole('link', { name: 'A1B2C3D4' })).toBeTruthy();
});

test('a right ends after a question', async () => {
  const { callsOf } = open();
  const tech = await detailsOf('tech@example.com');
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

test('whoever has a part and no admin’s rights is told that the page is for admins, and no call is made', async () => {
  const { callsOf } = open({}, { userRole: 'member', isPartial: true });
  expect(await screen.findByText('For admins')).toBeTruthy();
  expect([...callsOf('listGrants'), ...callsOf('listMembers')]).toEqual([]);
});

test('somebody with a part asks for no members in the settings, and may leave', async () => {
  const at = `/organizations/${organization.id}/settings/general`;
  const { callsOf } = open({}, { userRole: 'admin', isPartial: true }, at);
  expect(await screen.findByRole('button', { name: /Leave/ })).toBeTruthy();
  expect(callsOf('listMembers')).toEqual([]);
});

const account: ServiceAccount = {
  id: '01890a5d-ac96-774b-bcce-b302099a8070',
  name: 'Nightly export',
  createdAt: '2026-11-20T10:00:00Z',
  createdBy: 'owner@example.com',
  ...{ tokens: 0, sshKeys: 0, grants: 0, lastUsedAt: null, isManageable: true },
};
const link: OrganizationGuestLink = {
  id: '01890a5d-ac96-774b-bcce-b302099a8071',
  service: 'ssh',
  name: 'Ivan the fitter',
  isReadOnly: true,
  ...{ uses: 10, used: 1, lastUsedAt: null, createdBy: 'owner@example.com' },
  createdAt: '2025-11-20T10:00:00Z',
  expiresAt: '2025-11-27T10:00:00Z',
  controller: { serialNumber: 'A1B2C3D4', description: 'Boiler room' },
};
const others: Answers = { listServiceAccounts: () => [account], listOrganizationGuestLinks: () => [link] };
const names = () =>
  screen.getAllByRole('rowheader').map((row) => within(row).getByRole('button').textContent);

test('people, service accounts and guest links stand in one table, and the filter lives in the address', async () => {
  const { address: current } = open(others);
  await rowOf('Nightly export');
  expect(names()).toEqual([
    'owner@example.com',
    'tech@example.com',
    'guest@example.com',
    'Nightly export',
    'Ivan the fitter',
  ]);
  fireEvent.click(screen.getByRole('radio', { name: 'Guest links 1' }));
  await waitFor(() => expect(current()).toBe(`${address}?kind=guests`));
  expect(names()).toEqual(['Ivan the fitter']);
  expect((await rowOf('Ivan the fitter')).getByText('Terminal, read-only')).toBeTruthy();
});

test('a guest link is ended from its details', async () => {
  const { callsOf } = open({ ...others, deleteGuestLink: () => undefined });
  const details = await detailsOf('Ivan the fitter');
  expect(details.getByText('1 of 10')).toBeTruthy();
  fireEvent.click(details.getByRole('button', { name: 'End the access of the guest Ivan the fitter' }));
  await screen.findByText('Guest’s access ended');
  expect(callsOf('deleteGuestLink')[0]?.params).toEqual({ serialNumber: 'A1B2C3D4', linkId: link.id });
});

test('who reaches a controller includes its guests and no invites', async () => {
  open({ ...others, listGrants: () => grants }, {}, `${address}?controller=a1b2c3d4`);
  await rowOf('Ivan the fitter');
  expect(names()).not.toContain('Nightly export');
});

test('the owner of an organization invites another owner', async () => {
  const { callsOf } = open({ inviteUser: () => ({ id: groupId }) }, {}, `${address}?new=access`);
  const dialog = within(await screen.findByRole('dialog', { name: 'Give access' }));
  fireEvent.change(dialog.getByLabelText('Email'), { target: { value: 'new@example.com' } });
  fireEvent.change(dialog.getByLabelText('Role'), { target: { value: 'owner' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Give access' }));
  await waitFor(() =>
    expect(callsOf('inviteUser')[0]?.body).toEqual({ email: 'new@example.com', role: 'owner' }),
  );
});
