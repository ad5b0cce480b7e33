import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useTyped } from './use-typed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  ['a fleeting field is told', true, [['boiler']]],
  ['a field of a page that is left is not', false, []],
] as const)('what was typed last in %s when it goes before the pause', (_, isFleeting, told) => {
  const onChange = vi.fn();
  const { result, unmount } = renderHook(() => useTyped('', onChange, { isFleeting }));
  act(() => result.current.type('boiler'));
  expect(result.current.typed).toBe('boiler');
  expect(onChange).not.toHaveBeenCalled();
  unmount();
  vi.advanceTimersByTime(250);
  expect(onChange.mock.calls).toEqual(told);
});
