import { expect, test } from 'vitest';
import { safeRedirect } from './safe-redirect.ts';

const origin = 'https://pult.example';

test('spec 2: the page asked for before login is gone back to, with its query', () => {
  expect(safeRedirect('/organizations/1/controllers?search=a%20b#x', origin)).toBe(
    '/organizations/1/controllers?search=a%20b#x',
  );
  expect(safeRedirect('/', origin)).toBe('/');
});

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
