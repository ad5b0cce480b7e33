import { type Kysely, sql } from 'kysely';

/** Administrators of the installation; where there are users already, the first of them, as in a new one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column is_administrator boolean not null default false`.execute(db);
  await sql`update users set is_administrator = true
    where id = (select id from users order by created_at, id limit 1)`.execute(db);
}
