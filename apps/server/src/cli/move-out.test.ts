import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { currentMajor, startEmbeddedPostgres } from '@pult/embedded-postgres';
import { digestTables, listTables, speakPlainly } from '@pult/embedded-postgres/testing';
import pg from 'pg';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, expect, inject, it, vi } from 'vitest';
import { loadSecrets } from '../config/secrets.ts';
import { createArchiveStore } from '../features/diagnostics/index.ts';
import { createFormer, type Former, log, password } from '../platform/db/major-move/former.fixture.ts';
import { commands, UsageError } from './commands.ts';

let old: Former;
let printed: string;

beforeAll(async () => {
  old = await createFormer({ major: currentMajor });
  await writeFile(join(old.dataDir, 'secrets.json'), JSON.stringify({ databasePassword: password }), {
    mode: 0o600,
  });
  // The rest of them.
  await loadSecrets(old.dataDir, log);
}, 300_000);
afterAll(() => old?.remove());
beforeEach(() => {
  vi.stubEnv('DATA_DIR', old.dataDir);
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed += chunk;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});

/** An empty database whose owner is nothing more than that. */
async function createTarget() {
  const name = `moved_${randomBytes(6).toString('hex')}`;
  const server = inject('databaseServer');
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create role ${name} login password 'of-this-test'`);
  await admin.query(`create database ${name} owner ${name}`);
  const url = new URL('postgresql://localhost');
  url.username = name;
  url.password = 'of-this-test';
  url.pathname = name;
  url.search = new URLSearchParams({ host: server.host, port: String(server.port) }).toString();
  vi.stubEnv('DATABASE_URL', url.href);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`drop role ${name}`);
      await admin.end();
    },
  };
}

const copyDatabase = (args: string[] = []) => commands['database copy']?.run(args);
const constraints = `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as is, convalidated from pg_constraint order by 1, 2`;
const triggers = `select tgrelid::regclass::text as table, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`;

it('pult database copy brings every row, part, sequence and job to a database whose owner is no superuser, with its keys and triggers', async () => {
  await using target = await createTarget();
  await copyDatabase();
  expect(printed).toMatch(/^Copied and compared: \d+ rows in \d+ tables\./m);
  const { client } = target;
  await speakPlainly(client);
  const digests = await digestTables(client, await listTables(client));
  expect([...digests].sort()).toEqual([...old.digests].sort());
  const { rows: lines } = await client.query(
    "insert into metric_outbox (lines) values ('next') returning id",
  );
  expect(lines).toEqual([{ id: '101' }]);

  const postgres = await startEmbeddedPostgres({ dataDir: old.dataDir, password, log });
  const before = new pg.Client(postgres.connection);
  await before.connect();
  try {
    for (const question of [constraints, triggers]) {
      const [{ rows: ours }, { rows: theirs }] = [await before.query(question), await client.query(question)];
      expect(ours.length).toBeGreaterThan(3);
      expect(theirs).toEqual(ours);
    }
  } finally {
    await before.end();
    await postgres.stop();
  }
});

it('pult database copy fills only what is empty, and only by name', async () => {
  await using target = await createTarget();
  await target.client.query('create table mine (id int)');
  await expect(copyDatabase()).rejects.toThrow('is not empty: it has the table public.mine');
  vi.stubEnv('DATABASE_URL', '');
  await expect(copyDatabase()).rejects.toThrow('DATABASE_URL has to name an empty database');
  await expect(copyDatabase(['more'])).rejects.toThrow(UsageError);
});

it('pult database copy does not touch the database of a server that runs, nor takes a folder for one that has none', async () => {
  await using target = await createTarget();
  const postgres = await startEmbeddedPostgres({ dataDir: old.dataDir, password, log });
  try {
    await expect(copyDatabase()).rejects.toThrow(/in use|already/);
  } finally {
    await postgres.stop();
  }
  const { rows } = await target.client.query("select from pg_class where relname = 'controllers'");
  expect(rows).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'pult-none-'));
  vi.stubEnv('DATA_DIR', folder);
  await expect(copyDatabase()).rejects.toThrow(`There is no embedded database in ${folder}`);
  await rm(folder, { recursive: true });
});

it('pult archives copy brings the archives of the data folder to the bucket, each once', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pult-s3-'));
  const bucket = { name: 'pult', configs: [] };
  const peer = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [bucket],
  });
  const { port } = await peer.run();
  try {
    await expect(commands['archives copy']?.run([])).rejects.toThrow('S3_BUCKET has to name the bucket');
    const endpoint = `http://127.0.0.1:${port}`;
    const [accessKeyId, secretAccessKey] = ['S3RVER', 'S3RVER-S3RVER'];
    for (const [name, value] of Object.entries({
      S3_ENDPOINT: endpoint,
      S3_BUCKET: 'pult',
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    })) {
      vi.stubEnv(name, value);
    }
    await mkdir(join(old.dataDir, 'archives'));
    for (const name of ['a-1', 'b-2']) await writeFile(join(old.dataDir, 'archives', name), `of ${name}`);
    await commands['archives copy']?.run([]);
    await commands['archives copy']?.run([]);
    expect(printed).toBe(
      'Copied: 2 archives to the bucket pult; 0 were there.\nCopied: 0 archives to the bucket pult; 2 were there.\n',
    );
    const s3 = { endpoint, region: 'us-east-1', bucket: 'pult', accessKeyId, secretAccessKey };
    const store = await createArchiveStore({ dataDir: old.dataDir, s3 });
    expect(await text(await store.read('b-2'))).toBe('of b-2');
  } finally {
    await peer.close();
    await rm(directory, { recursive: true });
  }
});
