import type { Controller } from '@pult/contract';
import { expect, test } from 'vitest';
import { createInventory, toInert } from './inventory.ts';

/** Only what the inventory reads of one. */
const controller = (serialNumber: string, group: { id: string; name: string } | null) =>
  ({ serialNumber, group }) as Controller;
const group = (number: number, name: string) => ({
  id: `00000000-0000-7000-8000-00000000000${number}`,
  name,
});
const create = (controllers: Controller[]) =>
  createInventory(controllers, ({ serialNumber }) => ({ ansible_host: serialNumber }));

test('groups have names that Ansible takes, each its own, and keep the one that people wrote', () => {
  const inventory = create([
    controller('A1', group(1, 'Boilers / North')),
    controller('B2', group(2, 'boilers--north')),
    controller('C3', group(3, 'Котельные')),
    controller('D4', group(4, 'all')),
    controller('E5', group(5, '2nd floor')),
    controller('F6', group(1, 'Boilers / North')),
    controller('G7', group(6, '__proto__')),
    controller('H8', null),
  ]);
  expect(inventory).toEqual({
    _meta: {
      hostvars: Object.fromEntries(
        ['A1', 'B2', 'C3', 'D4', 'E5', 'F6', 'G7', 'H8'].map((name) => [name, { ansible_host: name }]),
      ),
    },
    all: {
      children: [
        'boilers_north',
        'boilers_north_2',
        'group_00000003',
        'all_2',
        'group_2nd_floor',
        'proto',
        'ungrouped',
      ],
    },
    ungrouped: { hosts: ['H8'] },
    boilers_north: { hosts: ['A1', 'F6'], vars: { pult_name: 'Boilers / North' } },
    boilers_north_2: { hosts: ['B2'], vars: { pult_name: 'boilers--north' } },
    group_00000003: { hosts: ['C3'], vars: { pult_name: 'Котельные' } },
    all_2: { hosts: ['D4'], vars: { pult_name: 'all' } },
    group_2nd_floor: { hosts: ['E5'], vars: { pult_name: '2nd floor' } },
    proto: { hosts: ['G7'], vars: { pult_name: '__proto__' } },
  });
});

test('two groups of one name keep their own, in whatever order their controllers come', () => {
  const controllers = [controller('A1', group(2, 'Yard')), controller('B2', group(1, 'Yard'))];
  expect(create(controllers)).toMatchObject({ yard: { hosts: ['B2'] }, yard_2: { hosts: ['A1'] } });
  expect(create(controllers.reverse())).toMatchObject({ yard: { hosts: ['B2'] }, yard_2: { hosts: ['A1'] } });
});

test('people’s words are no template of Ansible’s', () => {
  expect(toInert("{{ lookup('pipe', 'id') }} {% x %} {# y #} {{{% {a}")).toBe(
    "{ { lookup('pipe', 'id') }} { % x %} { # y #} { { { % {a}",
  );
});
