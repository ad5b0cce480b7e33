import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readClusterMajor, startEmbeddedPostgres } from '../embedded/index.ts';
import { findLeftovers } from '../embedded/leftovers.ts';
import { createFormer, type Former, log, look, password } from './former.fixture.ts';
import { moveFormerDatabase } from './index.ts';

/** More of them by hand: MOVE_KILLS=100. */
const kills = Number(process.env.MOVE_KILLS ?? 8);
const fixture = fileURLToPath(new URL('move-process.fixture.ts', import.meta.url));
let former: Former;

beforeAll(async () => {
  former = await createFormer({ rows: 20_000 });
}, 120_000);
afterAll(() => former?.remove());

async function startMove(dataDir: string): Promise<ChildProcess> {
  const child = fork(fixture, [dataDir, password], { execArgv: ['--import', 'tsx'] });
  await once(child, 'message');
  return child;
}

/** Kills the server, and every other time the databases as well, as a power cut does. */
async function cutOff(child: ChildProcess, dataDir: string, isPowerCut: boolean): Promise<void> {
  const exited = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await exited;
  if (!isPowerCut) return;
  for (const cluster of ['postgres', 'postgres.moving/postgres']) {
    for (const { pid } of await findLeftovers(join(dataDir, cluster))) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Ended by itself.
      }
    }
  }
}

/** That there is one database, with all rows, whichever of the two it is; returns its major version. */
async function assertWhole(dataDir: string): Promise<string | undefined> {
  const postgres = await startEmbeddedPostgres({ dataDir, password, log });
  try {
    const { major, digests } = await look(postgres);
    expect([...digests].sort()).toEqual([...former.digests].sort());
    return major;
  } finally {
    await postgres.stop();
  }
}

it('a server that is killed at any moment of a move starts again, with all rows, and moves in the end', async () => {
  const first = await former.copy();
  const startedAt = performance.now();
  const child = await startMove(first);
  await once(child, 'message');
  const wholeMs = performance.now() - startedAt;
  await cutOff(child, first, false);
  expect(await assertWhole(first)).toBe('18');

  let dataDir = await former.copy();
  let killedHalf = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = await startMove(dataDir);
    const said: unknown[] = [];
    killed.on('message', (message) => said.push(message));
    const delayMs = ((kill + Math.random()) / kills) * wholeMs * 1.1;
    await Promise.race([wait(delayMs), once(killed, 'exit')]);
    expect(killed.exitCode, `after ${delayMs} ms`).toBeNull();
    await cutOff(killed, dataDir, kill % 2 === 1);
    const isMoving = await access(join(dataDir, 'postgres.moving')).then(
      () => true,
      () => false,
    );
    if (isMoving) killedHalf += 1;
    // What a start of the database alone finds where the names had not come to their end, the next move mends.
    const major = await readClusterMajor(join(dataDir, 'postgres'));
    if (kill % 4 === 3 && major !== undefined) expect(await assertWhole(dataDir)).toBe(major);
    if (said.includes('moved')) dataDir = await former.copy();
  }
  expect(killedHalf).toBeGreaterThan(kills / 4);
  await moveFormerDatabase({ dataDir, password, log });
  expect(await assertWhole(dataDir)).toBe('18');
}, 1_200_000);
