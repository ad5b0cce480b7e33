import { type Kysely, sql } from 'kysely';

/** Second factor, invites, password resets, sign-up, mails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // The secret is encrypted; the last step is of the last code accepted, so that none is accepted twice (RFC 6238, 5.2).
  `alter table users
    add column totp_secret bytea,
    add column totp_last_step bigint not null default 0`,
  // Of a setup that has not been finished: it belongs to the one browser that shows the secret.
  `alter table sessions
    add column totp_setup_secret bytea`,
  `create table recovery_codes (
    user_id uuid not null references users on delete cascade,
    code_hash bytea not null,
    primary key (user_id, code_hash)
  )`,
  `create table session_confirmations (
    session_id uuid not null references sessions on delete cascade,
    scope text not null,
    confirmed_at timestamptz not null,
    primary key (session_id, scope)
  )`,
  `create table password_resets (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    token_hash bytea not null unique,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index password_resets_user_id on password_resets (user_id)`,
  // Users are made only when their email has proved to be theirs.
  `create table pending_sign_ups (
    id uuid primary key,
    email text not null check (email = lower(email)),
    password_hash text not null,
    locale text not null,
    token_hash bytea not null unique,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index pending_sign_ups_email on pending_sign_ups (email)`,
  `create table known_devices (
    user_id uuid not null references users on delete cascade,
    device_hash bytea not null,
    last_seen_at timestamptz not null,
    primary key (user_id, device_hash)
  )`,
  `create table invites (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    email text not null check (email = lower(email)),
    role text not null check (role in ('viewer', 'member', 'admin', 'owner')),
    token_hash bytea not null unique,
    invited_by uuid references users on delete set null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    unique (organization_id, email)
  )`,
  `create table deliveries (
    id uuid primary key,
    channel text not null,
    kind text not null,
    recipient text,
    locale text,
    content bytea,
    link_id uuid,
    link_expires_at timestamptz,
    status text not null default 'waiting' check (status in ('waiting', 'sent', 'refused')),
    attempts integer not null default 0,
    last_error text,
    response_status integer,
    created_at timestamptz not null,
    tried_at timestamptz,
    sent_at timestamptz,
    next_try_at timestamptz,
    claimed_until timestamptz
  )`,
  `create index deliveries_link_id on deliveries (link_id)`,
  `create index deliveries_created_at on deliveries (created_at)`,
  `create index deliveries_waiting on deliveries (next_try_at) where status = 'waiting'`,
  `create index audit_events_at on audit_events (at)`,
  `create index audit_events_action on audit_events (organization_id, action, at desc)`,
];
