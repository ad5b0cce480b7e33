import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createFakeApi, makeController, organization } from '../testing/fake-api.ts';
import { useMapFeatures } from './use-map-features.ts';

afterEach(cleanup);

const located = makeController({ latitude: 55.75, longitude: 37.61 });
const cluster = {
  type: 'cluster',
  latitude: 55,
  longitude: 37,
  count: 1001,
  countOnline: 1001,
  countOffline: 0,
  countNever: 0,
  bounds: [30, 50, 40, 60],
};

function renderFeatures(count: number, view?: Parameters<typeof useMapFeatures>[1]) {
  const counted = { now: count };
  const fake = createFakeApi({
    listControllers: () => ({ count: counted.now, next: null, previous: null, results: [located] }),
    countControllers: () => ({
      count: counted.now,
      countOnline: counted.now,
      countOffline: 0,
      countNever: 0,
    }),
    mapControllers: () => ({ count, features: [cluster] }),
  });
  vi.stubGlobal('fetch', fake.fetch);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const filters = { organization_id: organization.id, status: 'online' };
  const { result } = renderHook(() => useMapFeatures(filters, view), { wrapper });
  return { fake, result, client, counted };
}

// spec: 9.01
test('a map begins with the query of the spec, and shows up to 1,000 controllers by itself', async () => {
  const { fake, result } = renderFeatures(1000);
  await waitFor(() => expect(result.current.features).toHaveLength(1));
  expect(result.current).toMatchObject({ count: 1000, features: [{ serialNumber: located.serialNumber }] });
  expect(fake.callsOf('listControllers').map(({ query }) => query)).toEqual([
    {
      organization_id: organization.id,
      status: 'online',
      latitude_min: '-90',
      latitude_max: '90',
      longitude_min: '-180',
      longitude_max: '180',
      page: '1',
      page_size: '1000',
    },
  ]);
  expect(fake.callsOf('mapControllers')).toHaveLength(0);
});

test('the server is asked for clusters of the view where there are more, with the same filters and across 180°', async () => {
  const { fake, result } = renderFeatures(1001, { bounds: [170, 40, -170, 60], zoom: 4.7 });
  await waitFor(() => expect(result.current.features).toEqual([cluster]));
  expect(fake.callsOf('listControllers')).toHaveLength(1);
  expect(fake.callsOf('mapControllers').map(({ query }) => query)).toEqual([
    {
      organization_id: organization.id,
      status: 'online',
      latitude_min: '37',
      latitude_max: '63',
      longitude_min: '167',
      longitude_max: '-167',
      zoom: '4',
    },
  ]);
  expect(await result.current.findBounds()).toEqual([30, 50, 40, 60]);
});

test('a large fleet that shrinks is counted anew, and shown by itself from 1,000 on', async () => {
  const { fake, result, client, counted } = renderFeatures(1001);
  await waitFor(() => expect(result.current.features).toEqual([cluster]));
  counted.now = 1000;
  await client.invalidateQueries();
  await waitFor(() =>
    expect(result.current).toMatchObject({ count: 1000, features: [{ serialNumber: located.serialNumber }] }),
  );
  expect(fake.callsOf('countControllers').at(0)?.query).toEqual({
    organization_id: organization.id,
    status: 'online',
    located: 'true',
  });
});
