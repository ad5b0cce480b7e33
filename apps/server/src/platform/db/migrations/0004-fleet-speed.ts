import { type Kysely, sql } from 'kysely';

/** What lets a page of a large fleet be read, searched and counted without looking at the whole fleet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Stands for no group, so that two rows of no group are alike. */
const noGroup = `'00000000-0000-0000-0000-000000000000'::uuid`;

const statements = [
  // All that a search looks at, in lower case already: `ilike` would fold every row anew. One index instead of three,
  // which serves the filters of single columns too.
  `alter table controllers add column search_text text not null
    generated always as (lower(serial_number || E'\\n' || description || E'\\n' || firmware_version)) stored`,
  ...['serial_number', 'description', 'firmware_version'].map(
    (column) => `drop index controllers_${column}_trgm`,
  ),
  `create index controllers_search_text_trgm on controllers using gin (search_text gin_trgm_ops)`,

  // How many controllers there are, as sums of changes. Writers only add rows and so never wait for each other; a
  // job adds up what has gathered.
  `create table organization_counts (
    organization_id uuid not null,
    status text not null,
    change integer not null
  )`,
  `create index organization_counts_organization on organization_counts (organization_id) include (status, change)`,
  `create table group_counts (
    organization_id uuid not null,
    group_id uuid not null,
    status text not null,
    change integer not null
  )`,
  `create index group_counts_group on group_counts (organization_id, group_id) include (status, change)`,
  ...[
    { operation: 'insert', rows: `select organization_id, group_id, status, 1 as change from added` },
    { operation: 'delete', rows: `select organization_id, group_id, status, -1 as change from removed` },
    {
      operation: 'update',
      rows: `select organization_id, group_id, status, 1 as change from added
        union all select organization_id, group_id, status, -1 from removed`,
    },
  ].flatMap(({ operation, rows }) => {
    const tables = [
      ...(operation === 'insert' ? [] : ['old table as removed']),
      ...(operation === 'delete' ? [] : ['new table as added']),
    ];
    return [
      `create function count_controllers_${operation}() returns trigger language plpgsql as $$
      begin
        with changes as (
          select organization_id, coalesce(group_id, ${noGroup}) as group_id, status, sum(change) as change
          from (${rows}) as each group by 1, 2, 3 having sum(change) <> 0
        ), of_groups as (
          insert into group_counts select * from changes
        )
        insert into organization_counts
          select organization_id, status, sum(change) from changes group by 1, 2 having sum(change) <> 0;
        return null;
      end $$`,
      `create trigger count_controllers_${operation} after ${operation} on controllers
        referencing ${tables.join(' ')} for each statement execute function count_controllers_${operation}()`,
    ];
  }),
  `insert into group_counts
    select organization_id, coalesce(group_id, ${noGroup}), status, count(*) from controllers group by 1, 2, 3`,
  `insert into organization_counts select organization_id, status, count(*) from controllers group by 1, 2`,
];
