import { type Kysely, sql } from 'kysely';

/** What devices tell: last values of their controls, and measurements by day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Up to where each controller's numbered entries are stored; written in the transaction that stores them. Values are
  // written again and again: the room that the fill factor leaves keeps such a write off the indexes.
  `create table telemetry_offsets (
    controller_id uuid primary key references controllers on delete cascade,
    stream_id text,
    last_offset bigint not null default 0,
    controls integer not null default 0,
    received_at timestamptz
  ) with (fillfactor = 60)`,
  `create table mqtt_devices (
    controller_id uuid not null references telemetry_offsets on delete cascade,
    device text collate "C" not null,
    title_en text,
    title_ru text,
    seen_at timestamptz not null,
    primary key (controller_id, device)
  )`,
  `create table mqtt_controls (
    controller_id uuid not null references telemetry_offsets on delete cascade,
    device text collate "C" not null,
    control text collate "C" not null,
    title_en text,
    title_ru text,
    type text,
    units text,
    sort_order integer,
    readonly boolean,
    error text,
    value text,
    updated_at timestamptz,
    seen_at timestamptz not null,
    primary key (controller_id, device, control)
  ) with (fillfactor = 70)`,
  // One row for all that was measured at a time: seven of one figure each would take seven times the room. No foreign
  // key: it would be looked up for every row, and a controller that is gone leaves a mark below.
  `create table metric_samples (
    controller_id uuid not null,
    at timestamptz not null,
    load15 double precision,
    cpu_usage double precision,
    mem_available double precision,
    disk_free_root double precision,
    disk_free_data double precision,
    temperature double precision,
    uptime double precision
  ) partition by range (at)`,
  // With the figures in it: those of one controller stand together here, and in the table one in every so many rows.
  `create index metric_samples_controller on metric_samples (controller_id, at) include
    (load15, cpu_usage, mem_available, disk_free_root, disk_free_data, temperature, uptime)`,
  // What a store of metrics elsewhere has not taken yet, in the order and the very words in which it will get them.
  `create table metric_outbox (
    id bigint generated always as identity primary key,
    lines text not null
  )`,
  // Controllers whose measurements are still to be removed, from whichever store has them.
  `create table telemetry_removals (controller_id uuid primary key)`,
  `create function note_telemetry_removal() returns trigger language plpgsql as $$
    begin
      insert into telemetry_removals (controller_id) values (old.controller_id) on conflict do nothing;
      return old;
    end $$`,
  `create trigger telemetry_offsets_removal after delete on telemetry_offsets
    for each row execute function note_telemetry_removal()`,
];
