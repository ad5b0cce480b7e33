import { type Kysely, sql } from 'kysely';

/** Keys of organizations by which devices claim themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table enrolment_keys (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    name text not null,
    prefix text not null,
    key_hash bytea not null unique,
    -- No reference: a deleted group that is brought back gets its keys back with it.
    group_id uuid,
    uses integer not null default 0,
    max_uses integer not null check (uses <= max_uses),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    created_by uuid references users on delete set null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`.execute(db);
  await sql`create index enrolment_keys_organization on enrolment_keys (organization_id)`.execute(db);
  await sql`create index enrolment_keys_created_by on enrolment_keys (created_by)`.execute(db);
}
