import type { Controller } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { makeController, organization } from '../../features/testing/fake-api.ts';
import { renderConsole } from '../../features/testing/render-console.tsx';
import { setPaletteOpened } from './palette-state.ts';

afterEach(() => setPaletteOpened(false));

const times = <T,>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const idOf = (kind: string, index: number) => `01890a5d-ac96-774b-${kind}-b3020999${1000 + index}`;
const serialOf = (index: number) => `A1B2C3${10 + index}`;

const controllers: Controller[] = times(11, (index) =>
  makeController({ id: idOf('8001', index), serialNumber: serialOf(index), description: `Pump ${index}` }),
);
const groups = times(6, (index) => ({
  id: idOf('8002', index),
  name: `Pump house ${index}`,
  path: ['Harbour', 'Pier'],
  organization: { id: organization.id, name: organization.name },
}));
const others = times(7, (index) => ({
  ...organization,
  id: idOf('8003', index),
  name: `Pump works ${index}`,
}));

/** Opens the palette and types what more is found for than it shows. */
async function search() {
  const app = renderConsole(`/organizations/${organization.id}/controllers`, {
    answers: {
      listOrganizations: () => [organization, ...others],
      search: () => ({ controllers, groups }),
    },
  });
  await screen.findAllByRole('navigation');
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  fireEvent.change(await screen.findByRole('combobox', { name: 'Search and commands' }), {
    target: { value: 'pump' },
  });
  const found = await screen.findByRole('group', { name: 'Controllers' });
  const optionsOf = (name: string) => within(screen.getByRole('group', { name })).getAllByRole('option');
  return { ...app, found, optionsOf };
}

test('ten controllers, five groups and six organizations are shown of all that is found', async () => {
  const { optionsOf } = await search();
  expect(optionsOf('Controllers').map((option) => option.dataset.item)).toEqual([
    ...times(10, (index) => `controller-${serialOf(index)}`),
    'list',
  ]);
  expect(optionsOf('Groups').map((option) => option.querySelector('mark')?.textContent)).toEqual(
    times(5, () => 'Pump'),
  );
  expect(optionsOf('Organizations')).toHaveLength(6);
});

test('what the palette has no room for is one step away, in the list of the organization', async () => {
  const { address, found } = await search();
  fireEvent.click(within(found).getByRole('option', { name: 'Show all matches in the list' }));
  await waitFor(() => expect(address()).toBe(`/organizations/${organization.id}/controllers?search=pump`));
});

test('a group is shown with its organization and the groups above it', async () => {
  const { optionsOf } = await search();
  expect(optionsOf('Groups')[0]?.textContent).toBe('Pump house 0 Boiler Works › Harbour › Pier');
});

test('the option under the pointer is the one that the keys act on', async () => {
  const { address, found } = await search();
  const [, second] = within(found).getAllByRole('option');
  fireEvent.mouseMove(second ?? found, { clientX: 5, clientY: 5 });
  await waitFor(() => expect(second?.getAttribute('aria-selected')).toBe('true'));
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'Enter' });
  await waitFor(() => expect(address()).toBe(`/organizations/${organization.id}/controllers/${serialOf(1)}`));
});

test('the arrows go down and up through what is found, round and round', async () => {
  const { found, optionsOf } = await search();
  const field = screen.getByRole('combobox');
  const chosen = () => document.querySelector<HTMLElement>('[aria-selected=true]')?.dataset.item;
  const press = (key: string) => fireEvent.keyDown(field, { key });
  expect(chosen()).toBe(`controller-${serialOf(0)}`);
  press('ArrowDown');
  press('ArrowDown');
  await waitFor(() => expect(chosen()).toBe(`controller-${serialOf(2)}`));
  press('ArrowUp');
  await waitFor(() => expect(chosen()).toBe(`controller-${serialOf(1)}`));
  press('ArrowUp');
  press('ArrowUp');
  await waitFor(() => expect(chosen()).toBe(optionsOf('Organizations').at(-1)?.dataset.item));
  expect(within(found).queryAllByRole('option', { selected: true })).toEqual([]);
});

test('the arrows do nothing where nothing is found', async () => {
  await search();
  const failures: unknown[] = [];
  const note = (event: ErrorEvent) => failures.push(event.error);
  window.addEventListener('error', note);
  const field = screen.getByRole('combobox');
  fireEvent.keyDown(field, { key: 'ArrowRight' });
  fireEvent.change(field, { target: { value: 'qqq' } });
  await screen.findByText('Nothing found for “qqq”');
  for (const key of ['ArrowDown', 'ArrowUp']) fireEvent.keyDown(field, { key });
  window.removeEventListener('error', note);
  expect(failures).toEqual([]);
  expect(screen.queryAllByRole('option')).toEqual([]);
});
