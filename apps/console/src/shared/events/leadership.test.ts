import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lead } from './leadership.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

const stored = () => localStorage.getItem('lease:x') ?? '';

test('a tab leads while another one does not take over', () => {
  const onChange = vi.fn();
  const leadership = lead('x', onChange);
  expect(onChange).toHaveBeenLastCalledWith(true);
  localStorage.setItem('lease:x', `other ${Date.now() + 90_000}`);
  vi.advanceTimersByTime(5000);
  expect(onChange).toHaveBeenLastCalledWith(false);
  leadership.end();
  expect(stored()).toMatch(/^other /);
});

test('a tab that went away without a word is replaced, one that says so at once', () => {
  localStorage.setItem('lease:x', `other ${Date.now() + 90_000}`);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const onChange = vi.fn();
  const leadership = lead('x', onChange);
  expect(onChange).not.toHaveBeenCalled();
  vi.advanceTimersByTime(95_000);
  expect(onChange).toHaveBeenLastCalledWith(true);
  leadership.end();
  expect(stored()).toBe('');
});

test('the tab looked at takes over', () => {
  localStorage.setItem('lease:x', `other ${Date.now() + 90_000}`);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const onChange = vi.fn();
  const leadership = lead('x', onChange);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(onChange).toHaveBeenLastCalledWith(true);
  leadership.end();
});
