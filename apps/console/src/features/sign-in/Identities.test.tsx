import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const identity = {
  id: 'one',
  organization: { id: organization.id, name: organization.name },
  issuer: 'https://id.example',
  email: 'me@works.example',
  createdAt: '2026-11-01T10:00:00Z',
  checkedAt: '2026-11-20T10:00:00Z',
};
const user = {
  id: organization.id,
  email: 'me@example.com',
  totpEnabled: false,
  hasRecoveryCodes: false,
  hasTotpRequiredOrg: false,
  locale: 'en',
};

const open = (answers: Answers = {}) =>
  renderConsole('/security', {
    answers: { listSessions: () => [], getCurrentUser: () => user, ...answers },
  });
const signedInto = { getCurrentUser: () => ({ ...user, signedInto: organization.id }) };

test('a linked provider is shown with what it is good for, and disconnected after a question', async () => {
  const identities = [identity, { ...identity, id: 'two', organization: null, email: null }];
  const { callsOf } = open({
    listIdentities: () => [...identities],
    deleteIdentity: () => void identities.shift(),
  });
  const section = within(await screen.findByRole('region', { name: 'Sign-in by providers' }));
  expect(section.getByText('Boiler Works alone')).toBeTruthy();
  expect(section.getByText('The whole server')).toBeTruthy();
  fireEvent.click(section.getByRole('button', { name: 'Disconnect the sign-in: me@works.example' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect the provider?' }));
  expect(callsOf('deleteIdentity')).toEqual([]);
  fireEvent.click(dialog.getByRole('button', { name: 'Disconnect' }));
  await screen.findByText('Provider disconnected');
  expect(callsOf('deleteIdentity')).toMatchObject([{ params: { identityId: 'one' } }]);
  await waitFor(() => expect(section.queryByText('me@works.example')).toBeNull());
});

test('an account without linked providers is told nothing of them', async () => {
  const { callsOf } = open();
  await screen.findByRole('region', { name: 'Password' });
  await waitFor(() => expect(callsOf('listIdentities')).toHaveLength(1));
  expect(screen.queryByRole('region', { name: 'Sign-in by providers' })).toBeNull();
});

test('a session of an organization’s provider is shown nothing that it may not change, and how to get there', async () => {
  const { address, calls, callsOf } = open({ ...signedInto, logout: () => undefined });
  await screen.findByText(/^You signed in by the provider of Boiler Works/);
  for (const name of ['Password', 'Second factor', 'SSH keys', 'Where you are logged in']) {
    expect(screen.queryByRole('region', { name })).toBeNull();
  }
  expect(screen.getByRole('region', { name: 'Language and theme' })).toBeTruthy();
  const asked: string[] = calls.map(({ name }) => name);
  for (const name of ['listIdentities', 'listSessions', 'listSshKeys', 'listTokens', 'listPasskeys']) {
    expect(asked).not.toContain(name);
  }
  fireEvent.click(screen.getByRole('button', { name: 'Log out, then log in by password' }));
  await waitFor(() => expect(address()).toBe('/login'));
  expect(callsOf('logout')).toHaveLength(1);
});
