import { access, appendFile, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedPostgres, removeRetainedLater, startEmbeddedPostgres } from '@pult/embedded-postgres';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createFormer, type Former, log, look, password } from './former.fixture.ts';
import { moveFormerDatabase } from './index.ts';

let former: Former;
let dataDir: string;

beforeAll(async () => {
  former = await createFormer();
}, 300_000);
afterAll(() => former?.remove());
beforeEach(async () => {
  dataDir = await former.copy();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true });
});

const at = (name: string) => join(dataDir, name);
const move = () => moveFormerDatabase({ dataDir, password, log });
const listDatabases = async () =>
  (await readdir(dataDir)).filter((name) => name.startsWith('postgres') && !name.includes('.lock')).sort();

/** Starts the database for as long as it is asked. */
async function ask(
  question: (client: pg.Client, postgres: EmbeddedPostgres) => Promise<void>,
): Promise<void> {
  const { default: driver } = await import('pg');
  const postgres = await startEmbeddedPostgres({ dataDir, password, log });
  const client = new driver.Client(postgres.connection);
  try {
    await client.connect();
    await question(client, postgres);
  } finally {
    await client.end();
    await postgres.stop();
  }
}

async function assertAsBefore(major: string, postgres: EmbeddedPostgres): Promise<void> {
  const found = await look(postgres);
  expect(found.major).toBe(major);
  expect([...found.digests].sort()).toEqual([...former.digests].sort());
}

it('a database of PostgreSQL 17 is moved to 18 with every row, part, sequence and job, and the old one stays as it was', async () => {
  expect([...former.digests.keys()]).toEqual(
    expect.arrayContaining(['public.metric_samples_p20260301', 'graphile_worker._private_jobs']),
  );
  await appendFile(
    at('postgres/postgresql.conf'),
    "shared_buffers = '96MB'\nlog_autovacuum_min_duration = '7s'\nlc_messages = 'C'\n",
  );
  const info = vi.spyOn(log, 'info');
  await move();
  expect(info.mock.calls).toEqual([
    [{ from: '17', to: '18' }, expect.stringContaining('it is moved, and nobody is served meanwhile')],
    ['all rows are copied: they are counted and compared'],
    [
      expect.objectContaining({ settings: ['shared_buffers', 'log_autovacuum_min_duration'] }),
      expect.stringContaining('the old one is kept until'),
    ],
    [{ postgres: '18' }, 'the database has moved to another version of PostgreSQL'],
  ]);
  expect(await listDatabases()).toEqual(['postgres', 'postgres-17']);
  await ask(async (client, postgres) => {
    await assertAsBefore('18', postgres);
    // The counters go on where they stood.
    const { rows: lines } = await client.query(
      "insert into metric_outbox (lines) values ('next') returning id",
    );
    expect(lines).toEqual([{ id: '101' }]);
    const { rows: jobs } = await client.query("select id from graphile_worker.add_job('greet')");
    expect(jobs).toEqual([{ id: '31' }]);
    // Keys hold, though they rested while the rows came.
    await expect(
      client.query("insert into memberships values (gen_random_uuid(), gen_random_uuid(), 'owner', now())"),
    ).rejects.toThrow(/foreign key/);
    const { rows: settings } = await client.query(
      `select current_setting('shared_buffers') as buffers, current_setting('log_autovacuum_min_duration') as duration,
         current_setting('wal_level') as wal`,
    );
    expect(settings).toEqual([{ buffers: '96MB', duration: '7s', wal: 'replica' }]);
  });
  await rename(at('postgres'), at('new'));
  await rename(at('postgres-17'), at('postgres'));
  await ask((_client, postgres) => assertAsBefore('17', postgres));
}, 300_000);

it('a move refuses a view and a column that this Pult would not have, by name, and leaves the old database alone', async () => {
  await ask(async (client) => void (await client.query('create view heat as select 1 as one')));
  await expect(move()).rejects.toThrow(/the view public\.heat, which is not of this Pult/);
  expect(await listDatabases()).toEqual(['postgres']);
  await ask(
    async (client) => void (await client.query('drop view heat; alter table users add nickname text')),
  );
  await expect(move()).rejects.toThrow(/table public\.users has the column nickname \(text\)/);
  expect(await listDatabases()).toEqual(['postgres']);
}, 300_000);

it('a move refuses to write over a database that an earlier one has left', async () => {
  await appendFile(at('postgres-17'), '');
  await expect(move()).rejects.toThrow(/postgres-17 already, of an earlier move/);
});

it('a move that was cut off between two of its names is brought to its end, and the old database goes a day after a server ran', async () => {
  await move();
  const assertMoved = async () => {
    await move();
    expect(await listDatabases()).toEqual(['postgres', 'postgres-17']);
    expect((await readFile(at('postgres/PG_VERSION'), 'utf8')).trim()).toBe('18');
  };
  // The old one had its new name, the new one had not.
  await rename(at('postgres'), at('postgres.moved'));
  await assertMoved();
  // Neither had.
  await rename(at('postgres'), at('postgres.moved'));
  await rename(at('postgres-17'), at('postgres'));
  await assertMoved();
  await ask((_client, postgres) => assertAsBefore('18', postgres));

  const stop = await removeRetainedLater({ dataDir, log });
  await stop();
  await access(at('postgres-17'));
  const stopSoon = await removeRetainedLater({ dataDir, log, retainMs: 1 });
  await vi.waitFor(() => expect(access(at('postgres-17.moved'))).rejects.toThrow('ENOENT'), 10_000);
  await stopSoon();
  expect(await listDatabases()).toEqual(['postgres']);
  // From here on there is nothing to move.
  const before = await readdir(dataDir);
  await move();
  expect(await readdir(dataDir)).toEqual(before);
}, 300_000);
