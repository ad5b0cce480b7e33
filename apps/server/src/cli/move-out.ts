import { findCluster } from '@pult/embedded-postgres';
import { createArchiveStore } from '../features/diagnostics/index.ts';
import { copyDatabaseOut } from '../platform/db/major-move/index.ts';
import { createLog } from '../platform/log.ts';
import { findSecrets } from '../shared-secrets.ts';
import { readConfig } from './with-database.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Copies the embedded database into that of DATABASE_URL, for a server that is to run on that one: with several nodes, say. */
export async function copyDatabase(): Promise<void> {
  const config = readConfig();
  const { dir } = config.data;
  const { url } = config.database;
  if (url === undefined) throw new Error('DATABASE_URL has to name an empty database, which is filled.');
  // Those of the data folder: the new database has none yet that SECRETS_KEY could open.
  const own = { data: config.data, secrets: { ...config.secrets, key: undefined } };
  const secrets = await findSecrets(own, () => Promise.reject(new Error('not in a database')));
  if (!secrets || !(await findCluster(dir))) {
    throw new Error(`There is no embedded database in ${dir}: name the folder of the server in DATA_DIR.`);
  }
  const { tables, rows } = await copyDatabaseOut({
    dataDir: dir,
    password: secrets.databasePassword,
    url,
    log: createLog('warn'),
    progress: { info: tellProgress },
  });
  print(`Copied and compared: ${rows} rows in ${tables} tables.`);
  print(
    'The embedded database stays as it was: start the server with DATABASE_URL only, or both go on by themselves.',
  );
}

function tellProgress(given: unknown, ...more: unknown[]): void {
  const { percent, table } = given as { percent?: number; table?: string };
  process.stderr.write(
    percent === undefined ? `${[given, ...more].join(' ')}\n` : `${percent} % (${table})\n`,
  );
}

/** Copies the archives of the data folder into the bucket; those that are there already stay. */
export async function copyArchives(): Promise<void> {
  const { data, diagnostics } = readConfig();
  const { s3 } = diagnostics;
  if (!s3) throw new Error('S3_BUCKET has to name the bucket that the archives are copied to.');
  const from = await createArchiveStore({ dataDir: data.dir, s3: undefined });
  const to = await createArchiveStore({ dataDir: data.dir, s3 });
  const there = new Set(await to.list());
  const names = (await from.list()).filter((name) => !there.has(name));
  for (const name of names) await to.save(name, await from.read(name));
  print(`Copied: ${names.length} archives to the bucket ${s3.bucket}; ${there.size} were there.`);
}
