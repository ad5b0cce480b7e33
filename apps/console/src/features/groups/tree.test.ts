import type { Group } from '@pult/contract';
import { describe, expect, it, test } from 'vitest';
import { readKey } from './move-focus.ts';
import { makeGroup } from './testing/make-group.ts';
import { countUnder, listRows, pathTo, withoutGroup } from './tree.ts';

const tree: Group[] = [
  makeGroup('north', {
    subgroups: [makeGroup('boilers', { subgroups: [makeGroup('attic')] }), makeGroup('pumps')],
  }),
  makeGroup('south'),
];
const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

describe('the rows of a tree', () => {
  it('the rows of a tree are the groups whose parents are all open, below the other choices', () => {
    const top = [{ id: 'all', name: 'All', count: 9 }];
    expect(names(listRows(tree, new Set(), top))).toEqual(['All', 'north', 'south']);
    expect(names(listRows(tree, new Set(['north'])))).toEqual(['north', 'boilers', 'pumps', 'south']);
    expect(names(listRows(tree, new Set(['boilers'])))).toEqual(['north', 'south']);
  });

  it('say where they stand: level, place among siblings, open or not', () => {
    const [north, boilers, attic] = listRows(tree, new Set(['north', 'boilers']), []);
    expect(north).toMatchObject({ level: 1, position: 1, siblings: 2, isExpanded: true });
    expect(boilers).toMatchObject({ level: 2, position: 1, siblings: 2, isExpanded: true });
    expect(attic).toMatchObject({ level: 3, position: 1, siblings: 1, isExpanded: undefined });
  });
});

test('a group has a path from its root, and one that is not there has none', () => {
  expect(names(pathTo(tree, 'attic'))).toEqual(['north', 'boilers', 'attic']);
  expect(pathTo(tree, 'gone')).toEqual([]);
});

test('the subgroups of a group are under it at any depth', () => {
  expect(tree.map(countUnder)).toEqual([3, 0]);
});

test('a group that is moved can go anywhere but under itself', () => {
  expect(names(listRows(withoutGroup(tree, 'boilers'), new Set(['north', 'boilers'])))).toEqual([
    'north',
    'pumps',
    'south',
  ]);
});

describe('a key', () => {
  const rows = listRows(tree, new Set(['north']));
  it.each([
    ['ArrowDown', 0, { kind: 'focus', index: 1 }],
    ['ArrowDown', 3, { kind: 'focus', index: 3 }],
    ['ArrowUp', 0, { kind: 'focus', index: 0 }],
    ['Home', 2, { kind: 'focus', index: 0 }],
    ['End', 0, { kind: 'focus', index: 3 }],
    ['ArrowRight', 0, { kind: 'focus', index: 1 }],
    ['ArrowRight', 1, { kind: 'toggle', id: 'boilers', isExpanded: true }],
    ['ArrowRight', 3, undefined],
    ['ArrowLeft', 0, { kind: 'toggle', id: 'north', isExpanded: false }],
    ['ArrowLeft', 2, { kind: 'focus', index: 0 }],
    ['ArrowLeft', 3, undefined],
    ['Enter', 2, { kind: 'choose', id: 'pumps' }],
    ['x', 0, undefined],
  ])('%s at row %i', (key, index, effect) => {
    expect(readKey(key, rows, index)).toEqual(effect);
  });
});
