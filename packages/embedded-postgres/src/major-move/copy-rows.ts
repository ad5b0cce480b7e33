import type { Log } from '../log.ts';
import {
  listHelpers,
  listHolders,
  listPartitions,
  listSequences,
  listTables,
  measureTables,
  type Table,
} from './catalog.ts';
import { assertSameHolders, listLeftBehind, planTables } from './compare.ts';
import type { ConnectionSettings, Opened } from './open.ts';
import { createMoveProgress } from './progress.ts';
import type { Suspend } from './restore.ts';
import { digestTables, matchPartitions, transferRows } from './transfer.ts';

export interface Copied {
  tables: Table[];
  /** Of the old database. */
  digests: Map<string, string>;
}

/** The tables of the databases: whoever uses them knows how these are made. */
export interface Schema {
  /** Gives the empty database `made` the tables that `old` has, in the version that it has them. */
  create(databases: { old: ConnectionSettings; made: ConnectionSettings }): Promise<void>;
  /** The PostgreSQL schema of a library that makes its tables itself, and may be newer than the one that made the old ones. */
  librarySchema: string;
}

interface Options {
  schema: Schema;
  log: Log;
  /** Told now and then how far it is. */
  progress: Pick<Log, 'info'>;
  suspend: Suspend;
}

/** Gives an empty database the tables of another one, and all of its rows as they are at one moment. */
export async function copyRows(
  { old, made }: { old: Opened; made: Opened },
  { schema, log, progress: told, suspend }: Options,
): Promise<Copied> {
  await old.client.query('begin isolation level repeatable read read only');
  const { librarySchema } = schema;
  await schema.create({ old: old.connection, made: made.connection });
  await matchPartitions(made.client, await listPartitions(old.client), await listPartitions(made.client));
  assertSameHolders(await listHolders(old.client), await listHolders(made.client), librarySchema);
  const left = listLeftBehind(await listHelpers(old.client), await listHelpers(made.client), librarySchema);
  if (left.length > 0) log.warn({ left }, 'not of this Pult, and left behind with the old database');
  const tables = planTables(await listTables(old.client), await listTables(made.client), librarySchema);
  const progress = createMoveProgress((await measureTables(old.client)).tables, told);
  try {
    await transferRows(
      { old: old.client, made: made.client },
      { tables, sequences: await listSequences(old.client), suspend },
      progress.note,
    );
  } finally {
    progress.end();
  }
  told.info('all rows are copied: they are counted and compared');
  await made.client.query('analyze');
  return { tables, digests: await digestTables(old.client, tables) };
}
