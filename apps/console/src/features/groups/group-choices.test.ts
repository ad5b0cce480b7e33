import { expect, test } from 'vitest';
import { toGroupChoices } from './group-choices.ts';
import { makeGroup } from './testing/make-group.ts';

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
