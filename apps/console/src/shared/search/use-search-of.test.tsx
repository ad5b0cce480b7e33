import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { parseSearch, stringifySearch } from '../../app/navigation/addresses.ts';
import { renderPart } from '../testing/render-part.tsx';
import { defineSearch } from './define-search.ts';
import { paging, text } from './search-parts.ts';
import { useSearchOf } from './use-search-of.ts';

const definition = defineSearch({ search: text(), ...paging() });

let shownList: ReturnType<typeof useSearchOf<typeof definition.initial>> | undefined;

function List({ isPart = false }: { isPart?: boolean }) {
  shownList = useSearchOf(definition, { isPart });
  const { search, page } = shownList.search;
  return <output>{`${search || 'all'}, page ${page}`}</output>;
}
const Part = () => <List isPart />;

async function open(address: string, component = List as () => ReactNode) {
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/list/', component }),
      createRoute({ getParentRoute: () => root, path: '/next', loader: () => new Promise(() => {}) }),
    ]),
    parseSearch,
    stringifySearch,
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  renderPart(<RouterProvider router={router} />);
  await screen.findByRole('status');
  const navigate = vi.spyOn(router, 'navigate');
  return {
    shown: () => screen.getByRole('status').textContent,
    address: () => router.history.location.href,
    entries: () => router.history.length,
    change: (changes: Partial<typeof definition.initial>) => act(async () => shownList?.change(changes)),
    leave: () => act(async () => void router.navigate({ to: '/next' })),
    scrolls: () => navigate.mock.lastCall?.[0].resetScroll,
  };
}

test('a list shows what its address says', async () => {
  const { shown } = await open('/list?search=boiler&page=3');
  expect(shown()).toBe('boiler, page 3');
});

test('typing into a search changes the address, leads to the first page and leaves no history', async () => {
  const { change, shown, address, entries, scrolls } = await open('/list?page=3&tab=old');
  await change({ search: 'boiler' });
  expect([shown(), address(), entries()]).toEqual(['boiler, page 1', '/list?search=boiler', 1]);
  expect(scrolls()).toBe(false);
});

test('another page of a list is a step of the history and begins at its top', async () => {
  const { change, address, entries, scrolls } = await open('/list?search=boiler');
  await change({ page: 2 });
  expect([address(), entries()]).toEqual(['/list?search=boiler&page=2', 2]);
  expect(scrolls()).toBe(true);
});

test('a list that is a part of its page leaves the rest of the address, and where the page is scrolled to', async () => {
  const { change, address, scrolls } = await open('/list?tab=members&search=boiler', Part);
  await change({ page: 2 });
  expect(address()).toBe('/list?tab=members&search=boiler&page=2');
  expect(scrolls()).toBe(false);
});

test('what was typed before a link led away is not written into the address of the next page', async () => {
  const { leave, change, shown, address } = await open('/list?search=boiler');
  await leave();
  expect(shown()).toMatch(/page 1$/);
  await change({ search: 'pump' });
  expect(address()).toBe('/next');
});
