import { type Kysely, sql } from 'kysely';

/** Where events of organizations are sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table webhooks (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    name text not null,
    -- Encrypted: its address may be as secret as the key that signs.
    receiver bytea not null,
    events text[],
    enabled boolean not null,
    created_by uuid references users on delete set null,
    created_at timestamptz not null
  )`,
  `create index webhooks_organization on webhooks (organization_id)`,
  `create index webhooks_created_by on webhooks (created_by)`,
  `alter table deliveries add column webhook_id uuid references webhooks on delete cascade`,
  `create index deliveries_webhook on deliveries (webhook_id, created_at desc, id desc) where webhook_id is not null`,
  // By which a controller's status is told once each time that it changes.
  `create table told_presence (
    controller_id uuid primary key references controllers on delete cascade,
    status text not null
  )`,
];
