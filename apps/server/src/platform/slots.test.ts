import { expect, it } from 'vitest';
import { Slots } from './slots.ts';

it('slots hold what was added and not deleted, whoever has a place of it before', () => {
  const slots = new Slots<{ name: string }>();
  const [one, two, three] = [{ name: 'one' }, { name: 'two' }, { name: 'three' }];
  const first = slots.add(one);
  slots.add(two);
  expect(slots.delete(first, one)).toBe(true);
  expect(slots.delete(first, one)).toBe(false);
  const again = slots.add(three);
  expect(again).toBe(first);
  expect(slots.delete(first, one)).toBe(false);
  expect([slots.size, slots.list()]).toEqual([2, [three, two]]);
});

it('slots take no more room than was open at once', () => {
  const slots = new Slots<{ index: number }>();
  for (let index = 0; index < 1_000; index += 1) {
    const item = { index };
    const slot = slots.add(item);
    expect(slot).toBe(0);
    slots.delete(slot, item);
  }
  expect([slots.size, slots.list()]).toEqual([0, []]);
});
