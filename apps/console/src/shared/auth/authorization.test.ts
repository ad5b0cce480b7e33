import { beforeEach, expect, test, vi } from 'vitest';
import { isAuthorized, setAuthorized } from './authorization.ts';

beforeEach(() => localStorage.clear());

// spec: 3.10
test('spec 3: a browser in which nobody has logged in yet is not authorized', () => {
  expect(isAuthorized()).toBe(false);
});

test.each(['', 'false', 'yes'])('a stored flag of “%s” is no authorization', (value) => {
  localStorage.setItem('isAuthorized', value);
  expect(isAuthorized()).toBe(false);
});

// spec: 3.10
test('spec 3: the flag is kept until it is set anew', () => {
  setAuthorized(true);
  expect([isAuthorized(), localStorage.getItem('isAuthorized')]).toEqual([true, 'true']);
  setAuthorized(false);
  expect([isAuthorized(), localStorage.getItem('isAuthorized')]).toEqual([false, 'false']);
});

test('a logout that a full store cannot take holds all the same, and no login page leads back', () => {
  setAuthorized(true);
  const store = localStorage;
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => store.getItem(name),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  });
  setAuthorized(false);
  expect(isAuthorized()).toBe(false);
  vi.unstubAllGlobals();
  setAuthorized(true);
  expect(isAuthorized()).toBe(true);
});
