import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { BackupOrder } from './backup-process.fixture.ts';
import type { Installation } from './backups.fixture.ts';

const fixture = fileURLToPath(new URL('backup-process.fixture.ts', import.meta.url));

/** Starts a backup and kills it when that share of it is read; past 1, so many seconds after all of it is. */
async function killAt(share: number, order: BackupOrder): Promise<void> {
  const child: ChildProcess = fork(fixture, { execArgv: ['--import', 'tsx'] });
  await once(child, 'message');
  const exited = once(child, 'exit');
  const reached = new Promise<void>((resolve) => {
    child.on('message', (said) => {
      if (said === 'done' || (typeof said === 'number' && said >= Math.min(share, 1))) resolve();
    });
  });
  child.send(order);
  await reached;
  if (share > 1) await wait((share - 1) * 1_000);
  child.kill('SIGKILL');
  await exited;
}

/** Kills a backup at each of these shares: nothing half is taken for whole, and nothing of them is in the way of the next. */
export async function expectNothingOfKilled(
  installation: Installation,
  shares: readonly number[],
): Promise<void> {
  const { dataDir, connection, cluster, database, path } = installation;
  const complete: unknown[] = [];
  for (const [index, share] of shares.entries()) {
    const file = path(`kill-${index}.tar.gz`);
    await killAt(share, { connection, cluster, dataDir, file });
    const names = await readdir(installation.folder);
    // Killed late, it may be done; then it is whole.
    if (names.includes(`kill-${index}.tar.gz`)) await installation.verify(file);
    else if (names.includes(`kill-${index}.tar.gz.part`)) {
      const found = await installation.verify(`${file}.part`).catch((error: Error) => error);
      // Killed between its last byte and its name, it is whole as well.
      if (found instanceof Error) expect(found.message).toMatch(/damaged|no backup/);
      else complete.push(found.inspection?.counts);
    }
    await expect
      .poll(async () => (await sql`select 1 from pg_replication_slots`.execute(database.db)).rows)
      .toEqual([]);
  }
  const names = await readdir(installation.folder);
  expect(names.some((name) => name.endsWith('.part'))).toBe(true);
  // The name of one that was killed is free, and so is the lock.
  const whole = await installation.verify(await installation.back('kill-0.tar.gz'));
  expect(whole.inspection).toBeDefined();
  for (const counts of complete) expect(counts).toEqual(whole.inspection?.counts);
  for (const name of names.filter((each) => each.startsWith('kill-'))) await rm(path(name), { force: true });
}
