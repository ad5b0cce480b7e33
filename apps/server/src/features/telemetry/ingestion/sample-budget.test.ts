import { TestClock } from '@pult/testkit/in-process';
import { expect, it } from 'vitest';
import { createSampleBudget } from './sample-budget.ts';

function createBudget() {
  const clock = new TestClock();
  const held = new Set<string>();
  const budget = createSampleBudget({ clock, isHeld: (organizationId) => held.has(organizationId) });
  const claim = (serialNumber: string) => ({
    serialNumber,
    organizationId: 'organization',
    activatedAt: clock.now(),
  });
  return { clock, held, budget, claim };
}

it('a device of old may tell at once what it has kept for a week, and then as much as it measures', () => {
  const { clock, budget, claim } = createBudget();
  const device = claim('SN-1');
  clock.advance(30 * 24 * 3600_000);
  expect(budget.roomOf(device)).toBe(12_000);
  budget.spend(device, 12_000);
  expect(budget.roomOf(device)).toBe(0);
  // A day of one every ten seconds is 8,640.
  clock.advance(24 * 3600_000);
  expect(budget.roomOf(device)).toBe(12_000);
  budget.spend(device, 12_000);
  clock.advance(60_000);
  expect(budget.roomOf(device)).toBe(12);
});

it('a device that was just claimed has a little, and no more by another claim', () => {
  const { clock, budget, claim } = createBudget();
  const device = claim('SN-1');
  expect(budget.roomOf(device)).toBe(500);
  budget.spend(device, 500);
  clock.advance(5_000);
  expect(budget.roomOf(claim('SN-1'))).toBe(1);
  expect(budget.roomOf(claim('SN-2'))).toBe(500);
});

it('a device of an organization that has its share of the disk has none until there is room', () => {
  const { held, budget, claim } = createBudget();
  held.add('organization');
  expect(budget.roomOf(claim('SN-1'))).toBe(0);
  held.clear();
  expect(budget.roomOf(claim('SN-1'))).toBe(500);
});
