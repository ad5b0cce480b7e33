import { expect, test } from 'vitest';
import { labelGroups, toGroupChoices } from './label-groups.ts';
import { makeGroup } from './testing/make-group.ts';

test('a group is called by its name, and by as much of its path as tells it from those of the same name', () => {
  const labels = labelGroups([
    makeGroup('north', {
      subgroups: [
        makeGroup('tver', { subgroups: [makeGroup('1', { name: 'Boilers' })] }),
        makeGroup('klin', {
          subgroups: [
            makeGroup('2', { name: 'Boilers' }),
            makeGroup('3', { name: 'Yard', subgroups: [makeGroup('4', { name: 'Pumps' })] }),
          ],
        }),
      ],
    }),
    makeGroup('south', {
      subgroups: [
        makeGroup('5', { name: 'Yard', subgroups: [makeGroup('6', { name: 'Pumps' })] }),
        makeGroup('7', { name: 'pumps' }),
      ],
    }),
    makeGroup('8', { name: 'Boilers' }),
  ]);
  expect(Object.fromEntries([...labels].map(([id, { label }]) => [id, label.join('/')]))).toEqual({
    north: 'north',
    tver: 'tver',
    1: 'tver/Boilers',
    klin: 'klin',
    2: 'klin/Boilers',
    3: 'klin/Yard',
    4: 'klin/Yard/Pumps',
    south: 'south',
    5: 'south/Yard',
    6: 'south/Yard/Pumps',
    7: 'pumps',
    8: 'Boilers',
  });
  expect(labels.get('4')?.path).toEqual(['north', 'klin', 'Yard', 'Pumps']);
});

test('forms offer the groups of a part, and not those above it, which still tell them apart', () => {
  const north = makeGroup('north', {
    isOutside: true,
    subgroups: [makeGroup('plant', { subgroups: [makeGroup('1', { name: 'hall' })] })],
  });
  const south = makeGroup('south', { isOutside: true, subgroups: [makeGroup('2', { name: 'hall' })] });
  expect(toGroupChoices([north, south])).toEqual([
    { value: 'plant', label: 'plant' },
    { value: '1', label: 'plant / hall' },
    { value: '2', label: 'south / hall' },
  ]);
});
