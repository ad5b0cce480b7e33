import { type Kysely, sql } from 'kysely';

/** Public keys by which people log in to the SSH jump host. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The digest is that of the blob. Unique over all accounts: a key says who comes before any name is believed.
  `create table ssh_keys (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    name text not null,
    type text not null,
    blob bytea not null,
    digest bytea not null unique,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create index ssh_keys_user_id on ssh_keys (user_id)`,
];
