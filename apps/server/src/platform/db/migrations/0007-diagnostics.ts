import { type Kysely, sql } from 'kysely';

/** Diagnostics of controllers: what was asked for, and how it went. The archives lie elsewhere, under the row's id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Without a controller: it was deleted, and its archive is still to be removed.
  `create table diagnostics (
    id uuid primary key,
    controller_id uuid references controllers on delete set null,
    requested_by uuid references users on delete set null,
    status text not null check (status in ('requested', 'collecting', 'ready', 'failed')),
    reason text,
    detail text,
    progress bigint not null default 0,
    size bigint,
    sha256 bytea,
    format text,
    created_at timestamptz not null,
    finished_at timestamptz,
    lease_until timestamptz,
    check ((status = 'ready') = (size is not null and sha256 is not null and format is not null)),
    check ((status = 'failed') = (reason is not null))
  )`,
  // One at a time for each controller, however many ask at once.
  `create unique index diagnostics_active on diagnostics (controller_id)
    where status in ('requested', 'collecting')`,
  `create index diagnostics_controller on diagnostics (controller_id, id desc)`,
  `create index diagnostics_unfinished on diagnostics (status, created_at)
    where status in ('requested', 'collecting')`,
  `create index diagnostics_requested_by on diagnostics (requested_by)`,
];
