import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { makeController, organization, refuse } from '../../features/testing/fake-api.ts';
import { renderConsole } from '../../features/testing/render-console.tsx';
import { setPaletteOpened } from './palette-state.ts';

afterEach(() => setPaletteOpened(false));

test('a controller whose page comes while the palette is open stands among those opened last', async () => {
  const boiler = makeController();
  const { router } = renderConsole('/security', { answers: { getController: () => boiler } });
  await screen.findAllByRole('navigation');
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await screen.findByRole('combobox', { name: 'Search and commands' });
  expect(screen.queryByText('Recent controllers')).toBeNull();
  await router.navigate({ to: `/organizations/${organization.id}/controllers/${boiler.serialNumber}` });
  expect(await screen.findByText('Recent controllers')).toBeTruthy();
});

// spec: 8.02
test('spec 8: a controller opened last whose organization has closed is left out, and nobody is sent away', async () => {
  const answer: { now: unknown } = { now: makeController() };
  const { router, queryClient, callsOf, address } = renderConsole(
    `/organizations/${organization.id}/controllers/A1B2C3D4`,
    { answers: { getController: () => answer.now } },
  );
  await screen.findByRole('heading', { level: 1, name: /A1B2C3D4/ });
  await router.navigate({ to: '/organizations' });
  answer.now = refuse(403, 'totp_setup_required');
  const before = callsOf('getController').length;
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  await screen.findByRole('combobox', { name: 'Search and commands' });
  await waitFor(() => expect(callsOf('getController').length).toBeGreaterThan(before));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.queryByText('Recent controllers')).toBeNull();
  expect(address()).toBe('/organizations');
});
