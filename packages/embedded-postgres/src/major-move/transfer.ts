import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { EmbeddedDatabaseError } from '../errors.ts';
import type { Partition, Sequence, Table } from './catalog.ts';
import type { Suspend } from './restore.ts';

const quote = (name: string) => pg.escapeIdentifier(name);
const qualified = ({ schema, name }: { schema: string; name: string }) => `${quote(schema)}.${quote(name)}`;
const columnsOf = ({ columns }: Table) => columns.map(({ name }) => quote(name)).join(', ');

/** Values are written the same by both. */
const plainSession = `
  set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = 1; set xmlbinary = 'base64'; set statement_timeout = 0`;

export const speakPlainly = (client: pg.Client) => client.query(plainSession);

/** The days of measurements: whoever wrote the database must not have us run more than that. */
const plainBound = /^FOR VALUES FROM \('[^'\\]{1,40}'\) TO \('[^'\\]{1,40}'\)$/;

/** Makes the parts of tables that the old database has, and no others. */
export async function matchPartitions(
  client: { query(statement: string): Promise<unknown> },
  wanted: readonly Partition[],
  made: readonly Partition[],
): Promise<void> {
  const foreign = wanted.find(({ bound }) => !plainBound.test(bound));
  if (foreign) {
    throw new EmbeddedDatabaseError(
      `The database cannot be moved: its table ${foreign.schema}.${foreign.name} is a part of ${foreign.parent} that is not of this Pult.`,
    );
  }
  for (const partition of made) await client.query(`drop table ${qualified(partition)}`);
  for (const partition of wanted) {
    const parent = qualified({ schema: partition.schema, name: partition.parent });
    await client.query(`create table ${qualified(partition)} (like ${parent} including all)`);
    await client.query(`alter table ${parent} attach partition ${qualified(partition)} ${partition.bound}`);
  }
}

/**
 * Copies all rows and where the sequences stand, in one transaction of either database: of one snapshot, and whole or not at all. Triggers
 * and foreign keys are suspended meanwhile: what they would do is in the rows.
 */
export async function transferRows(
  { old, made }: { old: pg.Client; made: pg.Client },
  {
    tables,
    sequences,
    suspend,
  }: { tables: readonly Table[]; sequences: readonly Sequence[]; suspend: Suspend },
  onProgress: (table: Table, bytes: number) => void,
): Promise<void> {
  await made.query('begin');
  const restore = await suspend(made);
  if (tables.length > 0) await made.query(`truncate ${tables.map(qualified).join(', ')}`);
  for (const table of tables) {
    let bytes = 0;
    const count = new Transform({
      transform(chunk: Buffer, _encoding, callback) {
        bytes += chunk.length;
        onProgress(table, bytes);
        callback(null, chunk);
      },
    });
    const target = `${qualified(table)} (${columnsOf(table)})`;
    await pipeline(
      old.query(copyTo(`copy ${target} to stdout`)),
      count,
      // The table was emptied in this transaction: its rows need no second look by vacuum.
      made.query(copyFrom(`copy ${target} from stdin with (freeze)`)),
    );
  }
  for (const sequence of sequences) {
    const { rows } = await old.query<{ last: string; called: boolean }>(
      `select last_value as last, is_called as called from ${qualified(sequence)}`,
    );
    const [state] = rows;
    if (state) await made.query('select setval($1, $2, $3)', [qualified(sequence), state.last, state.called]);
  }
  await restore();
  await made.query('commit');
}

/** Number and checksum of the rows of each table, in whatever order they stand. */
export async function digestTables(
  client: pg.Client,
  tables: readonly Table[],
): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for (const table of tables) {
    const { rows } = await client.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(sum(('x' || left(md5(r::text), 16))::bit(64)::bigint::numeric), 0) as digest
       from (select ${columnsOf(table)} from ${qualified(table)}) r`,
    );
    digests.set(`${table.schema}.${table.name}`, rows[0]?.digest ?? '');
  }
  return digests;
}

export function assertSameDigests(old: ReadonlyMap<string, string>, made: ReadonlyMap<string, string>): void {
  for (const [table, digest] of old) {
    if (made.get(table) === digest) continue;
    throw new EmbeddedDatabaseError(
      `The database was not moved: the rows of ${table} are not the same in the new one (${digest} before, ${made.get(table)} after).`,
    );
  }
}

export const countRows = (digests: ReadonlyMap<string, string>) =>
  [...digests.values()].reduce((sum, digest) => sum + Number(digest.split(' ')[0]), 0);
