import { type Kysely, sql } from 'kysely';

/** What stands in the way of a certificate, in the languages of the product; until now in English. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['problem', 'advice'].map((name) => sql.ref(name))) {
    await sql`alter table acme_certificates alter column ${column} type jsonb
      using case when ${column} is not null then jsonb_build_object('en', ${column}, 'ru', ${column}) end`.execute(
      db,
    );
  }
}
