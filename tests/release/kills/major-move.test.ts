import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readClusterMajor } from '@pult/embedded-postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createFormer,
  type Former,
  log,
  password,
} from '../../../apps/server/src/platform/db/major-move/former.fixture.ts';
import { moveFormerDatabase } from '../../../apps/server/src/platform/db/major-move/index.ts';
import {
  assertWhole,
  cutOff,
  startMove,
} from '../../../apps/server/src/platform/db/major-move/kills.fixture.ts';

/** More of them by hand: MOVE_KILLS=100. */
const kills = Number(process.env.MOVE_KILLS ?? 8);
let former: Former;

beforeAll(async () => {
  former = await createFormer({ rows: 20_000 });
}, 120_000);
afterAll(() => former?.remove());

it('a server that is killed at any moment of a move starts again, with all rows, and moves in the end', async () => {
  const first = await former.copy();
  const startedAt = performance.now();
  const child = await startMove(first);
  await once(child, 'message');
  const wholeMs = performance.now() - startedAt;
  await cutOff(child, { dataDir: first, isPowerCut: false });
  expect(await assertWhole(former, first)).toBe('18');

  let dataDir = await former.copy();
  let killedHalf = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = await startMove(dataDir);
    const said: unknown[] = [];
    killed.on('message', (message) => said.push(message));
    const delayMs = ((kill + Math.random()) / kills) * wholeMs * 1.1;
    await Promise.race([wait(delayMs), once(killed, 'exit')]);
    expect(killed.exitCode, `after ${delayMs} ms`).toBeNull();
    await cutOff(killed, { dataDir, isPowerCut: kill % 2 === 1 });
    const isMoving = await access(join(dataDir, 'postgres.moving')).then(
      () => true,
      () => false,
    );
    if (isMoving) killedHalf += 1;
    // What a start of the database alone finds where the names had not come to their end, the next move mends.
    const major = await readClusterMajor(join(dataDir, 'postgres'));
    if (kill % 4 === 3 && major !== undefined) expect(await assertWhole(former, dataDir)).toBe(major);
    if (said.includes('moved')) dataDir = await former.copy();
  }
  expect(killedHalf).toBeGreaterThan(kills / 4);
  await moveFormerDatabase({ dataDir, password, log });
  expect(await assertWhole(former, dataDir)).toBe('18');
}, 1_200_000);
