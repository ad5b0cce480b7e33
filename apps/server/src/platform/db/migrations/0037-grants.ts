import { type Kysely, sql } from 'kysely';

/** Rights on a part of an organization's tree, besides the roles of its members; invites to such a part. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table grants (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    subject_user_id uuid references users on delete cascade,
    subject_service_id uuid,
    -- Neither of the two: the whole organization. No reference: a deleted group that is brought back gets its grants
    -- back with it.
    group_id uuid,
    controller_id uuid references controllers on delete cascade,
    role text not null check (role in ('viewer', 'member', 'admin')),
    ends_at timestamptz,
    granted_by uuid references users on delete set null,
    created_at timestamptz not null,
    constraint grants_subject check (num_nonnulls(subject_user_id, subject_service_id) = 1),
    constraint grants_place check (num_nonnulls(group_id, controller_id) < 2)
  )`,
  // One for each subject and place; by the subject first, as every look at rights asks.
  `create unique index grants_user on grants (subject_user_id, organization_id, group_id, controller_id)
    nulls not distinct where subject_user_id is not null`,
  `create unique index grants_service on grants (subject_service_id, organization_id, group_id, controller_id)
    nulls not distinct where subject_service_id is not null`,
  `create index grants_organization on grants (organization_id)`,
  `create index grants_controller on grants (controller_id) where controller_id is not null`,
  `create index grants_granted_by on grants (granted_by)`,
  `alter table invites
    add column group_id uuid,
    add column controller_id uuid references controllers on delete cascade,
    add column grant_ends_at timestamptz,
    add constraint invites_place check (num_nonnulls(group_id, controller_id) < 2)`,
];
