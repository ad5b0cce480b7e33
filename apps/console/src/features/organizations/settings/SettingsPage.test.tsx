import type { Member, Role } from '@pult/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const own = `/organizations/${organization.id}/settings`;
const address = `${own}/general`;
const makeMember = (email: string, role: Role, totpEnabled = false): Member => ({
  userId: email === 'a@example.com' ? organization.id : `id-of-${email}`,
  email,
  role,
  totpEnabled,
  joinedAt: '2025-11-01T10:00:00Z',
});
const others = [makeMember('owner@example.com', 'owner', true), makeMember('viewer@example.com', 'viewer')];

interface Fixture {
  at?: string;
  role?: Role;
  hasTotp?: boolean;
  members?: Member[];
  controllers?: number;
  answers?: Answers;
}

const totpSwitch = { name: /^Require a second factor/ };

function open({
  at = address,
  role = 'owner',
  hasTotp = true,
  members = others,
  controllers = 0,
  answers = {},
}: Fixture = {}) {
  const all = [makeMember('a@example.com', role, hasTotp), ...members];
  return renderConsole(at, {
    answers: {
      getCurrentUser: () => ({
        id: organization.id,
        email: 'a@example.com',
        totpEnabled: hasTotp,
        hasRecoveryCodes: hasTotp,
        hasTotpRequiredOrg: false,
        locale: 'en',
      }),
      listOrganizations: () => [{ ...organization, userRole: role }],
      getOrganization: () => ({ ...organization, userRole: role }),
      countControllers: () => ({
        count: controllers,
        countOnline: 0,
        countOffline: controllers,
        countNever: 0,
      }),
      listMembers: () => all,
      updateOrganization: ({ body }) => ({ ...organization, userRole: role, ...(body as object) }),
      leaveOrganization: () => undefined,
      deleteOrganization: () => undefined,
      ...answers,
    },
  });
}

const find = (name: string) => screen.findByRole('button', { name });

test('an admin renames the organization', async () => {
  const { callsOf } = open({ role: 'admin' });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: ' New Works ' } });
  fireEvent.click(await find('Save'));
  await screen.findByText('Name changed');
  expect(callsOf('updateOrganization').map(({ body }) => body)).toEqual([{ name: 'New Works' }]);
  await waitFor(() => expect(document.title).toBe('Settings · New Works · Pult'));
});

test('a member sees the settings and changes none', async () => {
  const { callsOf } = open({ role: 'member' });
  expect(await screen.findByText('Admins and owners change the settings.')).toBeTruthy();
  const words = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(words).toEqual([organization.name, 'Not required', 'Allowed']);
  expect(screen.getByRole('button', { name: 'Leave organization' })).toBeTruthy();
  // Nothing that only others may do.
  const main = within(screen.getByRole('main'));
  expect(main.getAllByRole('region').map((region) => region.getAttribute('aria-label'))).toEqual([
    'General',
    'Leave',
  ]);
  expect(main.queryByRole('switch')).toBeNull();
  expect(main.queryByRole('textbox')).toBeNull();
  for (const call of ['listEnrolmentKeys', 'listWebhooks', 'getSignInSettings'] as const) {
    expect(callsOf(call)).toEqual([]);
  }
});

test('the settings say so where all members have a second factor', async () => {
  open({ at: `${own}/security`, members: [makeMember('owner@example.com', 'owner', true)] });
  expect(await screen.findByText('All members have a second factor.')).toBeTruthy();
});

// spec: 6.03
test('spec 6: an organization is made to require a second factor, after naming whom that locks out', async () => {
  const { callsOf } = open({ at: `${own}/security` });
  await screen.findByText('1 member has no second factor:');
  fireEvent.click(screen.getByRole('switch', totpSwitch));
  const dialog = within(await screen.findByRole('dialog', { name: 'Require a second factor?' }));
  expect(dialog.getByText('viewer@example.com')).toBeTruthy();
  expect(callsOf('updateOrganization')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Require it' }));
  await screen.findByText('A second factor is now required');
  expect(callsOf('updateOrganization').map(({ body }) => body)).toEqual([{ totpRequired: true }]);
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch', totpSwitch).checked).toBe(true));
});

test('requiring it needs a second factor of one’s own: the reason leads to the security page', async () => {
  const { address: current } = open({ at: `${own}/security`, hasTotp: false });
  expect((await screen.findByRole<HTMLInputElement>('switch', totpSwitch)).disabled).toBe(true);
  expect(screen.getByText(/Turn the second factor on for yourself first/)).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'Go to Account' }));
  await waitFor(() => expect(current()).toBe('/security'));
});

test('no longer requiring it needs no question', async () => {
  const { callsOf } = open({
    at: `${own}/security`,
    answers: { getOrganization: () => ({ ...organization, totpRequired: true }) },
  });
  fireEvent.click(await screen.findByRole('switch', totpSwitch));
  await screen.findByText('A second factor is no longer required');
  expect(callsOf('updateOrganization').map(({ body }) => body)).toEqual([{ totpRequired: false }]);
});

// spec: 6.02
test('spec 6: one leaves the organization after a question, and is led to the others', async () => {
  const { callsOf, address: current } = open({ role: 'member' });
  fireEvent.click(await find('Leave organization'));
  fireEvent.click(await find('Leave'));
  await screen.findByText('You have left the organization');
  await waitFor(() => expect(current()).toBe('/organizations'));
  expect(callsOf('leaveOrganization')).toHaveLength(1);
});

test('the only owner cannot leave, and reads why', async () => {
  open({ members: [makeMember('viewer@example.com', 'viewer')] });
  expect((await find('Leave organization')).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText(/^You are the only owner.*[^.]\.$/)).toBeTruthy();
});

test('one who has just become the last owner is told by the server, and stays', async () => {
  const { address: current } = open({
    answers: {
      leaveOrganization: () => refuse(409, 'last_owner', 'An organization must keep at least one owner.'),
    },
  });
  fireEvent.click(await find('Leave organization'));
  fireEvent.click(await find('Leave'));
  await screen.findByText('An organization must keep at least one owner');
  expect(current()).toBe(address);
});

test('an empty organization is deleted once its name is typed', async () => {
  const { callsOf, address: current } = open({ at: `${own}/data`, members: [] });
  fireEvent.click(await find('Delete organization'));
  const confirm = await screen.findByRole<HTMLButtonElement>('button', { name: 'Delete' });
  expect(confirm.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText(/^To confirm/), { target: { value: organization.name } });
  fireEvent.click(confirm);
  await screen.findByText('Organization deleted');
  await waitFor(() => expect(current()).toBe('/organizations'));
  expect(callsOf('deleteOrganization')).toHaveLength(1);
});

test.each<[string, Fixture, string]>([
  ['has controllers', { members: [], controllers: 3 }, 'Delete the controllers of the organization first.'],
  ['has other members', {}, 'Remove the other members first.'],
  ['is not one’s own', { role: 'admin', members: [] }, 'Only the owner can do this.'],
])('an organization that %s cannot be deleted, and the page says why', async (_, fixture, reason) => {
  open({ ...fixture, at: `${own}/data` });
  await screen.findByText(reason);
  expect((await find('Delete organization')).getAttribute('aria-disabled')).toBe('true');
});

test('a member who was removed meanwhile is told so once by the next action, and leaves', async () => {
  const gone = () => refuse(404, 'organization_not_found', 'Organization does not exist.');
  const { address: current } = open({ answers: { updateOrganization: gone, listOrganizations: () => [] } });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'New Works' } });
  fireEvent.click(await find('Save'));
  await waitFor(() => expect(current()).toBe('/organizations'));
  expect(await screen.findAllByText('Organization does not exist')).toHaveLength(1);
});

test('a name that is typed and not saved survives a look at another page', async () => {
  const { router } = open({ role: 'admin' });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'New Works' } });
  fireEvent.click(screen.getByRole('link', { name: 'Alerts' }));
  await screen.findByRole('heading', { level: 1, name: 'Alerts' });
  fireEvent.click(screen.getByRole('link', { name: 'Settings' }));
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('New Works');
  // Typed back by hand, it is what is saved, and no draft.
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: organization.name } });
  await router.navigate({ to: '/security' });
  await router.navigate({ to: address });
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe(organization.name);
});

test('guests are turned off for the organization', async () => {
  const { callsOf } = open({ at: `${own}/security` });
  fireEvent.click(await screen.findByRole('switch', { name: /^Allow guest links/ }));
  await waitFor(() => expect(callsOf('updateOrganization')[0]?.body).toEqual({ guestsAllowed: false }));
});

test.each([
  ['', 'general'],
  ['/nothing', 'general'],
])('the address of the settings%s leads to the section %s', async (path, section) => {
  const { address: current } = open({ at: own + path });
  await screen.findByLabelText('Name');
  expect(current()).toBe(`${own}/${section}`);
});

test('the settings show each role the sections that it has, and lead from one to another', async () => {
  const sections = () =>
    within(screen.getByRole('navigation', { name: 'Settings' }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
  open({ role: 'admin' });
  await screen.findByLabelText('Name');
  expect(sections()).toEqual(['General', 'Security', 'Notifications', 'Enrolment keys', 'Webhooks', 'Data']);
  fireEvent.click(screen.getByRole('link', { name: 'Security' }));
  await screen.findByRole('switch', totpSwitch);
  expect(document.title).toContain('Security');
  cleanup();
  open({ role: 'viewer' });
  await screen.findByText('Admins and owners change the settings.');
  expect(sections()).toEqual(['General']);
});

test('a section that the role does not have says so, and asks nothing', async () => {
  const { callsOf } = open({ role: 'member', at: `${own}/webhooks` });
  await screen.findByText('You cannot open these settings');
  expect(callsOf('listWebhooks')).toEqual([]);
});
