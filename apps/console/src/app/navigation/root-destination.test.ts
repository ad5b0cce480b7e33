import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { findRootDestination } from './root-destination.ts';

function stubApi(organizations: string[], controllers: string[]) {
  const urls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(url);
    const results = controllers.map((serialNumber) => ({ serialNumber }));
    const body = url.startsWith('/api/v1/organizations/')
      ? organizations.map((id) => ({ id }))
      : { count: results.length, results };
    return Response.json(body);
  });
  return { urls, find: () => findRootDestination(new QueryClient()) };
}

test('spec 2: one organization with one controller leads to it', async () => {
  expect(await stubApi(['one'], ['A1']).find()).toBe('/organizations/one/controllers/A1');
});

test('spec 2: one organization with no or several controllers leads to its list', async () => {
  expect(await stubApi(['one'], []).find()).toBe('/organizations/one/controllers');
  expect(await stubApi(['one'], ['A1', 'A2']).find()).toBe('/organizations/one/controllers');
});

test('spec 2: no or several organizations lead to their list', async () => {
  for (const organizations of [[], ['one', 'two']]) {
    const { urls, find } = stubApi(organizations, ['A1']);
    expect(await find()).toBe('/organizations');
    expect(urls).toHaveLength(1);
  }
});

test('spec 9: the root probes 2 controllers', async () => {
  const { urls, find } = stubApi(['one'], []);
  await find();
  expect(urls[1]).toBe('/api/v1/controllers/?organization_id=one&page=1&page_size=2');
});
