import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../app/navigation/addresses.ts';
import { renderPart } from '../../shared/testing/render-part.tsx';
import { useMapSearch } from './use-map-search.ts';

const resting = { latitude: 55.75, longitude: 37.62, zoom: 8 };

let shownMap: ReturnType<typeof useMapSearch> | undefined;

function Fleet() {
  shownMap = useMapSearch();
  return <output>map</output>;
}

/** A map and a list, whose data is on its way until `arrive`. */
async function open(address: string) {
  let arrive = () => {};
  const data = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ getParentRoute: () => root, path: '/map', component: Fleet }),
      createRoute({
        getParentRoute: () => root,
        path: '/list',
        loader: () => data,
        component: () => <output>list</output>,
      }),
    ]),
    parseSearch,
    stringifySearch,
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  renderPart(<RouterProvider router={router} />);
  await screen.findByText('map');
  return {
    router,
    arrive,
    address: () => router.history.location.href,
    rest: () => act(async () => shownMap?.moveTo(resting)),
  };
}

test('the place that a map shows goes into its address, beside the filters', async () => {
  const { rest, address } = await open('/map?search=boiler');
  await rest();
  expect(address()).toBe('/map?search=boiler&center=55.7500%2C37.6200&zoom=8.00');
});

test('a map that comes to rest while the next page loads leaves the address of that page alone', async () => {
  const { router, rest, address, arrive } = await open('/map?search=boiler');
  let left: Promise<void> | undefined;
  await act(async () => {
    left = router.navigate({ to: '/list', search: { search: 'boiler' } });
  });
  screen.getByText('map');
  await rest();
  expect(address()).toBe('/list?search=boiler');
  await act(async () => {
    arrive();
    await left;
  });
  await screen.findByText('list');
  expect(address()).toBe('/list?search=boiler');
});
