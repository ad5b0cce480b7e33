import { type Kysely, sql } from 'kysely';

/** Figures of whole fleets over time, summed up while they come: of 10,000 controllers nobody waits for a day's points. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Of the controllers' averages in the five minutes from `at`.
  `create table fleet_metrics (
    organization_id uuid not null references organizations on delete cascade,
    name text collate "C" not null,
    at timestamptz not null,
    controllers integer not null,
    lowest double precision not null,
    median double precision not null,
    highest double precision not null,
    primary key (organization_id, name, at)
  )`,
  // How often the five minutes from `at` were summed up: again after a while, with what devices told late.
  `create table fleet_metric_passes (
    at timestamptz primary key,
    passes integer not null
  )`,
  `create table fleet_presence (
    organization_id uuid not null references organizations on delete cascade,
    at timestamptz not null,
    online integer not null,
    total integer not null,
    primary key (organization_id, at)
  )`,
  // For what is past the retention.
  `create index fleet_metrics_at on fleet_metrics using brin (at)`,
  `create index fleet_presence_at on fleet_presence using brin (at)`,
];
