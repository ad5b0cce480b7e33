import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { organization } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const path = `/organizations/${organization.id}`;
const answers = { listMembers: () => [], listInvites: () => [] };

test('the tab lives in the address, and unknown ones are the overview', async () => {
  const { address } = renderConsole(path, { answers });
  expect((await screen.findByRole('tab', { name: 'Overview' })).getAttribute('aria-selected')).toBe('true');
  fireEvent.click(screen.getByRole('tab', { name: 'Members' }));
  await waitFor(() => expect(address()).toBe(`${path}?tab=members`));
  fireEvent.click(screen.getByRole('tab', { name: 'Overview' }));
  await waitFor(() => expect(address()).toBe(path));
});

test.each([
  ['?tab=settings', 'Settings'],
  ['?tab=nothing', 'Overview'],
])('the address %s opens the tab %s', async (query, name) => {
  renderConsole(path + query, { answers });
  expect((await screen.findByRole('tab', { name })).getAttribute('aria-selected')).toBe('true');
});

test('the overview counts controllers, and each count opens the list of those', async () => {
  renderConsole(path, {
    answers: { countControllers: () => ({ count: 12, countOnline: 7, countOffline: 4 }) },
  });
  const online = await screen.findByRole('link', { name: 'Online 7' });
  expect(online.getAttribute('href')).toBe(`${path}/controllers?status=online`);
  expect(screen.getByRole('link', { name: 'Offline 4' }).getAttribute('href')).toBe(
    `${path}/controllers?status=offline`,
  );
});
