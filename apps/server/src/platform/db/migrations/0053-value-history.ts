import { type Kysely, sql } from 'kysely';

/** What controls were: first as it was told, then by hours, days, weeks and longer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Of controls that come and go the series stay. No foreign key to the controller: when that is gone, its mark in telemetry_removals has
  // all of it removed, and this says what that is.
  `create table history_series (
    id bigint generated always as identity primary key,
    controller_id uuid not null,
    device text collate "C" not null,
    control text collate "C" not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    unique (controller_id, device, control)
  ) with (fillfactor = 90)`,
  // One row for each batch and hour, in the transaction that stores how far the device was heard. Hours and spans are counted since 1970.
  `create table history_incoming (
    id bigint generated always as identity,
    controller_id uuid not null,
    hour integer not null,
    data bytea not null
  )`,
  'create index history_incoming_controller on history_incoming (controller_id, hour)',
  // Closed hours, each with all series of its controller, until their day is closed.
  `create table history_hours (
    controller_id uuid not null,
    hour integer not null,
    data bytea not null,
    primary key (controller_id, hour)
  )`,
  // By time before series: what is forgotten together stands together, so no partitions are needed for that. They are compressed already.
  `create table history_chunks (
    resolution integer not null,
    span integer not null,
    series_id bigint not null,
    data bytea not null,
    primary key (resolution, span, series_id)
  )`,
  'alter table history_chunks alter column data set storage external',
  'alter table history_hours alter column data set storage external',
  // Spans before this one have been rolled from the finer resolution.
  `create table history_rolls (
    resolution integer primary key,
    next_span integer not null
  )`,
  // Rolled spans of which something came late.
  `create table history_dirty (
    resolution integer not null,
    span integer not null,
    series_id bigint not null,
    primary key (resolution, span, series_id)
  )`,
];
