import type pg from 'pg';

export interface Table {
  schema: string;
  name: string;
  /** Those that are written, in their order; not what the database computes. */
  columns: { name: string; type: string }[];
}

export interface Relation {
  kind: string;
  schema: string;
  name: string;
}

export interface Partition {
  schema: string;
  name: string;
  parent: string;
  /** `FOR VALUES …` or `DEFAULT`, as PostgreSQL writes it. */
  bound: string;
}

export interface Sequence {
  schema: string;
  name: string;
}

type Client = Pick<pg.Client, 'query'>;

/** Not the database's own, nor an extension's. */
const own = (catalog: 'pg_class' | 'pg_proc', oid: string) => `
  n.nspname !~ '^(pg_|information_schema$)' and not exists (
    select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

const kinds: Readonly<Record<string, string>> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  S: 'sequence',
  f: 'foreign table',
  i: 'index',
  I: 'index',
};

async function listRelations(client: Client, relkinds: string): Promise<Relation[]> {
  const { rows } = await client.query<Relation>(
    `select c.relkind as kind, n.nspname as schema, c.relname as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = any ($1::"char"[]) and not c.relispartition and ${own('pg_class', 'c.oid')} order by 2, 3`,
    [`{${[...relkinds].join(',')}}`],
  );
  return rows.map(({ kind, ...rest }) => ({ ...rest, kind: kinds[kind] ?? kind }));
}

/** All that holds rows or shows them. */
export const listHolders = (client: Client) => listRelations(client, 'rpvmSf');

/** What works on rows: indexes and functions. */
export async function listHelpers(client: Client): Promise<Relation[]> {
  const { rows } = await client.query<Relation>(
    `select 'function' as kind, n.nspname as schema, p.proname as name
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${own('pg_proc', 'p.oid')}`,
  );
  return [...(await listRelations(client, 'iI')), ...rows];
}

/** Those that have rows of their own: a table in parts has none. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name,
       coalesce(json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
         filter (where a.attgenerated = ''), '[]') as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and ${own('pg_class', 'c.oid')}
     group by 1, 2 order by 1, 2`,
  );
  return rows;
}

export async function listPartitions(client: Client): Promise<Partition[]> {
  const { rows } = await client.query<Partition>(
    `select n.nspname as schema, c.relname as name, parent.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_inherits i on i.inhrelid = c.oid
     join pg_class parent on parent.oid = i.inhparent
     where c.relkind = 'r' and c.relispartition and ${own('pg_class', 'c.oid')} order by 1, 2`,
  );
  return rows;
}

/** Names as SQL, quoted. */
export interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Not those that parts of tables have from their whole. */
export async function listForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select k.conrelid::regclass::text as table, quote_ident(k.conname) as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and ${own('pg_class', 'c.oid')} order by 1, 2`,
  );
  return rows;
}

/** Tables with triggers, as SQL, quoted. */
export async function listTriggered(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `select distinct c.oid::regclass::text as table
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where not t.tgisinternal and ${own('pg_class', 'c.oid')} order by 1`,
  );
  return rows.map(({ table }) => table);
}

export async function listSequences(client: Client): Promise<Sequence[]> {
  return listRelations(client, 'S');
}

/** Bytes of each table's rows, for progress, and of the whole database with its indexes. */
export async function measureTables(
  client: Client,
): Promise<{ databaseBytes: number; tables: Map<string, number> }> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select n.nspname || '.' || c.relname as name, pg_table_size(c.oid) as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${own('pg_class', 'c.oid')}`,
  );
  const { rows: sizes } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  return {
    databaseBytes: Number(sizes[0]?.bytes ?? 0),
    tables: new Map(rows.map(({ name, bytes }) => [name, Number(bytes)])),
  };
}
