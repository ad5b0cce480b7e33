import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { organization } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const path = `/organizations/${organization.id}`;
const answers = {
  listMembers: () => [],
  listInvites: () => [],
  listGrants: () => [],
  listServiceAccounts: () => [],
  listTunnels: () => ({ count: 0, next: null, previous: null, results: [] }),
};

test.each([
  ['', 'Overview', 'Overview · Boiler Works · Pult'],
  ['?tab=nothing', 'Overview', 'Overview · Boiler Works · Pult'],
  ['/access', 'Access', 'Access · Boiler Works · Pult'],
  ['/connections', 'Connections', 'Connections · Boiler Works · Pult'],
  ['/settings/general', 'Settings', 'Settings · Boiler Works · Pult'],
])('the address %s of an organization is the page %s, titled %s', async (query, heading, title) => {
  renderConsole(path + query, { answers });
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
  await waitFor(() => expect(document.title).toBe(title));
});

test.each([
  ['?tab=members', '/access?kind=people'],
  ['?tab=members#someone', '/access?kind=people&open=someone'],
  ['?tab=access&controller=A1', '/access?controller=A1'],
  ['?tab=access&person=someone', '/access?open=someone'],
  ['?tab=services', '/access?kind=services'],
  ['?tab=tunnels&state=ended', '/connections?state=ended'],
  ['?tab=settings', '/settings/general'],
  ['?tab=settings#sign-in', '/settings/single-sign-on'],
  ['?tab=settings#webhooks', '/settings/webhooks'],
])('the address %s of an organization, as it once was, leads to %s', async (query, moved) => {
  const { address } = renderConsole(path + query, { answers });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(address()).toBe(path + moved));
});

test.each(['Access', 'Connections', 'Settings'])('%s has one place in the navigation', async (name) => {
  renderConsole(path, { answers });
  expect(await screen.findAllByRole('link', { name })).toHaveLength(1);
  expect(screen.queryByRole('tab')).toBeNull();
});
