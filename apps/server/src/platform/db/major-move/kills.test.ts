import { once } from 'node:events';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFormer, type Former, log, password } from './former.fixture.ts';
import { moveFormerDatabase } from './index.ts';
import { assertWhole, cutOff, startMove } from './kills.fixture.ts';

/* At any moment: tests/release/kills/major-move.test.ts. */

let former: Former;

beforeAll(async () => {
  former = await createFormer();
}, 120_000);
afterAll(() => former?.remove());

it('a server that is killed while rows come, while they are compared, or when the new database is whole starts again, with all rows, and moves in the end', async () => {
  const dataDir = await former.copy();
  const listDatabases = async () =>
    (await readdir(dataDir)).filter((name) => /^postgres(-17|\.moving|\.moved)?$/.test(name)).sort();

  const filling = await startMove(dataDir);
  await expect
    .poll(() => access(join(dataDir, 'postgres.moving/postgres/postmaster.pid')).then(() => true), {
      interval: 10,
      timeout: 60_000,
    })
    .toBe(true);
  await cutOff(filling, { dataDir, isPowerCut: true });
  expect(await listDatabases()).toEqual(['postgres', 'postgres.moving']);
  expect(await assertWhole(former, dataDir)).toBe('17');

  // The databases go on without their server.
  const comparing = await startMove(dataDir, 'all rows are copied');
  await once(comparing, 'exit');
  expect(await listDatabases()).toEqual(['postgres', 'postgres.moving']);

  const whole = await startMove(dataDir, 'all rows are in the new database');
  await once(whole, 'exit');
  expect(await listDatabases()).toEqual(['postgres', 'postgres.moved']);

  await moveFormerDatabase({ dataDir, password, log });
  expect(await listDatabases()).toEqual(['postgres', 'postgres-17']);
  expect(await assertWhole(former, dataDir)).toBe('18');
}, 300_000);
