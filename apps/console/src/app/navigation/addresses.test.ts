import { expect, test } from 'vitest';
import { parseSearch, safeRedirect, stringifySearch } from './addresses.ts';

const origin = 'https://pult.example';

test('spec 2: the page asked for before login is gone back to, with its query', () => {
  expect(safeRedirect('/organizations/1/controllers?search=a%20b#x', origin)).toBe(
    '/organizations/1/controllers?search=a%20b#x',
  );
  expect(safeRedirect('/', origin)).toBe('/');
});

// spec: 2.14
test.each([
  undefined,
  '',
  'organizations',
  'https://evil.example/',
  'HTTPS:evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>',
  '@evil.example',
  'https://pult.example@evil.example/',
  'https://pult.example.evil.example/',
  '/\u0000//evil.example',
])('the login does not lead off the site: %j', (value) => {
  expect(safeRedirect(value, origin)).toBeUndefined();
});

test.each([
  '/@evil.example',
  '/%2F%2Fevil.example',
  '/%5Cevil.example',
  '/?redirect=//evil.example',
  '/javascript:alert(1)',
])('a path that only looks like another site stays a path: %j', (value) => {
  const target = safeRedirect(value, origin);
  expect(target && new URL(target, origin).origin).toBe(origin);
});

test('a query is plain strings, as written', () => {
  expect(parseSearch('?serial_number=007&search=%D0%BD%D0%B0%D1%81%D0%BE%D1%81+1&x=true&x=2')).toEqual({
    serial_number: '007',
    search: 'насос 1',
    x: 'true',
  });
});

test('empty and absent values leave the address', () => {
  expect(stringifySearch({ a: '', b: undefined, c: 'x y', d: 0 })).toBe('?c=x+y&d=0');
  expect(stringifySearch({})).toBe('');
});

test('what is written is read again', () => {
  for (const search of [{ q: '{"a":1}' }, { q: '&=?#%' }, { q: '"' }]) {
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  }
});
