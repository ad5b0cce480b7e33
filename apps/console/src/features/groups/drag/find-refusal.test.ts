import { expect, test } from 'vitest';
import { makeGroup } from '../testing/make-group.ts';
import { listRows } from '../tree.ts';
import type { Dragged } from './dragged.ts';
import { findRefusal } from './find-refusal.ts';
import { scrollStep } from './use-drag-scroll.ts';

const chain = (depth: number, prefix: string): ReturnType<typeof makeGroup> =>
  makeGroup(`${prefix}${depth}`, depth === 1 ? {} : { subgroups: [chain(depth - 1, prefix)] });
const groups = [
  makeGroup('north', { subgroups: [makeGroup('boilers', { subgroups: [makeGroup('attic')] })] }),
  makeGroup('south'),
  chain(19, 'deep'),
];
const top = [
  { id: 'all', name: 'All' },
  { id: 'ungrouped', name: 'Ungrouped' },
];
const expanded = new Set([
  'north',
  'boilers',
  ...Array.from({ length: 19 }, (_, index) => `deep${index + 1}`),
]);
const rows = listRows(groups, expanded, top);
const row = (id: string) => {
  const found = rows.find((each) => each.id === id);
  if (!found) throw new Error(`no row ${id}`);
  return found;
};
const dragGroup = (id: string): Dragged => {
  const { group } = row(id);
  if (!group) throw new Error(`no group ${id}`);
  return { kind: 'group', group };
};
const dragControllers = (from: string | null | undefined): Dragged => ({
  kind: 'controllers',
  chosen: { controllers: ['A1'] },
  count: 1,
  roles: { roles: [], isMatching: false },
  from,
});

test.each([
  ['itself', 'north', 'north', 'itself'],
  ['its own subgroup', 'north', 'attic', 'below'],
  ['where it is', 'boilers', 'north', 'already'],
  ['the top level, where it is', 'north', 'all', 'already'],
  ['the row of controllers in no group', 'north', 'ungrouped', 'notForGroups'],
  ['below the last level, with all under it', 'boilers', 'deep1', 'tooDeep'],
  ['another group', 'boilers', 'south', undefined],
  ['the last level, when it is alone', 'south', 'deep1', undefined],
  ['the top level', 'boilers', 'all', undefined],
])('a group on %s', (_, dragged, target, refusal) => {
  expect(findRefusal(dragGroup(dragged), row(target))).toBe(refusal);
});

test.each([
  ['the row of all', null, 'all', 'noGroup'],
  ['the group that they are in', 'south', 'south', 'already'],
  ['no group, where they are', null, 'ungrouped', 'already'],
  ['another group', 'south', 'attic', undefined],
  ['no group', 'south', 'ungrouped', undefined],
  ['a group that some of them may be in', undefined, 'south', undefined],
])('controllers on %s', (_, from, target, refusal) => {
  expect(findRefusal(dragControllers(from), row(target))).toBe(refusal);
});

test('a drag near an edge scrolls, the faster the nearer, and elsewhere not', () => {
  expect(scrollStep(300, 600)).toBe(0);
  expect(scrollStep(30, 600)).toBe(-3);
  expect(scrollStep(1, 600)).toBe(-12);
  expect(scrollStep(599, 600)).toBe(12);
  expect(scrollStep(-5, 600)).toBe(0);
});
