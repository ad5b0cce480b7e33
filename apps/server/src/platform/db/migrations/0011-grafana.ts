import { type Kysely, sql } from 'kysely';

/** What Pult keeps in a Grafana, and who is in it by way of the console. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // No reference: what is deleted here is still to be deleted there. No id of Grafana's: not made there yet.
  `create table grafana_organizations (
    organization_id uuid primary key,
    grafana_id bigint unique,
    name text,
    revision text
  )`,
  `create table grafana_members (
    organization_id uuid not null,
    user_id uuid not null,
    grafana_id bigint,
    role text,
    primary key (organization_id, user_id)
  )`,
  `create table grafana_accesses (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    session_id uuid not null references sessions on delete cascade,
    organization_id uuid not null references organizations on delete cascade,
    path text not null,
    ticket_hash bytea unique,
    ticket_expires_at timestamptz not null,
    cookie_hash bytea unique,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index grafana_accesses_user on grafana_accesses (user_id, id)`,
  `create index grafana_accesses_session on grafana_accesses (session_id)`,
  `create index grafana_accesses_organization on grafana_accesses (organization_id)`,
  `create index grafana_accesses_expiry on grafana_accesses (expires_at)`,
];
