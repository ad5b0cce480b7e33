import { type Kysely, sql } from 'kysely';

/** What only the installation knows, sealed under a key that is not in the database; and the challenges that devices have answered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table sealed_secrets (
    only_row boolean primary key default true check (only_row),
    content bytea not null,
    changed_at timestamptz not null
  )`,
  `create table used_challenges (
    nonce bytea primary key,
    expires_at timestamptz not null
  )`,
  `create index used_challenges_expiry on used_challenges (expires_at)`,
];
