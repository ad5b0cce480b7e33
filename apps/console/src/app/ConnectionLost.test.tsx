import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setReachable } from '../shared/api/connection.ts';
import { renderPart } from '../shared/testing/render-part.tsx';
import { ConnectionLost } from './ConnectionLost.tsx';

let asked = 0;
let isServerThere = false;

beforeEach(() => {
  asked = 0;
  isServerThere = false;
  setReachable(false);
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
});

test('a page without its server asks every 5 s and goes on by itself', async () => {
  const wait = 'Trying again in 5 s';
  const onBack = vi.fn();
  renderPart(<ConnectionLost onBack={onBack} />);
  expect(screen.getByText(wait)).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(asked).toBe(1);
  expect(onBack).not.toHaveBeenCalled();
  expect(screen.getByText(wait)).toBeTruthy();
  isServerThere = true;
  await act(() => vi.advanceTimersByTimeAsync(5000));
  expect(onBack).toHaveBeenCalled();
});
