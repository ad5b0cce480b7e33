import { tmpdir } from 'node:os';
import { measureDisk } from '@pult/files';
import { expect, it } from 'vitest';
import { assertRoomForMove } from './disk-space.ts';

it('a move that finds too little room says how much it wants', async () => {
  const dataDir = tmpdir();
  const { availableBytes } = await measureDisk(dataDir);
  await expect(assertRoomForMove(dataDir, availableBytes)).rejects.toThrow(
    /too little room in .*: \d+ MB are free, and \d+ MB are wanted beside the old one\. Nothing was changed/,
  );
  await assertRoomForMove(dataDir, 10_000_000);
});
