import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { organization } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const path = `/organizations/${organization.id}`;
const answers = { listMembers: () => [], listInvites: () => [] };

test.each([
  ['', 'Overview', 'Overview · Boiler Works · Pult'],
  ['?tab=nothing', 'Overview', 'Overview · Boiler Works · Pult'],
  ['?tab=members', 'Members', 'Members · Boiler Works · Pult'],
  ['?tab=tunnels', 'Tunnels', 'Tunnels · Boiler Works · Pult'],
  ['?tab=settings', 'Settings', 'Settings · Boiler Works · Pult'],
])('the address %s of an organization is the page %s, titled %s', async (query, heading, title) => {
  renderConsole(path + query, { answers });
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
  await waitFor(() => expect(document.title).toBe(title));
});

test.each(['Members', 'Tunnels', 'Settings'])('%s has one place in the navigation', async (name) => {
  renderConsole(path, { answers });
  expect(await screen.findAllByRole('link', { name })).toHaveLength(1);
  expect(screen.queryByRole('tab')).toBeNull();
});
