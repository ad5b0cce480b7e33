import { expect, test } from 'vitest';
import { emptySearch, isFiltered, readAlertsSearch, writeAlertsSearch } from './alerts-search.ts';

test('what is shown survives the way through the address', () => {
  const search = { page: 3, pageSize: 50, serialNumber: 'SN-1', state: 'firing' } as const;
  expect(writeAlertsSearch(search)).toEqual({
    state: 'firing',
    serial_number: 'SN-1',
    page: '3',
    page_size: '50',
  });
  expect(readAlertsSearch(writeAlertsSearch(search))).toEqual(search);
  expect(isFiltered(search)).toBe(true);
});

test('the default view has a plain address, and nonsense leads to it', () => {
  expect(writeAlertsSearch(emptySearch)).toEqual({});
  expect(readAlertsSearch({ page: '-1', page_size: 'x', state: 'fired' })).toEqual(emptySearch);
  expect(isFiltered(emptySearch)).toBe(false);
});
