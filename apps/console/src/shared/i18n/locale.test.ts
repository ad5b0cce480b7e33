import { afterEach, expect, test } from 'vitest';
import { detectLocale, readRequestLocale, storeLocale } from './locale.ts';

afterEach(() => localStorage.clear());

// spec: 3.11
test('spec 3: the stored language comes first', () => {
  storeLocale('ru');
  expect(detectLocale(['en-US'])).toBe('ru');
});

// spec: 3.11
test('spec 3: without one the browser decides, else en', () => {
  expect(detectLocale(['ru-RU', 'en'])).toBe('ru');
  expect(detectLocale(['de-DE', 'ru'])).toBe('en');
  expect(detectLocale([])).toBe('en');
});

// spec: 9.06
test('spec 7: requests go in the stored language, else ru', () => {
  expect(readRequestLocale()).toBe('ru');
  storeLocale('en');
  expect(readRequestLocale()).toBe('en');
});

// spec: 7.03
test('spec 7: the stored language goes as a cookie with what has no header of the console’s', () => {
  for (const locale of ['en', 'ru'] as const) {
    storeLocale(locale);
    expect(document.cookie.split('; ')).toContain(`pult_locale=${readRequestLocale()}`);
    expect(document.cookie.match(/pult_locale=/g)).toHaveLength(1);
  }
});

test('a stored language that does not exist counts as none', () => {
  localStorage.setItem('locale', 'xx');
  expect(readRequestLocale()).toBe('ru');
  expect(detectLocale(['de'])).toBe('en');
});
