import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstallation, type Installation } from './backups.fixture.ts';
import { expectNothingOfKilled } from './kills.fixture.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await createInstallation();
}, 120_000);
afterAll(() => installation.close(), 60_000);

/* At twenty moments: tests/release/kills/backups.test.ts. */
it('no half file of a backup that was killed is taken for a whole one, and nothing is held back', async () => {
  await expectNothingOfKilled(installation, [0, 0.5, 1]);
}, 120_000);

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
