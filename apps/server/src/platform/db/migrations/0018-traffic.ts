import { type Kysely, sql } from 'kysely';

/** Bytes of controllers by day and kind, those of this month together, and what they may come to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table traffic_days (
    controller_id uuid not null references controllers on delete cascade,
    day date not null,
    web bigint not null,
    terminal bigint not null,
    telemetry bigint not null,
    diagnostics bigint not null,
    keepalive bigint not null,
    primary key (controller_id, day)
  ) with (fillfactor = 80)`,
  // What is forgotten, day by day.
  `create index traffic_days_day on traffic_days (day)`,
  // Of the current month only: so the list, its order and the budgets ask for no date.
  `create table month_traffic (
    controller_id uuid primary key references controllers on delete cascade,
    organization_id uuid not null,
    month date not null,
    bytes bigint not null
  )`,
  `create index month_traffic_bytes on month_traffic (organization_id, bytes, controller_id)`,
  `alter table controllers add column traffic_budget bigint check (traffic_budget > 0)`,
  `alter table groups add column traffic_budget bigint check (traffic_budget > 0)`,
];
