import { type Kysely, sql } from 'kysely';

/** Keys for the jump host that count for minutes, and end with the session or the token that has asked for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table ssh_keys
    add column session_id uuid references sessions on delete cascade,
    add column expires_at timestamptz,
    add check ((session_id is null) = (expires_at is null))`,
  `create index ssh_keys_session_id on ssh_keys (session_id) where session_id is not null`,
];
