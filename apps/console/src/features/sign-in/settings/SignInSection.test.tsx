import type { GroupGrantsPreview, Role, ShownGroupGrant, SignInSettings } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse, refuseFields } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const groupId = '01890a5d-ac96-774b-bcce-b302099a8060';
const none: SignInSettings = {
  provider: null,
  redirectUri: 'https://pult.example/api/v1/auth/callback/',
  signInUrl: `https://pult.example/login/organization/${organization.id}`,
  installationProvider: null,
  isRequired: false,
  breakGlassOwner: null,
};
const provider = {
  name: 'Works ID',
  issuer: 'https://id.example',
  clientId: 'pult',
  scopes: 'profile email',
  groupsClaim: 'groups',
  secondFactorAcr: ['mfa'],
};
const own: SignInSettings = { ...none, provider };
const hall: ShownGroupGrant = {
  group: 'techs',
  scope: { type: 'group', id: groupId, name: 'Hall', path: ['North'] },
  role: 'member',
};
const makeMember = (userId: string, email: string, role: Role) => ({
  userId,
  email,
  role,
  totpEnabled: true,
  joinedAt: '2025-11-01T10:00:00Z',
});
const makeGroup = (id: string, name: string, subgroups: object[] = []) => ({
  id,
  name,
  parent: null,
  level: 0,
  organization: { id: organization.id },
  controllersCount: 0,
  subgroups,
});

function open(settings: SignInSettings, answers: Answers = {}, role: Role = 'owner') {
  const mine = { ...organization, userRole: role };
  return renderConsole(`/organizations/${organization.id}/settings/single-sign-on`, {
    answers: {
      listOrganizations: () => [mine],
      getOrganization: () => mine,
      listMembers: () => [
        makeMember('other', 'other@example.com', 'owner'),
        makeMember(organization.id, 'a@example.com', role),
        makeMember('m', 'm@example.com', 'member'),
      ],
      listGroups: () => [makeGroup('north', 'North', [makeGroup(groupId, 'Hall')])],
      getSignInSettings: () => settings,
      ...answers,
    },
  });
}

const section = async () => within(await screen.findByRole('region', { name: 'Sign-in by a provider' }));
const press = async (name: string) => fireEvent.click((await section()).getByRole('button', { name }));
const dialogOf = async (name: string) => within(await screen.findByRole('dialog', { name }));
const type = (form: ReturnType<typeof within>, label: string, value: string) =>
  fireEvent.change(form.getByLabelText(label), { target: { value } });

test('an organization is given a provider, which is told where to lead back', async () => {
  const { callsOf } = open(none, { setIdentityProvider: () => own });
  await (await section()).findByText(/^People log in by password/);
  expect(screen.queryByText('Groups and rights')).toBeNull();
  await press('Connect a provider');
  const form = await dialogOf('Identity provider');
  expect(
    form.getByText((_, found) => found?.tagName === 'CODE' && found.textContent === none.redirectUri),
  ).toBeTruthy();
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findAllByText('Fill this in')).toHaveLength(3);
  type(form, 'Name', ' Works ID ');
  type(form, 'Issuer', 'https://id.example');
  type(form, 'Client ID', 'pult');
  type(form, 'Client secret', 'secret');
  type(form, 'Values of acr with a second factor', 'mfa, , urn:2fa ');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Provider set');
  expect(callsOf('setIdentityProvider').map(({ body }) => body)).toEqual([
    { ...provider, clientSecret: 'secret', secondFactorAcr: ['mfa', 'urn:2fa'] },
  ]);
  expect((await section()).getByText('https://id.example')).toBeTruthy();
  expect((await section()).getByText(/login\/organization/)).toBeTruthy();
});

test('a provider is changed without its secret, and a refused address is marked', async () => {
  const { callsOf } = open(own, {
    setIdentityProvider: () =>
      refuseFields({ issuer: ['No OpenID Connect provider answers at this address.'] }),
  });
  await (await section()).findByText('Works ID');
  await press('Change');
  const form = await dialogOf('Identity provider');
  fireEvent.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('No OpenID Connect provider answers at this address.');
  expect(callsOf('setIdentityProvider').map(({ body }) => body)).toEqual([provider]);
  await waitFor(() => expect(form.getByLabelText('Issuer').getAttribute('aria-invalid')).toBe('true'));
});

test('a provider is deleted after a question, but not while it is required', async () => {
  let settings: SignInSettings = { ...own, isRequired: true, breakGlassOwner: { id: 'other', email: 'o' } };
  const { callsOf, queryClient } = open(settings, {
    getSignInSettings: () => settings,
    deleteIdentityProvider: () => {
      settings = none;
    },
  });
  await (await section()).findByText('Works ID');
  const button = (await section()).getByRole('button', { name: 'Delete provider' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  settings = own;
  await queryClient.refetchQueries();
  await press('Delete provider');
  const dialog = await dialogOf('Delete the provider “Works ID”?');
  expect(callsOf('deleteIdentityProvider')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Delete provider' }));
  await screen.findByText('Provider deleted');
  await (await section()).findByText(/^People log in by password/);
});

const requirement = { name: /^Require sign-in by the provider/ };

test('a sign-in is required with one owner who keeps their login: oneself, or another', async () => {
  const required = { ...own, isRequired: true, breakGlassOwner: { id: 'other', email: 'other@example.com' } };
  const { callsOf } = open(own, {
    requireSignIn: ({ body }) => ((body as { isRequired: boolean }).isRequired ? required : own),
  });
  fireEvent.click(await (await section()).findByRole('switch', requirement));
  const dialog = await dialogOf('Require sign-in by the provider?');
  const owner = dialog.getByLabelText<HTMLSelectElement>('Who keeps a login by password');
  expect(owner.value).toBe(organization.id);
  expect([...owner.options].map(({ text }) => text)).toEqual(['other@example.com', 'a@example.com']);
  fireEvent.change(owner, { target: { value: 'other' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Require it' }));
  await screen.findByText('Sign-in by the provider is now required');
  await (await section()).findByText('Emergency login: other@example.com');
  fireEvent.click((await section()).getByRole('switch', requirement));
  await screen.findByText('Sign-in by the provider is no longer required');
  expect(callsOf('requireSignIn').map(({ body }) => body)).toEqual([
    { isRequired: true, breakGlassOwner: 'other' },
    { isRequired: false },
  ]);
});

test('an owner who cannot keep the emergency login is marked, and why is told', async () => {
  open(own, { requireSignIn: () => refuseFields({ breakGlassOwner: ['This owner has no password yet'] }) });
  fireEvent.click(await (await section()).findByRole('switch', requirement));
  const dialog = await dialogOf('Require sign-in by the provider?');
  fireEvent.click(dialog.getByRole('button', { name: 'Require it' }));
  await screen.findByText('This owner has no password yet');
  const owner = dialog.getByLabelText('Who keeps a login by password');
  await waitFor(() => expect(owner.getAttribute('aria-invalid')).toBe('true'));
  fireEvent.change(owner, { target: { value: 'other' } });
  expect(owner.getAttribute('aria-invalid')).not.toBe('true');
});

test('a rule of a group is saved after a look at who would get what', async () => {
  const preview: GroupGrantsPreview = {
    people: [
      {
        email: 'kept@example.com',
        groups: ['techs'],
        grants: [{ scope: hall.scope, role: 'member', change: 'kept' }],
      },
      {
        email: 'new@example.com',
        groups: ['lookers'],
        grants: [{ scope: hall.scope, role: 'viewer', change: 'added' }],
      },
      {
        email: 'left-out@example.com',
        groups: ['lookers'],
        grants: [{ scope: hall.scope, role: 'viewer', change: 'left_out' }],
      },
    ],
    unknownGroups: ['lokers'],
  };
  const { callsOf } = open(own, {
    getGroupGrants: () => ({ rules: [hall] }),
    previewGroupGrants: () => preview,
    setGroupGrants: () => ({ rules: [hall] }),
  });
  const table = within(await screen.findByRole('table', { name: 'Groups and rights' }));
  expect(table.getByText('North')).toBeTruthy();
  await press('Add rule');
  const form = await dialogOf('New rule');
  type(form, 'Group at the provider', ' lookers ');
  fireEvent.click(form.getByRole('combobox', { name: 'Group' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Hall', hidden: true }));
  fireEvent.click(form.getByRole('button', { name: 'Add' }));
  await table.findByRole('rowheader', { name: 'lookers' });
  expect(screen.getByText('These changes do not count yet.')).toBeTruthy();
  await press('Preview and save');
  const shown = await dialogOf('Who would get what');
  expect(shown.getByText(/Check their spelling: lokers/)).toBeTruthy();
  expect(shown.getByText('It changes something for 1 person:')).toBeTruthy();
  const people = shown.getAllByRole('listitem').map(({ textContent }) => textContent);
  // Each with the item of its right.
  expect(people[0]).toMatch(/^left-out@example\.com.*does not get.*Viewer.*Hall/);
  expect(people[2]).toMatch(/^new@example\.com.*gets.*Viewer.*Hall/);
  const rules = [
    { group: 'techs', scope: { type: 'group', id: groupId }, role: 'member' },
    { group: 'lookers', scope: { type: 'group', id: groupId }, role: 'viewer' },
  ];
  expect(callsOf('previewGroupGrants').map(({ body }) => body)).toEqual([{ rules }]);
  expect(callsOf('setGroupGrants')).toEqual([]);
  fireEvent.click(shown.getByRole('button', { name: 'Save' }));
  await screen.findByText('Rights of groups saved');
  expect(callsOf('setGroupGrants').map(({ body }) => body)).toEqual([{ rules }]);
  await waitFor(() => expect(screen.queryByText('These changes do not count yet.')).toBeNull());
});

test('a rule that is removed by mistake is back when the changes are discarded', async () => {
  const { callsOf } = open(own, { getGroupGrants: () => ({ rules: [hall] }) });
  await screen.findByRole('table', { name: 'Groups and rights' });
  await press('Remove the rule of the group techs');
  expect(screen.getByText('Groups give nothing yet.')).toBeTruthy();
  await press('Discard changes');
  expect(screen.getByRole('rowheader', { name: 'techs' })).toBeTruthy();
  expect(callsOf('setGroupGrants')).toEqual([]);
});

test('a change of the rules asks for a code where the server wants one', async () => {
  const answers: unknown[] = [refuse(403, 'totp_required'), { rules: [] }];
  const { callsOf } = open(own, {
    getGroupGrants: () => ({ rules: [hall] }),
    previewGroupGrants: () => ({ people: [], unknownGroups: [] }),
    setGroupGrants: () => answers.shift(),
    verifyTotp: () => ({}),
  });
  await screen.findByRole('table', { name: 'Groups and rights' });
  await press('Remove the rule of the group techs');
  await press('Preview and save');
  const shown = await dialogOf('Who would get what');
  expect(shown.getByText('Nobody who has signed in gets anything.')).toBeTruthy();
  fireEvent.click(shown.getByRole('button', { name: 'Save' }));
  await screen.findByText('Enter a code to change the sign-in by a provider.');
  fireEvent.change(screen.getByLabelText('Authenticator code'), { target: { value: '123456' } });
  await screen.findByText('Rights of groups saved');
  expect(callsOf('verifyTotp')[0]?.body).toEqual({ scope: 'manage_sign_in', code: '123456' });
});

test('an admin is told who sets it up, and the server is not asked', async () => {
  const { callsOf } = open(own, {}, 'admin');
  await (await section()).findByText('Owners set up the sign-in by a provider.');
  expect(callsOf('getSignInSettings')).toEqual([]);
});

test('an organization without a provider of its own tells of that of the installation', async () => {
  open({ ...none, installationProvider: { name: 'Server ID' } });
  await (await section()).findByText(/people sign in by Server ID/);
  expect((await section()).getByRole('switch', requirement)).toBeTruthy();
});
