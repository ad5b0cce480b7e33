import { type Kysely, sql } from 'kysely';

/** What makes every order and filter of the list an index scan, and the tree's and the map's figures too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The order by last_seen_at without its writes: whoever is online is seen now, all alike. The value changes only
  // when the status does, so the touch of every minute still touches no index.
  `alter table controllers
    add column seen_rank timestamptz
    generated always as (case when status = 'online' then 'infinity'::timestamptz else last_seen_at end) stored`,
  `create index controllers_seen_rank on controllers (organization_id, seen_rank, serial_number)`,
  // The controllers of a group in their order, and how many each group has; for the foreign key as well.
  `drop index controllers_group`,
  `create index controllers_group on controllers (organization_id, group_id, serial_number)`,
  `create index controllers_coordinates on controllers (organization_id, latitude, longitude)
    include (status, serial_number) where latitude is not null`,
  `create index groups_alphabetical on groups
    (organization_id, (translate(lower(name), 'ё', 'е') collate "C"))`,
  `create index groups_name_trgm on groups using gin (name gin_trgm_ops)`,
];
