import { type FileHandle, open, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { clusterFolders, isClusterPath } from './cluster-files.ts';
import type { Connection } from './connection.ts';
import { EmbeddedDatabaseError } from './errors.ts';

/** A file of the database as it is at some moment of the backup; the log makes them agree. */
export interface ClusterFile {
  /** In the data directory. */
  readonly path: string;
  readonly size: number;
  /** `size` bytes exactly: zeros in place of what has been cut off meanwhile, which the log takes away again. */
  read(): AsyncIterable<Buffer>;
}

export interface BaseBackup {
  /** About as many as there will be, with the log so far. */
  readonly expectedBytes: number;
  /** All but the log. Ends with an error when the connection is lost, or the signal says so. */
  readFiles(): AsyncGenerator<ClusterFile>;
  /** Ends the backup, and reads the label and the log, which make the files a database. Call it when they are read. */
  finish(): Promise<{ endedAt: Date; files: AsyncGenerator<ClusterFile> }>;
  /** Runs a statement on the backup's connection, while it goes on. */
  query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]>;
  /** Lets go of the log. Whatever was not finished is no backup. */
  close(): Promise<void>;
}

/** Of the advisory lock that no two backups have at once. */
const lockKey = 7_095_842_211;
const slot = 'pult_backup';
const segmentBytes = 16 * 1024 * 1024;
const chunkBytes = 256 * 1024;
const watchMs = 2_000;

/** Begins a backup beside the work of the database, by PostgreSQL's low-level interface; `cluster` is its data directory. */
export async function beginBaseBackup(options: {
  connection: Connection;
  cluster: string;
  signal: AbortSignal;
  /** Shorter in tests. */
  watchEveryMs?: number;
}): Promise<BaseBackup> {
  const { connection, cluster } = options;
  const { default: driver } = await import('pg');
  const client = new driver.Client({ ...connection, application_name: 'pult backup', keepAlive: true });
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  client.on('error', (error) => failed.abort(error));
  client.on('end', () => failed.abort(new Error('the database has closed the connection of the backup')));
  await client.connect();

  async function query<Row extends pg.QueryResultRow>(statement: string, values?: unknown[]): Promise<Row[]> {
    signal.throwIfAborted();
    return (await client.query<Row>(statement, values)).rows;
  }

  try {
    await query('SET statement_timeout = 0');
    const [lock] = await query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [lockKey]);
    if (!lock?.got) throw new EmbeddedDatabaseError('Another backup of this database is being made.');
    if ((await readdir(join(cluster, 'pg_tblspc'))).length > 0) {
      throw new EmbeddedDatabaseError('The database has tablespaces of its own, which backups do not carry.');
    }
    // Temporary: it goes with the connection, and nothing keeps the log of a backup that was killed.
    await query('SELECT pg_create_physical_replication_slot($1, true, true)', [slot]);
    await query("SELECT pg_backup_start('pult', fast => true)");
    const paths = await listFiles(cluster);
    const expectedBytes = paths.reduce((sum, { size }) => sum + size, segmentBytes);
    const watch = watchLog(cluster, (error) => failed.abort(error), options.watchEveryMs ?? watchMs);

    return {
      expectedBytes,
      query,
      async *readFiles() {
        // Removed meanwhile, as the log says too.
        for (const { path } of paths) yield* readFile(cluster, path, signal);
      },
      async finish() {
        // Asked before the end: what is acknowledged while the log is being closed may be behind it.
        const [time] = await query<{ at: Date }>('SELECT clock_timestamp() AS at');
        const [stop] = await query<{ label: string; last: string }>(
          `SELECT labelfile AS label, pg_walfile_name(lsn - 1) AS last
           FROM pg_backup_stop(wait_for_archive => false)`,
        );
        if (!time || !stop) throw new Error('PostgreSQL did not end the backup');
        return { endedAt: time.at, files: readLog({ cluster, ...stop, signal }) };
      },
      async close() {
        clearInterval(watch);
        await disconnect(client);
      },
    };
  } catch (error) {
    await disconnect(client);
    throw error;
  }
}

async function disconnect(client: pg.Client): Promise<void> {
  client.removeAllListeners('end');
  await client.end().catch(() => {});
}

/** What there is when the backup begins: the log has what is made later. The control file comes last, as its checkpoint is newest. */
async function listFiles(cluster: string): Promise<{ path: string; size: number }[]> {
  const databases = (await readdir(join(cluster, 'base'))).filter((name) => /^\d+$/.test(name));
  const folders = [
    ...clusterFolders.filter((folder) => folder !== 'base'),
    ...databases.map((name) => `base/${name}`),
  ];
  const paths = ['PG_VERSION'];
  for (const folder of folders) {
    paths.push(...(await readdir(join(cluster, folder))).map((name) => `${folder}/${name}`));
  }
  const control = 'global/pg_control';
  const ordered = [...paths.filter((path) => path !== control && isClusterPath(path)), control];
  const found = await Promise.all(ordered.map((path) => stat(join(cluster, path)).catch(ignoreMissing)));
  return ordered.flatMap((path, index) => {
    const size = found[index]?.size;
    return size === undefined ? [] : [{ path, size }];
  });
}

/** One file, or none where it is not there. It is open until the next one is asked for. */
async function* readFile(cluster: string, path: string, signal: AbortSignal): AsyncGenerator<ClusterFile> {
  signal.throwIfAborted();
  const handle = await open(join(cluster, path), 'r').catch(ignoreMissing);
  if (!handle) return;
  try {
    const { size } = await handle.stat();
    yield { path, size, read: () => readBytes(handle, size, signal) };
  } finally {
    await handle.close();
  }
}

async function* readBytes(handle: FileHandle, size: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  for (let position = 0; position < size; ) {
    signal.throwIfAborted();
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    const chunk = bytesRead === 0 ? buffer.fill(0) : buffer.subarray(0, bytesRead);
    position += chunk.length;
    yield chunk;
  }
}

async function* readLog(options: {
  cluster: string;
  label: string;
  last: string;
  signal: AbortSignal;
}): AsyncGenerator<ClusterFile> {
  const { cluster, label, last, signal } = options;
  const bytes = Buffer.from(label);
  yield {
    path: 'backup_label',
    size: bytes.length,
    async *read() {
      yield bytes;
    },
  };
  const [, first] = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)$/m.exec(label) ?? [];
  if (first === undefined) throw new Error('PostgreSQL did not say where the log of the backup begins');
  for (const name of listSegments(first, last)) {
    let isThere = false;
    for await (const file of readFile(cluster, `pg_wal/${name}`, signal)) {
      isThere = true;
      yield file;
    }
    if (!isThere) throw new Error(`the database has removed ${name} of its log, which the backup needs`);
  }
}

/** Names of the segments from one to another, both included: timeline, high and low part of 8 hex digits each. */
function listSegments(first: string, last: string): string[] {
  const perLog = 0x1_0000_0000 / segmentBytes;
  const numberOf = (name: string) =>
    Number.parseInt(name.slice(8, 16), 16) * perLog + Number.parseInt(name.slice(16), 16);
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  const timeline = first.slice(0, 8);
  if (last.slice(0, 8) !== timeline)
    throw new Error('the timeline of the database changed during the backup');
  const names: string[] = [];
  for (let number = numberOf(first); number <= numberOf(last); number += 1) {
    names.push(`${timeline}${hex(Math.floor(number / perLog))}${hex(number % perLog)}`);
  }
  return names;
}

/** The log that a backup holds back must not fill the disk: the server needs it more than the backup. */
function watchLog(cluster: string, giveUp: (error: Error) => void, everyMs: number): NodeJS.Timeout {
  const folder = join(cluster, 'pg_wal');
  let begin: number | undefined;
  const look = async () => {
    const names = await readdir(folder);
    const sizes = await Promise.all(
      names.map(async (name) => (await stat(join(folder, name)).catch(ignoreMissing))?.size ?? 0),
    );
    const size = sizes.reduce((sum, each) => sum + each, 0);
    begin ??= size;
    const { bavail, bsize } = await statfs(folder);
    if (size - begin > (bavail * bsize) / 2) {
      giveUp(
        new EmbeddedDatabaseError(
          'The backup was given up: the log of the database grew over half of the free space.',
        ),
      );
    }
  };
  const timer = setInterval(() => void look().catch(() => {}), everyMs);
  return timer.unref();
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
