import { MantineProvider } from '@mantine/core';
import { onlineManager, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setReachable } from '../../shared/api/connection.ts';
import { createQueryClient } from '../../shared/api/query-client.ts';
import { startI18n } from '../../shared/i18n/i18n.ts';
import { resources } from '../messages.ts';
import { ConnectionBanner } from './ConnectionBanner.tsx';

let isServerThere = true;
let asked = 0;

beforeEach(() => {
  localStorage.setItem('locale', 'en');
  startI18n(resources);
  isServerThere = true;
  asked = 0;
  setReachable(true);
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    if (!isServerThere) throw new TypeError('Failed to fetch');
    return Response.json({});
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  setReachable(true);
  // The files that follow would ask nothing while their browser is offline.
  onlineManager.setOnline(true);
});

function show(isStreaming: boolean) {
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <MantineProvider>
        <ConnectionBanner isStreaming={isStreaming} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const find = () => screen.queryByText(/^No connection to the server/);

test('a page without a stream of events tells of a lost server within 2 s, and so that it is back', async () => {
  show(false);
  await pass(4000);
  expect(find()).toBeNull();
  isServerThere = false;
  await pass(2000);
  expect(find()).not.toBeNull();
  isServerThere = true;
  await pass(2000);
  expect(find()).toBeNull();
});

test('a page with a stream asks nothing while the server is there, and asks until it is back', async () => {
  show(true);
  await pass(10_000);
  expect(asked).toBe(0);
  act(() => setReachable(false));
  expect(find()).not.toBeNull();
  await pass(2000);
  expect(asked).toBe(1);
  expect(find()).toBeNull();
});

test('a page with a stream asks at once when the browser says that it is offline', async () => {
  show(true);
  isServerThere = false;
  await act(async () => window.dispatchEvent(new Event('offline')));
  expect(find()).not.toBeNull();
});

test('a page that nobody looks at asks nothing', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  show(false);
  await pass(10_000);
  expect(asked).toBe(0);
});

test('a page without a stream asks every 1.5 s for a minute after its last use, then every 30 s', async () => {
  show(false);
  await pass(60_000);
  expect(asked).toBe(40);
  await pass(60_000);
  expect(asked).toBe(42);
  isServerThere = false;
  await pass(30_000);
  expect(find()).not.toBeNull();
  expect(asked).toBe(43);
  isServerThere = true;
  await act(async () => window.dispatchEvent(new Event('pointermove')));
  await pass(1500);
  expect(asked).toBe(44);
  expect(find()).toBeNull();
  await pass(58_500);
  expect(asked).toBe(83);
});

test('a page with a stream that lost the server asks every 1.5 s for as long as it takes', async () => {
  isServerThere = false;
  show(true);
  act(() => setReachable(false));
  await pass(300_000);
  expect(asked).toBe(200);
});
