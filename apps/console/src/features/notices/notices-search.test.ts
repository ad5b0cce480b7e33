import { expect, test } from 'vitest';
import { emptySearch, isFiltered, readNoticesSearch, writeNoticesSearch } from './notices-search.ts';

test('what is shown survives the way through the address', () => {
  const search = { page: 3, pageSize: 50, serialNumber: 'SN-1', state: 'open' } as const;
  expect(writeNoticesSearch(search)).toEqual({
    state: 'open',
    serial_number: 'SN-1',
    page: '3',
    page_size: '50',
  });
  expect(readNoticesSearch(writeNoticesSearch(search))).toEqual(search);
  expect(isFiltered(search)).toBe(true);
});

test('the default view has a plain address, and nonsense leads to it', () => {
  expect(writeNoticesSearch(emptySearch)).toEqual({});
  expect(readNoticesSearch({ page: '-1', page_size: 'x', state: 'lost' })).toEqual(emptySearch);
  expect(isFiltered(emptySearch)).toBe(false);
});
