import { expect, it, vi } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { createOrganizationShares, type HeldOrganization } from './organization-shares.ts';

function createShares() {
  const disk: { availableBytes: number | undefined } = { availableBytes: 100 };
  const sizes = new Map<string, number>();
  const tell = vi.fn(async (_: HeldOrganization) => {});
  const shares = createOrganizationShares(
    { log: createLog('silent') },
    {
      measureSpace: async () => sizes,
      getAvailableBytes: () => disk.availableBytes,
      tell,
    },
  );
  return { disk, sizes, tell, shares };
}

it('an organization that takes four times the room that is left is held and told of once, and no other one', async () => {
  const { sizes, tell, shares } = createShares();
  sizes.set('greedy', 401).set('modest', 400);
  await shares.look();
  await shares.look();
  expect([shares.isHeld('greedy'), shares.isHeld('modest'), shares.held]).toEqual([true, false, 1]);
  expect(tell.mock.calls).toEqual([[{ organizationId: 'greedy', bytes: 401, availableBytes: 100 }]]);
});

it('an organization is let go on with room to spare, and told of again where that is over', async () => {
  const { disk, sizes, tell, shares } = createShares();
  sizes.set('greedy', 401).set('modest', 1);
  await shares.look();
  disk.availableBytes = 130;
  await shares.look();
  expect(shares.isHeld('greedy')).toBe(true);
  disk.availableBytes = 134;
  await shares.look();
  expect(shares.isHeld('greedy')).toBe(false);
  disk.availableBytes = 100;
  await shares.look();
  expect(tell).toHaveBeenCalledTimes(2);
});

it('an organization that is alone, or on a disk that nobody sees, is not held', async () => {
  const { disk, sizes, shares } = createShares();
  sizes.set('alone', 1_000_000);
  await shares.look();
  expect(shares.held).toBe(0);
  sizes.set('another', 1);
  await shares.look();
  expect(shares.held).toBe(1);
  disk.availableBytes = undefined;
  await shares.look();
  expect(shares.held).toBe(0);
});

it('an organization is held also where nobody can be told', async () => {
  const { sizes, tell, shares } = createShares();
  sizes.set('greedy', 401).set('modest', 1);
  tell.mockRejectedValueOnce(new Error('no database'));
  await shares.look();
  expect(shares.isHeld('greedy')).toBe(true);
});
