import { type Kysely, sql } from 'kysely';

/**
 * Users who are no people: service accounts and guests. They have a name where people have an email, no password that
 * anything is compared with, and rights by grants alone; so whatever belongs to a user may belong to one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table users
    add column kind text not null default 'person' check (kind in ('person', 'service', 'guest')),
    add column belongs_to uuid references organizations on delete cascade,
    add column created_by uuid references users on delete set null,
    add column ended_at timestamptz,
    add constraint users_organization check ((kind = 'person') = (belongs_to is null)),
    -- So that a name is never taken for somebody's email, whatever asks.
    add constraint users_service_name check (kind <> 'service' or position('@' in email) = 0),
    drop constraint users_email_check,
    add constraint users_email_check check (kind <> 'person' or email = lower(email)),
    drop constraint users_email_key`,
  `create unique index users_email on users (email) where kind = 'person'`,
  `create unique index users_service on users (belongs_to, lower(email)) where kind = 'service' and ended_at is null`,
  `create index users_belongs_to on users (belongs_to) where belongs_to is not null`,
  // Nobody has ever been put there.
  `drop index grants_service`,
  `alter table grants
    drop constraint grants_subject,
    drop column subject_service_id,
    alter column subject_user_id set not null`,
];
