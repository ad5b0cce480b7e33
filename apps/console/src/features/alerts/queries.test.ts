import { expect, test } from 'vitest';
import { alertsList } from './queries.ts';

const group = '01890a5d-ac96-774b-bcce-b302099a8001';
const { initial, isFiltered, read, write } = alertsList;

test('what is shown survives the way through the address', () => {
  const search = {
    page: 3,
    pageSize: 50,
    serialNumber: 'SN-1',
    state: 'firing',
    kind: 'offline',
    groupIds: [group],
  } as const;
  expect(write(search)).toEqual({
    state: 'firing',
    kind: 'offline',
    group_ids: group,
    serial_number: 'SN-1',
    page: '3',
    page_size: '50',
  });
  expect(read(write(search))).toEqual(search);
  expect(isFiltered(search)).toBe(true);
});

test('the default view has a plain address, and nonsense leads to it', () => {
  expect(write(initial)).toEqual({});
  expect(read({ page: '-1', page_size: 'x', state: 'fired' })).toEqual(initial);
  expect(isFiltered(initial)).toBe(false);
});
