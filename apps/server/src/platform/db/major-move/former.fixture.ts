import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@pult/embedded-postgres';
import { digestTables, listTables, speakPlainly } from '@pult/embedded-postgres/testing';
import pg from 'pg';
import { createLog } from '../../log.ts';
import { connectDatabase, type DatabaseConnection } from '../connect.ts';
import { measureMigrations, migrateDatabase } from '../migrate.ts';

const run = promisify(execFile);

export const log = createLog('silent');
export const password = 'a password of the tests, as long as they are';
export const formerMajor = '17';

export interface Former {
  /** DATA_DIR, whose database is stopped. */
  dataDir: string;
  /** Of all tables: as they were before. */
  digests: Map<string, string>;
  /** Another data folder of the same. */
  copy(): Promise<string>;
  remove(): Promise<void>;
}

/** A data folder with a database, of the earlier major version unless told, as a server would have left it. */
export async function createFormer({
  schema,
  fill = fillTables,
  rows = 2_000,
  major = formerMajor,
}: {
  /** Its last migration; that of this version unless told. */
  schema?: string;
  fill?: (database: DatabaseConnection, rows: number) => Promise<void>;
  rows?: number;
  major?: string;
} = {}): Promise<Former> {
  const folder = await mkdtemp('/tmp/pultmv-');
  // The database's user must be able to pass through.
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const postgres = await startEmbeddedPostgres({
    dataDir,
    password,
    log,
    newMajor: major,
    settings: { fsync: 'off' },
  });
  const database = connectDatabase(postgres.connection, log, 2);
  if (schema === undefined) await migrateDatabase(database, log);
  else await measureMigrations(database, { until: schema });
  await fill(database, rows);
  await database.close();
  const { digests } = await look(postgres);
  await postgres.stop();
  let copies = 0;
  return {
    dataDir,
    digests,
    async copy() {
      copies += 1;
      const target = join(folder, `copy-${copies}`);
      await run('cp', ['-a', dataDir, target]);
      return target;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What a database says of itself. */
export async function look(postgres: EmbeddedPostgres) {
  const client = new pg.Client(postgres.connection);
  await client.connect();
  try {
    await speakPlainly(client);
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    const digests = await digestTables(client, await listTables(client));
    return { major: rows[0]?.server_version.split('.')[0], digests };
  } finally {
    await client.end();
  }
}

/** Rows of the kinds that are hard to copy: parts of tables, generated numbers, bytes, JSON, quotes, nulls, and counts kept by triggers. */
async function fillTables({ pool }: DatabaseConnection, rows: number): Promise<void> {
  await pool.query(`
    insert into organizations (id, name, created_at)
      select gen_random_uuid(), 'Тепло "Север" \\ ' || n || E'\\n\\t' || chr(8212), now() - n * interval '1 hour'
      from generate_series(1, 20) n;
    insert into users (id, email, password_hash, locale, created_at)
      select gen_random_uuid(), 'user' || n || '@example.com', 'none', 'ru', now() from generate_series(1, 50) n;
    create table metric_samples_p20260301 (like metric_samples including all);
    alter table metric_samples attach partition metric_samples_p20260301
      for values from ('2026-03-01T00:00:00Z') to ('2026-03-02T00:00:00Z');
    create table metric_samples_p20260302 (like metric_samples including all);
    alter table metric_samples attach partition metric_samples_p20260302
      for values from ('2026-03-02T00:00:00Z') to ('2026-03-03T00:00:00Z');
    create index on metric_samples_p20260302 (at);
    insert into telemetry_removals select gen_random_uuid() from generate_series(1, 10);
    insert into metric_outbox (lines) select repeat('строка ' || n || E'\\n', 20) from generate_series(1, 100) n;
    select graphile_worker.add_job('greet', json_build_object('to', 'Ё' || n), queue_name := 'q' || n % 3,
      job_key := 'k' || n, run_at := now() + interval '1 day') from generate_series(1, 30) n;
    update graphile_worker._private_jobs set attempts = 25, last_error = 'it failed' where id % 7 = 0;
  `);
  await pool.query(
    `insert into metric_samples (controller_id, at, load15, cpu_usage, temperature)
     select gen_random_uuid(), timestamptz '2026-03-01T12:00:00Z' + (n % 1440) * interval '1 minute', random() * 1e-7, n / 3.0,
       case when n % 5 = 0 then 'NaN'::float8 end
     from generate_series(1, $1) n`,
    [rows],
  );
}
