import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { makeController, organization } from '../../features/testing/fake-api.ts';
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
