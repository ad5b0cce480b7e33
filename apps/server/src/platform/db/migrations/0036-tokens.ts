import { type Kysely, sql } from 'kysely';

/** Tokens of programs. Each is a session of its own kind, so that whatever rests on a session can rest on one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table sessions add column is_token boolean not null default false`,
  `create table access_tokens (
    id uuid primary key references sessions on delete cascade,
    name text not null,
    prefix text not null,
    scopes text[] not null,
    networks text[] not null,
    last_used_at timestamptz,
    last_used_from text
  )`,
];
