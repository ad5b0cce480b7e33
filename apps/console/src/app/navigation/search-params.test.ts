import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';

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
