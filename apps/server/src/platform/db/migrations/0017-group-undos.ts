import { type Kysely, sql } from 'kysely';

/** What it takes to undo a change of groups, for as long as that may be asked for; ADR 18. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table group_undos (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    kind text not null check (kind in ('deletion', 'move')),
    made_at timestamptz not null,
    content jsonb not null
  )`,
  `create index group_undos_organization on group_undos (organization_id)`,
  `create index group_undos_made on group_undos (made_at)`,
];
