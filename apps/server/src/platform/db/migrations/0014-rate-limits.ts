import { type Kysely, sql } from 'kysely';

/** Apart from the throttle of logins, whose rows are locked and refunded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table rate_limits (
    key text primary key,
    acts integer not null,
    expires_at timestamptz not null
  )`.execute(db);
  await sql`create index rate_limits_expires_at on rate_limits (expires_at)`.execute(db);
}
