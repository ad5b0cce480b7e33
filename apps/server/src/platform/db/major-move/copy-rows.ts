import type { Logger } from '../../log.ts';
import { connectDatabase } from '../connect.ts';
import { migrateTo, readSchemaState } from '../migrate.ts';
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
import type { Opened } from './open.ts';
import { createMoveProgress } from './progress.ts';
import type { Rest } from './rest.ts';
import { digestTables, matchPartitions, transferRows } from './transfer.ts';

export interface Copied {
  tables: Table[];
  /** Of the old database. */
  digests: Map<string, string>;
}

interface Options {
  log: Logger;
  /** Told now and then how far it is. */
  progress: Pick<Logger, 'info'>;
  rest: Rest;
}

/** Gives an empty database the tables of another one, and all of its rows as they are at one moment. */
export async function copyRows(
  { old, made }: { old: Opened; made: Opened },
  { log, progress: told, rest }: Options,
): Promise<Copied> {
  await old.client.query('begin isolation level repeatable read read only');
  await makeSchema({ old, made }, log);
  await matchPartitions(made.client, await listPartitions(old.client), await listPartitions(made.client));
  assertSameHolders(await listHolders(old.client), await listHolders(made.client));
  const left = listLeftBehind(await listHelpers(old.client), await listHelpers(made.client));
  if (left.length > 0) log.warn({ left }, 'not of this Pult, and left behind with the old database');
  const tables = planTables(await listTables(old.client), await listTables(made.client));
  const progress = createMoveProgress((await measureTables(old.client)).tables, told);
  try {
    await transferRows(
      { old: old.client, made: made.client },
      { tables, sequences: await listSequences(old.client), rest },
      progress.note,
    );
  } finally {
    progress.end();
  }
  told.info('all rows are copied: they are counted and compared');
  await made.client.query('analyze');
  return { tables, digests: await digestTables(old.client, tables) };
}

/** By our migrations and the queue's, as far as they were done to the old database. */
async function makeSchema({ old, made }: { old: Opened; made: Opened }, log: Logger): Promise<void> {
  const from = connectDatabase(old.connection, log, 1);
  const to = connectDatabase(made.connection, log, 2);
  try {
    const { rows } = await old.client.query("select to_regnamespace('graphile_worker') is not null as there");
    await migrateTo(to, log, { state: await readSchemaState(from.db), hasQueue: rows[0].there });
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}
