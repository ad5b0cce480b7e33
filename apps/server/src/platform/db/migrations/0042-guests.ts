import { type Kysely, sql } from 'kysely';

/** Links by which guests reach one service of one controller; each is the guest of the same id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table organizations add column guests_allowed boolean not null default true`,
  `create table guest_links (
    id uuid primary key references users on delete cascade,
    controller_id uuid not null references controllers on delete cascade,
    protocol text not null,
    endpoint_port integer,
    is_read_only boolean not null,
    token_hash bytea not null unique,
    pin_hash bytea not null,
    wrong_pins integer not null default 0,
    uses integer not null default 0,
    max_uses integer not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create index guest_links_controller on guest_links (controller_id)`,
];
