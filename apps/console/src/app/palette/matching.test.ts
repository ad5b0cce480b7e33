import { expect, test } from 'vitest';
import { isLikely, matches, splitMatches, swapLayout } from './matching.ts';

test('a label matches when it has every word, in any order and case, ё as е', () => {
  expect(matches('Тёмное оформление', 'ОФОРМ темное')).toBe(true);
  expect(matches('Audit log', 'log audit')).toBe(true);
  expect(matches('Audit log', 'log members')).toBe(false);
});

test('a label is likely meant when one of its words begins so, by two letters at least', () => {
  expect(isLikely('Audit log', 'lo')).toBe(true);
  expect(isLikely('Audit log', 'og')).toBe(false);
  expect(isLikely('Audit log', 'a')).toBe(false);
});

test('what was searched for is marked wherever it stands, and nothing is lost', () => {
  expect(splitMatches('Котёл, котельная', 'КОТЕ')).toEqual([
    { text: 'Котё', isMatch: true },
    { text: 'л, ', isMatch: false },
    { text: 'коте', isMatch: true },
    { text: 'льная', isMatch: false },
  ]);
  expect(splitMatches('A<b>', '<')).toEqual([
    { text: 'A', isMatch: false },
    { text: '<', isMatch: true },
    { text: 'b>', isMatch: false },
  ]);
  expect(splitMatches('', 'x')).toEqual([]);
});

test('the same keys in the other layout are read both ways', () => {
  expect(swapLayout('ьфз')).toBe('map');
  expect(swapLayout('Ьфз')).toBe('map');
  expect(swapLayout('rfhnf')).toBe('карта');
  expect(swapLayout(';ehyfk')).toBe('журнал');
  expect(swapLayout('A7-42')).toBe('ф7-42');
  expect(splitMatches('Map', 'ьф')).toEqual([
    { text: 'Ma', isMatch: true },
    { text: 'p', isMatch: false },
  ]);
});
