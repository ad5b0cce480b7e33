import { type Kysely, sql } from 'kysely';

/** Programs that log in by a code which a person types in the console (RFC 8628). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table device_logins (
    id uuid primary key,
    device_hash bytea not null unique,
    user_code_hash bytea not null unique,
    host_name text not null,
    scopes text[] not null,
    address text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    polled_at timestamptz,
    interval_seconds integer not null,
    is_denied boolean not null,
    user_id uuid references users on delete cascade,
    approved_from text,
    check (not (is_denied and user_id is not null))
  )`,
  `create index device_logins_user_id on device_logins (user_id) where user_id is not null`,
  `create index device_logins_expires_at on device_logins (expires_at)`,
];
