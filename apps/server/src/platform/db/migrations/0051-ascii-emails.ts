import { domainToASCII } from 'node:url';
import { type Kysely, sql } from 'kysely';

/** `pult user add` took domains in any script, and accounts are looked up by the ASCII of these now. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from users where kind = 'person' and octet_length(email) <> char_length(email)`.execute(
    db,
  );
  for (const { id, email } of rows) {
    const start = email.lastIndexOf('@') + 1;
    const domain = domainToASCII(email.slice(start));
    if (domain === '') continue; // of no host at all
    const known = email.slice(0, start) + domain;
    await sql`update users set email = ${known}
      where id = ${id} and not exists (select from users where kind = 'person' and email = ${known})`.execute(
      db,
    );
  }
}
