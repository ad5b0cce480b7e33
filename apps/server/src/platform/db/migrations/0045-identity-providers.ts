import { type Kysely, sql } from 'kysely';

/** Sign-in by identity providers: of organizations, as that of the installation is a setting of the server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table identity_providers (
    organization_id uuid primary key references organizations on delete cascade,
    name text not null,
    issuer text not null,
    client_id text not null,
    -- Encrypted.
    client_secret bytea not null,
    scopes text not null,
    groups_claim text not null,
    second_factor_acr text[] not null
  )`,
  // Whose login at a provider it is; without an organization at that of the installation.
  `create table identities (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    organization_id uuid references organizations on delete cascade,
    issuer text not null,
    subject text not null,
    email text,
    groups text[] not null,
    created_at timestamptz not null,
    checked_at timestamptz not null
  )`,
  `create unique index identities_subject on identities (issuer, subject, organization_id) nulls not distinct`,
  `create index identities_user on identities (user_id)`,
  `create index identities_organization on identities (organization_id)`,
  // A session of a sign-in goes with the identity: without it, it would be one of the account's own login.
  `alter table sessions
    add column identity_id uuid references identities on delete cascade,
    add column has_second_factor boolean not null default false,
    add column refresh_token bytea,
    add column checked_at timestamptz`,
  `create index sessions_checked_at on sessions (checked_at) where refresh_token is not null`,
  `create index sessions_identity on sessions (identity_id) where identity_id is not null`,
  `create table pending_sign_ins (
    id uuid primary key,
    -- Of the browser's cookie.
    token_hash bytea not null unique,
    organization_id uuid references organizations on delete cascade,
    issuer text not null,
    client_id text not null,
    state_hash bytea not null,
    nonce text not null,
    code_verifier text not null,
    return_to text not null,
    -- What the provider has answered, encrypted; null while somebody is there.
    answer bytea,
    is_answered boolean not null default false,
    expires_at timestamptz not null
  )`,
  `create index pending_sign_ins_expires_at on pending_sign_ins (expires_at)`,
  `alter table organizations
    add column sign_in_required boolean not null default false,
    add column break_glass_user_id uuid references users on delete set null`,
  // Each request asks whether one of its user's organizations is among them.
  `create index organizations_sign_in_required on organizations (id) where sign_in_required`,
  // Functions, as their plans are kept: planned with the statement around them they would cost each request 1 ms.
  `create function lacks_required_sign_in(of_organization uuid, of_user uuid, by_session uuid) returns boolean
    language plpgsql stable as $$ begin
    return exists (select from organizations join users on users.id = of_user
      where organizations.id = of_organization and organizations.sign_in_required and users.kind = 'person'
        and organizations.break_glass_user_id is distinct from users.id)
    and not exists (
      select from sessions as proof join identities on identities.id = proof.identity_id
      where proof.user_id = of_user and proof.expires_at > now()
        -- The installation's provider signs in where the organization has none of its own.
        and (identities.organization_id = of_organization or (identities.organization_id is null and not exists (
          select from identity_providers where identity_providers.organization_id = of_organization)))
        and (proof.id = by_session or not exists (
          select from sessions as own where own.id = by_session and not own.is_token)));
  end $$`,
  `create function closed_organizations(of_user uuid, by_session uuid) returns uuid[]
    language plpgsql stable as $$ begin
    if not exists (select from organizations where sign_in_required) then
      return '{}';
    end if;
    return array(
      select id from organizations
      where sign_in_required and lacks_required_sign_in(id, of_user, by_session) and (
        exists (select from memberships where user_id = of_user and organization_id = organizations.id)
        or exists (select from grants where subject_user_id = of_user and organization_id = organizations.id)));
  end $$`,
  `create index organizations_break_glass on organizations (break_glass_user_id)
    where break_glass_user_id is not null`,
  `create table group_grants (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    group_name text not null,
    group_id uuid,
    controller_id uuid references controllers on delete cascade,
    role text not null check (role in ('viewer', 'member', 'admin')),
    constraint group_grants_place check (num_nonnulls(group_id, controller_id) < 2)
  )`,
  `create index group_grants_organization on group_grants (organization_id)`,
  `create index group_grants_controller on group_grants (controller_id) where controller_id is not null`,
  `alter table grants add column identity_id uuid references identities on delete cascade`,
  `create index grants_identity on grants (identity_id) where identity_id is not null`,
  // What a provider's groups give stands beside what somebody gave.
  `create unique index grants_subject on grants
    (subject_user_id, organization_id, group_id, controller_id, identity_id) nulls not distinct`,
  `drop index grants_user`,
];
