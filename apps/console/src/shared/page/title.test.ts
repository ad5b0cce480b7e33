import { expect, test } from 'vitest';
import { formatTitle } from './title.ts';

test('spec 1: the title is the given title, a separator and the brand', () => {
  expect(formatTitle('Controllers', 'Pult')).toBe('Controllers · Pult');
});

test('spec 1: without a title it is the brand alone', () => {
  expect(formatTitle(undefined, 'Pult')).toBe('Pult');
  expect(formatTitle('', 'Pult')).toBe('Pult');
});
