import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BackupOrder } from './backup-process.fixture.ts';
import { createInstallation, type Installation } from './backups.fixture.ts';

const fixture = fileURLToPath(new URL('backup-process.fixture.ts', import.meta.url));
let installation: Installation;

beforeAll(async () => {
  installation = await createInstallation();
}, 120_000);
afterAll(() => installation.close(), 60_000);

/** Starts a backup and kills it when that share of it is read; past 1, so long after all of it is. */
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

it('no half file of 20 backups that were killed is taken for a whole one, and nothing is held back', async () => {
  const { dataDir, connection, cluster, database, path } = installation;
  const shares = Array.from({ length: 20 }, (_, index) => (index < 14 ? index / 14 : 1 + (index - 14) / 20));
  for (const [index, share] of shares.entries()) {
    const file = path(`kill-${index}.tar.gz`);
    await killAt(share, { connection, cluster, dataDir, file });
    const names = await readdir(installation.folder);
    // Killed late, it may be done; then it is whole.
    if (names.includes(`kill-${index}.tar.gz`)) await installation.verify(file);
    else if (names.includes(`kill-${index}.tar.gz.part`) && index % 5 === 0) {
      await expect(installation.verify(`${file}.part`)).rejects.toThrow(/damaged|no backup/);
    }
    await expect
      .poll(async () => (await sql`select 1 from pg_replication_slots`.execute(database.db)).rows)
      .toEqual([]);
  }
  const names = await readdir(installation.folder);
  expect(names.some((name) => name.endsWith('.part'))).toBe(true);
  // The name of one that was killed is free, and so is the lock.
  await installation.verify(await installation.back('kill-0.tar.gz'));
  for (const name of names.filter((each) => each.startsWith('kill-'))) await rm(path(name), { force: true });
}, 600_000);

it('a backup is given up when its connection to the database is cut, and leaves nothing', async () => {
  const { database } = installation;
  let isCut = false;
  const onProgress = () => {
    if (isCut) return;
    isCut = true;
    void sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pult backup'`.execute(
      database.db,
    );
  };
  await expect(installation.back('cut.tar.gz', { onProgress })).rejects.toThrow();
  expect((await readdir(installation.folder)).filter((name) => name.startsWith('cut'))).toEqual([]);
  await installation.back('after.tar.gz');
}, 120_000);

it('a second backup of a database is refused while one is made', async () => {
  let second: Promise<unknown> | undefined;
  const onProgress = () => {
    second ??= installation.back('second.tar.gz').catch((error: unknown) => error);
  };
  await installation.back('one.tar.gz', { onProgress });
  expect(String(await second)).toContain('Another backup of this database is being made');
}, 120_000);

it('a database killed in the middle of writes: nothing acknowledged before the end of the backup is missing', async () => {
  const { database, dataDir } = installation;
  await sql`create table acknowledged (id integer primary key)`.execute(database.db);
  const acknowledged = new Map<number, number>();
  let next = 0;
  let isOver = false;
  const write = async () => {
    while (!isOver) {
      const id = next++;
      await sql`insert into acknowledged values (${id})`.execute(database.db);
      acknowledged.set(id, Date.now());
    }
  };
  const writers = Promise.allSettled([write(), write(), write()]);
  await expect.poll(() => acknowledged.size).toBeGreaterThan(20);
  const file = await installation.back('busy.tar.gz');
  const written = acknowledged.size;
  await expect.poll(() => acknowledged.size).toBeGreaterThan(written);
  const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  isOver = true;
  await writers;

  const target = installation.path('restored');
  const { manifest } = await installation.restore(file, target);
  const endedAt = new Date(manifest.endedAt).getTime();
  const restored = await installation.open(target);
  const { rows } = await sql<{ id: number }>`select id from acknowledged`.execute(restored.db);
  const there = new Set(rows.map(({ id }) => id));
  const before = [...acknowledged].filter(([, at]) => at < endedAt).map(([id]) => id);
  expect(before.length).toBeGreaterThan(20);
  expect(before.filter((id) => !there.has(id))).toEqual([]);
}, 180_000);
