import { type Kysely, sql } from 'kysely';

/** Certificates that the server gets itself, and its accounts at their authorities. Keys are encrypted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table acme_accounts (
    directory text primary key,
    key bytea not null,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create table acme_certificates (
    name text primary key,
    wanted text not null,
    chain text,
    key bytea,
    issued_at timestamptz,
    renew_at timestamptz,
    failures integer not null default 0,
    failed_at timestamptz,
    problem text,
    advice text,
    next_try_at timestamptz,
    leased_until timestamptz
  )`.execute(db);
}
