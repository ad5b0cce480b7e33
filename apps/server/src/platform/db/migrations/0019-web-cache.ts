import { type Kysely, sql } from 'kysely';

/** Whether answers of a controller's web interfaces are kept, and how much of its line that has saved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table web_caches (
        controller_id uuid primary key references controllers on delete cascade,
        enabled boolean not null default true,
        saved_bytes bigint not null default 0 check (saved_bytes >= 0)
      )`,
    )
    .execute(db);
}
