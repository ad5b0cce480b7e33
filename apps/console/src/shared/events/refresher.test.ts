import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryKeys } from '../api/query-keys.ts';
import { createRefresher } from './refresher.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A shown count whose every reading takes so long. */
async function createFixture(readingTime = 10) {
  const client = new QueryClient();
  const times: number[] = [];
  const begun = Date.now();
  const observer = new QueryObserver(client, {
    queryKey: queryKeys.controllers.count({ organization_id: 'one' }),
    queryFn: async () => {
      times.push(Date.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, readingTime));
      return times.length;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const stop = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(readingTime);
  times.length = 0;
  const refresher = createRefresher(client);
  const close = () => {
    refresher.end();
    stop();
  };
  return { times, refresher, close };
}

test('a change alone is read soon, and only what it made stale', async () => {
  const { times, refresher, close } = await createFixture();
  refresher.request(['total', 'trees']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(times).toEqual([]);
  refresher.request(['counts']);
  await vi.advanceTimersByTimeAsync(200);
  expect(times).toHaveLength(1);
  close();
});

test('a figure is read about once a second under a storm of changes, and once at the end', async () => {
  const { times, refresher, close } = await createFixture();
  for (let number = 0; number < 600; number += 1) {
    refresher.request(['counts']);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(times.length).toBeGreaterThan(40);
  expect(times.length).toBeLessThan(62);
  const last = times.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(times).toHaveLength(last + 1);
  close();
});

test('a server that takes long to answer is asked less often, and never twice at once', async () => {
  const { times, refresher, close } = await createFixture(700);
  for (let number = 0; number < 600; number += 1) {
    refresher.request(['counts']);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(times.length).toBeLessThan(10);
  close();
});

test('all of controllers and groups is read after a gap', async () => {
  const { times, refresher, close } = await createFixture();
  refresher.request(['all', 'counts']);
  await vi.advanceTimersByTimeAsync(200);
  expect(times).toHaveLength(1);
  close();
});

test('a tab that nobody sees reads nothing until somebody does', async () => {
  const { times, refresher, close } = await createFixture();
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  refresher.request(['counts']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(times).toEqual([]);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(200);
  expect(times).toHaveLength(1);
  close();
});

test('what was requested by a page that is left is not read', async () => {
  const { times, refresher, close } = await createFixture();
  refresher.request(['counts']);
  close();
  await vi.advanceTimersByTimeAsync(5000);
  expect(times).toEqual([]);
});
