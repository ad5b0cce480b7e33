import { expect, test } from 'vitest';
import { flag, ids, integer, oneOf, order, paging, someOf, text } from './search-parts.ts';

const [first, second] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-00000000000F'];

test.each([
  ['5', 5],
  [5, 5],
  ['007', 7],
  ['0', 1],
  ['-5', 1],
  ['5x', 1],
  ['x5', 1],
  ['1.5', 1],
  ['', 1],
  [undefined, 1],
  [['5'], 1],
  ['999', 100],
  ['9999999999999999', 1],
])('a number that the address gives as %j is %i', (raw, number) => {
  expect(integer(1, 100).read({ n: raw }, 'n')).toBe(number);
});

test('a number as it is at first is not written into the address', () => {
  expect(integer(1, 100).write(1, 'n')).toEqual({});
  expect(integer(1, 100).write(2, 'n')).toEqual({ n: '2' });
});

test('a text is taken as it is, up to the length that the server takes', () => {
  const { read, write, isTyped } = text();
  expect(read({ q: 'a b' }, 'q')).toBe('a b');
  expect(read({ q: 42 }, 'q')).toBe('42');
  expect(read({ q: { a: 1 } }, 'q')).toBe('');
  expect(read({ q: 'x'.repeat(100_000) }, 'q').length).toBeLessThan(1000);
  expect([write('', 'q'), write('a', 'q'), isTyped]).toEqual([{}, { q: 'a' }, true]);
});

test('one of some values is the initial one where the address says anything else', () => {
  const part = oneOf(['day', 'week'], 'day');
  expect(['week', 'day', 'year', undefined].map((raw) => part.read({ p: raw }, 'p'))).toEqual([
    'week',
    'day',
    'day',
    'day',
  ]);
  expect([part.write('week', 'p'), part.write('day', 'p')]).toEqual([{ p: 'week' }, {}]);
  expect(oneOf(['day', 'week']).read({}, 'p')).toBeUndefined();
  expect(oneOf(['day', 'week']).write(undefined, 'p')).toEqual({});
});

test('several values come in their own order, and none of them is written as nothing', () => {
  const part = someOf(['online', 'offline', 'never']);
  expect(part.read({ s: 'never,online,gone' }, 's')).toEqual(['online', 'never']);
  expect(part.read({}, 's')).toEqual(part.initial);
  expect([part.write(['online', 'never'], 's'), part.write([], 's')]).toEqual([{ s: 'online,never' }, {}]);
});

test('ids are taken once each, in their order, and nothing else is', () => {
  const part = ids(2);
  expect(part.read({ g: `${second},x,${first},${second}` }, 'g')).toEqual([second, first]);
  expect(part.read({ g: `${first}0,0${first}` }, 'g')).toEqual(part.initial);
  expect(ids(1).read({ g: `${first},${second}` }, 'g')).toEqual([first]);
  expect([part.write([first, second], 'g'), part.write([], 'g')]).toEqual([{ g: `${first},${second}` }, {}]);
});

test('a flag is on where the address has its word alone', () => {
  expect(['true', true, 'false', 'x', undefined].map((raw) => flag().read({ f: raw }, 'f'))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([flag().write(true, 'f'), flag().write(false, 'f')]).toEqual([{ f: 'true' }, {}]);
});

test('an order is a key, descending with a minus before it, and the usual one where the key is unknown', () => {
  const usual = { key: 'name', descending: false } as const;
  const part = order(['name', 'added'], usual);
  expect(part.read({ o: '-added' }, 'o')).toEqual({ key: 'added', descending: true });
  expect(part.read({ o: 'added' }, 'o')).toEqual({ key: 'added', descending: false });
  for (const o of ['size', '--added', 'xadded', undefined]) expect(part.read({ o }, 'o')).toEqual(usual);
  expect([part.write(usual, 'o'), part.write({ key: 'name', descending: true }, 'o')]).toEqual([
    {},
    { o: '-name' },
  ]);
  expect(part.isView).toBe(true);
});

test('the place in a list and the length of its pages leave nothing out', () => {
  const { page, pageSize } = paging();
  expect([page.isView, page.isPosition, page.initial]).toEqual([true, true, 1]);
  expect([pageSize.isView, 'isPosition' in pageSize, pageSize.initial]).toEqual([true, false, 0]);
});
