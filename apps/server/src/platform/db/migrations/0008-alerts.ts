import { type Kysely, sql } from 'kysely';

/** Rules of alerts, and the alerts that they fired. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table alert_rules (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    group_id uuid,
    enabled boolean not null,
    minutes integer not null check (minutes between 1 and 10080),
    effective_from timestamptz not null,
    created_at timestamptz not null,
    unique nulls not distinct (organization_id, group_id),
    unique (organization_id, id),
    foreign key (organization_id, group_id) references groups (organization_id, id) on delete cascade
  )`,
  // Whoever leaves the organization is notified no more.
  `create table alert_rule_members (
    rule_id uuid not null,
    organization_id uuid not null,
    user_id uuid not null,
    primary key (rule_id, user_id),
    foreign key (organization_id, rule_id) references alert_rules (organization_id, id) on delete cascade,
    foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
  )`,
  `create index alert_rule_members_rule on alert_rule_members (organization_id, rule_id)`,
  `create index alert_rule_members_user on alert_rule_members (organization_id, user_id)`,
  `create table alerts (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    controller_id uuid not null references controllers on delete cascade,
    rule_id uuid references alert_rules on delete set null,
    offline_since timestamptz not null,
    fired_at timestamptz not null,
    resolved_at timestamptz,
    pending text check (pending in ('fired', 'resolved')),
    notified_at timestamptz
  )`,
  // One for each controller at a time: an alert fires once, however many workers evaluate.
  `create unique index alerts_firing on alerts (controller_id) where resolved_at is null`,
  `create index alerts_controller on alerts (controller_id)`,
  `create index alerts_organization on alerts (organization_id, fired_at desc, id desc)`,
  `create index alerts_rule on alerts (rule_id, pending)`,
  // How a rule notifies, by channel; the members who get mails have a table of their own.
  `create table alert_rule_channels (
    rule_id uuid not null references alert_rules on delete cascade,
    channel text not null,
    settings bytea not null,
    primary key (rule_id, channel)
  )`,
  // What a deleted rule still had to send is of no use to anybody.
  `alter table deliveries add column rule_id uuid references alert_rules on delete cascade`,
  `create index deliveries_rule on deliveries (rule_id, channel, tried_at desc)`,
];
