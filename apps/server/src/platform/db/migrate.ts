import { runMigrations } from 'graphile-worker';
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { version as ownVersion } from '../../version.ts';
import { compareReleases } from '../compare-versions.ts';
import { createWorkerLogger } from '../jobs/log.ts';
import type { Logger } from '../log.ts';
import type { DatabaseConnection } from './connect.ts';
import { migrationCosts } from './migrations/costs.ts';
import { migrations } from './migrations/index.ts';
import type { Database } from './schema.ts';

/** Kysely's own table, which our schema does not list. */
type MigrationTable = { kysely_migration: { name: string } };

/** How far the schema of a database is from that of this server. */
export interface SchemaState {
  /** No server has ever started on it. */
  isEmpty: boolean;
  /** The last one that was done; undefined in an empty database. */
  current: string | undefined;
  /** In the order in which they will be done. */
  pending: readonly string[];
  /** Done by a newer server, or an older one of another history. */
  unknown: readonly string[];
  /** The oldest release that may run on it; undefined where nothing says so yet. */
  readableSince: string | undefined;
}

/** What takes long on a large database is not cut off, as a statement of a call would be. */
const withoutTimeout = ({ up }: Migration): Migration => ({
  async up(db: Kysely<unknown>) {
    await sql`set local statement_timeout = 0`.execute(db);
    await up(db);
  },
});

const provider = {
  getMigrations: async () =>
    Object.fromEntries(
      Object.entries(migrations).map(([name, migration]) => [name, withoutTimeout(migration)]),
    ),
};

/** Whether this server has a migration of that name. */
export const isKnownMigration = (name: string) => Object.hasOwn(migrations, name);

/** Reads only. */
export async function readSchemaState(db: Database): Promise<SchemaState> {
  // Kysely makes its table at the first migration; asked before, an empty database has none.
  const tables = (await db.introspection.getTables({ withInternalKyselyTables: true })).map(
    ({ name }) => name,
  );
  const rows = tables.includes('kysely_migration')
    ? await db
        .withTables<MigrationTable>()
        .selectFrom('kysely_migration')
        .select('name')
        .orderBy('name')
        .execute()
    : [];
  const done = rows.map(({ name }) => name);
  const compatibility = tables.includes('schema_compatibility')
    ? await db.selectFrom('schema_compatibility').select('readable_since').executeTakeFirst()
    : undefined;
  return {
    isEmpty: done.length === 0,
    current: done.at(-1),
    pending: Object.keys(migrations).filter((name) => !done.includes(name)),
    unknown: done.filter((name) => !isKnownMigration(name)),
    readableSince: compatibility?.readable_since,
  };
}

/** Of the database on its disk. */
export async function readDatabaseBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Throws when the database has been migrated by what this server does not know, unless that has said that servers of this version
 * may go on: it would be taken for another schema than it has.
 */
export function assertReadable(state: SchemaState, version: string): void {
  const { pending, unknown, readableSince } = state;
  if (unknown.length === 0) return;
  const last = Object.keys(migrations).at(-1) ?? '';
  const isNewer = unknown.every((name) => name > last);
  if (isNewer && pending.length === 0 && readableSince && compareReleases(version, readableSince) >= 0)
    return;
  throw new Error(
    `This data folder is of ${isNewer ? 'a newer' : 'an older'} Pult and cannot be used: its database has the ` +
      `migration ${unknown[0]}, which this server does not know. ` +
      (isNewer
        ? `Install ${readableSince && compareReleases(version, readableSince) < 0 ? `Pult ${readableSince} or newer` : 'the newer Pult'} again.`
        : 'Name an empty folder in DATA_DIR, or an empty database in DATABASE_URL.'),
  );
}

/** For what works with a database and must not change its schema: commands. */
export async function assertCurrentSchema(db: Database, version = ownVersion): Promise<void> {
  const state = await readSchemaState(db);
  assertReadable(state, version);
  if (state.pending.length === 0) return;
  throw new Error(
    state.isEmpty
      ? 'The database is empty: start the server once, which makes its tables.'
      : `The database is of an older version (${state.pending.length} migrations behind): start this version of the server first.`,
  );
}

/**
 * Brings the schema up to date, ours and that of the job queue, which transactions write to. Several servers
 * starting at once wait for each other (Kysely's lock; the queue's library sees its own clashes). `beforeChange` is done before
 * a schema that has data is changed.
 */
export async function migrateDatabase(
  { db, pool }: DatabaseConnection,
  log: Logger,
  { version = ownVersion, beforeChange }: { version?: string; beforeChange?: () => Promise<void> } = {},
): Promise<void> {
  const state = await readSchemaState(db);
  assertReadable(state, version);
  // A newer server has been here, and says that this one may go on: Kysely would refuse what it does not know.
  if (state.unknown.length > 0) return;
  if (!state.isEmpty && state.pending.length > 0) await beforeChange?.();
  const migrator = new Migrator({ db, provider });
  const { error } = await migrator.migrateToLatest();
  if (error) throw new Error('The database could not be migrated', { cause: error });
  await runMigrations({ pgPool: pool, logger: createWorkerLogger(log) });
}

/** Gives an empty database the schema that another one has, which may be of an earlier release. */
export async function migrateTo(
  connection: Pick<DatabaseConnection, 'db' | 'pool'>,
  log: Logger,
  { state, hasQueue }: { state: SchemaState; hasQueue: boolean },
): Promise<void> {
  assertReadable(state, ownVersion);
  const [foreign] = state.unknown;
  if (foreign !== undefined) {
    throw new Error(
      `The database has the migration ${foreign}, which this server does not know. Install the newer Pult again.`,
    );
  }
  if (state.current !== undefined) await measureMigrations(connection, { until: state.current });
  if (hasQueue) await runMigrations({ pgPool: connection.pool, logger: createWorkerLogger(log) });
}

export interface MigrationTime {
  name: string;
  milliseconds: number;
}

/** Does what is to be done one by one, each measured: for rehearsals. A server does all of it at once, or nothing. */
export async function measureMigrations(
  { db }: Pick<DatabaseConnection, 'db'>,
  { until = Object.keys(migrations).at(-1) }: { until?: string | undefined } = {},
): Promise<MigrationTime[]> {
  const migrator = new Migrator({ db, provider });
  const times: MigrationTime[] = [];
  for (const name of (await readSchemaState(db)).pending) {
    const startedAt = performance.now();
    const { error } = await migrator.migrateTo(name);
    if (error) throw new Error(`The migration ${name} fails: ${errorText(error)}`, { cause: error });
    times.push({ name, milliseconds: performance.now() - startedAt });
    if (name === until) break;
  }
  return times;
}

/** By the size of this database and what was measured elsewhere; of what is not listed there nothing is known. */
export async function estimateMigrations(
  db: Database,
  { pending }: Pick<SchemaState, 'pending'>,
): Promise<{ milliseconds: number; unmeasured: string[] }> {
  // As many as the database thinks: counting them would read them all.
  const { rows } = await sql<{ rows: number }>`
    select greatest(reltuples, 0)::float8 as rows from pg_class where oid = to_regclass('controllers')`.execute(
    db,
  );
  const share = (rows[0]?.rows ?? 0) / 100_000;
  const known = pending.filter((name) => name in migrationCosts);
  return {
    milliseconds: known.reduce((sum, name) => sum + leastMs + (migrationCosts[name] ?? 0) * share, 0),
    unmeasured: pending.filter((name) => !(name in migrationCosts)),
  };
}

/** Of a change that touches no rows. */
const leastMs = 20;

const errorText = (error: unknown) => (error instanceof Error ? error.message : String(error));
