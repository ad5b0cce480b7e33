import { type Kysely, sql } from 'kysely';

/** Passkeys (Web Authentication) of users with TOTP. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table passkeys (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    name text not null,
    credential_id bytea not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    is_synced boolean not null,
    -- The host of PUBLIC_URL when it was made: at another one it is never asked for.
    relying_party text not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`.execute(db);
  await sql`create index passkeys_user_id on passkeys (user_id)`.execute(db);
}
