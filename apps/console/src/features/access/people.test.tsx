import type { Invite, Member, Role } from '@pult/contract';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const address = `/organizations/${organization.id}/access`;

function makeMember(email: string, role: Role, changes: Partial<Member> = {}): Member {
  const userId = email === 'a@example.com' ? organization.id : `id-of-${email.split('@')[0]}`;
  return { userId, email, role, totpEnabled: false, joinedAt: '2025-11-01T10:00:00Z', ...changes };
}

const pending: Invite = {
  id: '01890a5d-ac96-774b-bcce-b302099a8aaa',
  email: 'new@example.com',
  role: 'viewer',
  invitedBy: 'a@example.com',
  createdAt: '2025-11-19T10:00:00Z',
  expiresAt: '2025-11-26T10:00:00Z',
};

/** The page of one who has `role`, among others. */
function open(role: Role, { answers = {}, locale }: { answers?: Answers; locale?: 'ru' | 'en' } = {}) {
  const members = [
    makeMember('a@example.com', role),
    makeMember('owner@example.com', 'owner', { totpEnabled: true }),
    makeMember('admin@example.com', 'admin'),
    makeMember('viewer@example.com', 'viewer'),
  ];
  return renderConsole(address, {
    ...(locale ? { locale } : {}),
    answers: {
      listOrganizations: () => [{ ...organization, userRole: role }],
      getOrganization: () => ({ ...organization, userRole: role }),
      listMembers: () => members,
      listInvites: () => [],
      listGrants: () => [],
      listServiceAccounts: () => [],
      updateMember: ({ params, body }) => ({
        ...members.find(({ userId }) => userId === params.userId),
        ...(body as object),
      }),
      removeMember: () => undefined,
      inviteUser: () => ({ id: pending.id }),
      revokeInvite: () => undefined,
      ...answers,
    },
  });
}

const rowOf = async (email: string) => {
  const row = (await screen.findByRole('rowheader', { name: new RegExp(`^${email}`) })).closest('tr');
  if (!row) throw new Error(`no row of ${email}`);
  return within(row);
};
/** The details of somebody, or of an invite. */
async function detailsOf(name: string) {
  fireEvent.click((await rowOf(name)).getByRole('button', { name }));
  return within(await screen.findByRole('dialog', { name }));
}
const roleButton = async (email: string) =>
  (await detailsOf(email)).getByRole('button', { name: /^Role of / });

async function expectDisabled(button: HTMLElement, reason: string) {
  expect(button.getAttribute('aria-disabled')).toBe('true');
  act(() => button.focus());
  await screen.findByText(reason);
}

test('members are shown with role, second factor and since when', async () => {
  open('admin');
  const row = await rowOf('owner@example.com');
  expect(row.getByText('Owner')).toBeTruthy();
  expect(row.getByText('on')).toBeTruthy();
  expect(row.getByText('The whole organization')).toBeTruthy();
  expect((await rowOf('a@example.com')).getByText('you')).toBeTruthy();
  expect(screen.getByRole('radio', { name: 'People 4' })).toBeTruthy();
  expect((await detailsOf('owner@example.com')).getByText('1 Nov 2025')).toBeTruthy();
});

test('members do not see who has a second factor', async () => {
  open('member');
  const row = await rowOf('owner@example.com');
  expect(row.getByText('Owner')).toBeTruthy();
  expect(screen.queryByText('on')).toBeNull();
  expect(screen.queryByText('off')).toBeNull();
  expect(screen.queryByRole('columnheader', { name: 'Second factor' })).toBeNull();
});

// spec: 6.01
test('spec 6: an owner changes the role of a member', async () => {
  const { callsOf } = open('owner');
  fireEvent.click(await roleButton('viewer@example.com'));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Admin/ }));
  await screen.findByText('Role changed');
  expect(callsOf('updateMember').map(({ params, body }) => [params.userId, body])).toEqual([
    ['id-of-viewer', { role: 'admin' }],
  ]);
});

test('an admin grants only roles below their own, and sees why', async () => {
  const { callsOf } = open('admin');
  fireEvent.click(await roleButton('viewer@example.com'));
  const admin = await screen.findByRole('menuitem', { name: /^Admin.*Only an owner grants this role/ });
  expect(admin.hasAttribute('disabled') || admin.hasAttribute('data-disabled')).toBe(true);
  fireEvent.click(admin);
  expect(callsOf('updateMember')).toEqual([]);
});

test('an admin changes and removes neither admins nor owners', async () => {
  open('admin');
  await expectDisabled(await roleButton('owner@example.com'), 'Only an owner changes admins and owners');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  const remove = (await detailsOf('admin@example.com')).getByRole('button', { name: /^Remove/ });
  expect(remove.getAttribute('aria-disabled')).toBe('true');
});

test('a viewer changes nothing and is told which role could; pending invites are not asked for', async () => {
  const { callsOf } = open('viewer');
  await expectDisabled(await roleButton('viewer@example.com'), 'Only admins and owners can do this');
  expect(screen.queryByRole('button', { name: 'Give access' })).toBeNull();
  for (const call of [
    'listInvites',
    'listGrants',
    'listServiceAccounts',
    'listOrganizationGuestLinks',
  ] as const) {
    expect(callsOf(call)).toEqual([]);
  }
});

test('the last owner can be neither demoted nor removed', async () => {
  open('owner', { answers: { listMembers: () => [makeMember('a@example.com', 'owner')] } });
  await expectDisabled(await roleButton('a@example.com'), 'An organization must keep at least one owner');
});

test('an owner gives the role up only after a question', async () => {
  const { callsOf } = open('owner');
  fireEvent.click(await roleButton('a@example.com'));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Member/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give up the owner’s role?' }));
  expect(callsOf('updateMember')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Give it up' }));
  await waitFor(() => expect(callsOf('updateMember')[0]?.body).toEqual({ role: 'member' }));
});

test('a refusal for the last owner, who was not the last when the list was read, is told', async () => {
  open('owner', {
    answers: {
      updateMember: () => refuse(409, 'last_owner', 'An organization must keep at least one owner.'),
    },
  });
  fireEvent.click(await roleButton('owner@example.com'));
  fireEvent.click(await screen.findByRole('menuitem', { name: /^Member/ }));
  expect((await screen.findByRole('alert')).textContent).toContain(
    'An organization must keep at least one owner',
  );
});

// spec: 6.02
test('spec 6: a member is removed after a question', async () => {
  const { callsOf } = open('owner');
  const details = await detailsOf('viewer@example.com');
  fireEvent.click(details.getByRole('button', { name: 'Remove viewer@example.com' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove viewer@example.com?' }));
  expect(callsOf('removeMember')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  await screen.findByText('Member removed');
  expect(callsOf('removeMember')[0]?.params.userId).toBe('id-of-viewer');
});

async function invite(email: string) {
  fireEvent.click(await screen.findByRole('button', { name: 'Give access' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Give access' }));
  fireEvent.change(dialog.getByLabelText('Email'), { target: { value: email } });
  return dialog;
}

// spec: 1.05
test('spec 1: somebody is invited by email with a role', async () => {
  const { callsOf } = open('admin');
  const dialog = await invite(' new@example.com ');
  const offered = within(dialog.getByLabelText('Role')).getAllByRole('option');
  expect(offered.map(({ textContent }) => textContent)).toEqual(['Viewer', 'Member']);
  fireEvent.change(dialog.getByLabelText('Role'), { target: { value: 'viewer' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Give access' }));
  await screen.findByText('Invite sent');
  expect(callsOf('inviteUser')[0]?.body).toEqual({ email: 'new@example.com', role: 'viewer' });
});

test('the link is shown once to be handed over where no mail can be sent', async () => {
  const inviteUrl = 'https://pult.example/invite?token=abc';
  open('admin', { answers: { inviteUser: () => ({ id: pending.id, inviteUrl }) } });
  const dialog = await invite('new@example.com');
  fireEvent.click(dialog.getByRole('button', { name: 'Give access' }));
  const shown = within(await screen.findByRole('dialog', { name: 'Invite link' }));
  expect(shown.getByText(inviteUrl)).toBeTruthy();
  expect(shown.getByRole('button', { name: 'Copy' })).toBeTruthy();
  fireEvent.click(shown.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(inviteUrl)).toBeNull());
});

test('a refused email is told at its field', async () => {
  open('admin');
  const dialog = await invite('');
  fireEvent.click(dialog.getByRole('button', { name: 'Give access' }));
  await dialog.findByText('Enter an email');
});

test('a pending invite is sent again and revoked', async () => {
  let waiting = [pending];
  const { callsOf } = open('admin', {
    answers: {
      listInvites: () => waiting,
      revokeInvite: () => {
        waiting = [];
      },
    },
  });
  const details = await detailsOf('new@example.com');
  expect(details.getByText('a@example.com')).toBeTruthy();
  fireEvent.click(details.getByRole('button', { name: 'Invite new@example.com again' }));
  await screen.findByText('Invite sent');
  expect(callsOf('inviteUser')[0]?.body).toEqual({ email: 'new@example.com', role: 'viewer' });
  fireEvent.click(details.getByRole('button', { name: 'Revoke the invite of new@example.com' }));
  const question = within(
    await screen.findByRole('dialog', { name: 'Revoke the invite of new@example.com?' }),
  );
  fireEvent.click(question.getByRole('button', { name: 'Revoke' }));
  await screen.findByText('Invite revoked');
  expect(callsOf('revokeInvite')[0]?.params.inviteId).toBe(pending.id);
  await waitFor(() => expect(screen.queryByRole('rowheader', { name: /^new@/ })).toBeNull());
});

test('an invite to a part is sent again to that part', async () => {
  const scope = { type: 'group' as const, id: 'g', name: 'Hall', path: ['North'] };
  const { callsOf } = open('admin', { answers: { listInvites: () => [{ ...pending, scope }] } });
  const details = await detailsOf('new@example.com');
  fireEvent.click(details.getByRole('button', { name: 'Invite new@example.com again' }));
  await waitFor(() =>
    expect(callsOf('inviteUser')[0]?.body).toEqual({
      email: 'new@example.com',
      role: 'viewer',
      scope: { type: 'group', id: 'g' },
    }),
  );
});

test('an admin leaves an owner’s invite of an admin alone', async () => {
  open('admin', { answers: { listInvites: () => [{ ...pending, role: 'admin' }] } });
  const details = await detailsOf('new@example.com');
  const button = details.getByRole('button', { name: 'Invite new@example.com again' });
  await expectDisabled(button, 'Only an owner changes admins and owners');
});

test('members that could not be loaded are offered again', async () => {
  let isFailing = true;
  open('admin', {
    answers: {
      listMembers: () =>
        isFailing ? refuse(400, 'invalid_request') : [makeMember('b@example.com', 'owner')],
    },
  });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isFailing = false;
  fireEvent.click(retry);
  await rowOf('b@example.com');
});

test('members and their roles are shown in Russian', async () => {
  open('owner', { locale: 'ru' });
  expect(await screen.findByRole('radio', { name: 'Люди 4' })).toBeTruthy();
  const details = await detailsOf('viewer@example.com');
  expect(
    details.getByRole('button', { name: 'Роль viewer@example.com: наблюдатель. Изменить' }),
  ).toBeTruthy();
});
