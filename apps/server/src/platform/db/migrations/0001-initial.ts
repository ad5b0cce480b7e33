import { type Kysely, sql } from 'kysely';

/** Accounts, organizations, controllers, tunnels. Migrations are written in SQL: they outlive our types. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table users (
    id uuid primary key,
    email text not null unique check (email = lower(email)),
    password_hash text not null,
    locale text not null,
    created_at timestamptz not null
  )`,
  `create table sessions (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    token_hash bytea not null unique,
    address text not null,
    user_agent text not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index sessions_user_id on sessions (user_id)`,
  `create table login_throttle (
    key text primary key,
    attempts integer not null,
    locked_until timestamptz,
    counted_since timestamptz not null
  )`,
  `create index login_throttle_counted_since on login_throttle (counted_since)`,
  `create table organizations (
    id uuid primary key,
    name text not null,
    totp_required boolean not null default false,
    created_at timestamptz not null
  )`,
  `create table memberships (
    organization_id uuid not null references organizations on delete cascade,
    user_id uuid not null references users on delete cascade,
    role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
    joined_at timestamptz not null,
    primary key (organization_id, user_id)
  )`,
  `create index memberships_user_id on memberships (user_id)`,
  `create table groups (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    parent_id uuid,
    name text not null,
    created_at timestamptz not null,
    unique (organization_id, id),
    foreign key (organization_id, parent_id) references groups (organization_id, id) on delete cascade
  )`,
  `create unique index groups_name on groups (organization_id, parent_id, name) nulls not distinct`,
  `create table enrolments (
    id uuid primary key,
    handle bytea not null unique,
    serial_number text not null,
    public_key bytea not null,
    model text not null,
    firmware_version text not null,
    agent_version text not null,
    token_epoch integer not null default 0,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    unique (serial_number, public_key)
  )`,
  `create index enrolments_key_id on enrolments (serial_number, sha256(public_key))`,
  `create index enrolments_last_seen_at on enrolments (last_seen_at)`,
  `create table controllers (
    id uuid primary key,
    serial_number text not null unique,
    organization_id uuid not null references organizations on delete cascade,
    enrolment_id uuid not null unique references enrolments,
    group_id uuid,
    description text not null default '',
    latitude double precision check (latitude between -90 and 90),
    longitude double precision check (longitude between -180 and 180),
    model text not null,
    firmware_version text not null,
    agent_version text not null,
    status text not null check (status in ('online', 'offline', 'never')),
    status_reason text not null,
    status_since timestamptz not null,
    last_seen_at timestamptz,
    activated_at timestamptz not null,
    ssh_host_key bytea,
    check ((latitude is null) = (longitude is null)),
    foreign key (organization_id, group_id) references groups (organization_id, id) on delete set null (group_id)
  ) with (fillfactor = 80)`,
  `create index controllers_organization on controllers (organization_id, serial_number)`,
  `create index controllers_group on controllers (group_id)`,
  // One for each order of the list. Not for last_seen_at: it is written every minute, and without an index on
  // it such a write touches no index at all, given the room that the fill factor leaves.
  `create index controllers_status on controllers (organization_id, status desc, serial_number)`,
  `create index controllers_activated_at on controllers (organization_id, activated_at, serial_number)`,
  ...['description', 'firmware_version'].map(
    (column) => `create index controllers_${column} on controllers
      (organization_id, (translate(lower(${column}), 'ё', 'е') collate "C"), serial_number)`,
  ),
  ...['serial_number', 'description', 'firmware_version'].map(
    (column) => `create index controllers_${column}_trgm on controllers using gin (${column} gin_trgm_ops)`,
  ),
  `create table tunnels (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    session_id uuid not null references sessions on delete cascade,
    controller_id uuid not null references controllers on delete cascade,
    protocol text not null,
    ticket_hash bytea unique,
    ticket_expires_at timestamptz not null,
    cookie_hash bytea unique,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index tunnels_session_id on tunnels (session_id)`,
  `create index tunnels_controller_id on tunnels (controller_id)`,
  `create index tunnels_user_id on tunnels (user_id)`,
  `create table audit_events (
    id uuid primary key,
    at timestamptz not null,
    action text not null,
    user_id uuid,
    organization_id uuid,
    subject text not null,
    address text not null,
    details jsonb not null
  )`,
  `create index audit_events_organization on audit_events (organization_id, at desc)`,
];
