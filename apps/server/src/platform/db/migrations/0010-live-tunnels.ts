import { type Kysely, sql } from 'kysely';

/** What goes and went through tunnels, and that a tunnel ends with the password it was opened under. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A digest of the password's hash: a tunnel holds while its user has the password they had when they opened it.
  `alter table tunnels add column credential_version text`,
  `update tunnels set credential_version = encode(sha256(convert_to(users.password_hash, 'UTF8')), 'hex')
    from users where users.id = tunnels.user_id`,
  `alter table tunnels alter column credential_version set not null`,
  // Kept after its user, controller and grant are gone: it says who was where.
  `create table tunnel_records (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    user_id uuid references users on delete set null,
    controller_id uuid references controllers on delete set null,
    serial_number text not null,
    kind text not null,
    port integer,
    address text not null,
    started_at timestamptz not null,
    noted_at timestamptz not null,
    ended_at timestamptz,
    end_reason text,
    ended_by uuid references users on delete set null,
    bytes_in bigint not null,
    bytes_out bigint not null,
    check ((ended_at is null) = (end_reason is null))
  )`,
  `create index tunnel_records_live on tunnel_records (organization_id, started_at desc, id desc)
    where ended_at is null`,
  `create index tunnel_records_ended on tunnel_records (organization_id, ended_at desc, id desc)
    where ended_at is not null`,
  `create index tunnel_records_user on tunnel_records (user_id)`,
  `create index tunnel_records_controller on tunnel_records (controller_id)`,
  `create index tunnel_records_ended_by on tunnel_records (ended_by) where ended_by is not null`,
  `create index tunnel_records_ended_at on tunnel_records (ended_at)`,
];
