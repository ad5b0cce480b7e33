import { type Kysely, sql } from 'kysely';

/** Who is told of lost controllers, and which were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table notice_rules (
    id uuid primary key,
    organization_id uuid not null references organizations on delete cascade,
    group_id uuid,
    enabled boolean not null,
    minutes integer not null check (minutes between 1 and 10080),
    losses_since timestamptz not null,
    webhook bytea,
    created_at timestamptz not null,
    unique nulls not distinct (organization_id, group_id),
    unique (organization_id, id),
    foreign key (organization_id, group_id) references groups (organization_id, id) on delete cascade
  )`,
  // Whoever leaves the organization is told no more.
  `create table notice_rule_members (
    rule_id uuid not null,
    organization_id uuid not null,
    user_id uuid not null,
    primary key (rule_id, user_id),
    foreign key (organization_id, rule_id) references notice_rules (organization_id, id) on delete cascade,
    foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
  )`,
  `create index notice_rule_members_rule on notice_rule_members (organization_id, rule_id)`,
  `create index notice_rule_members_user on notice_rule_members (organization_id, user_id)`,
  `create table notices (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    controller_id uuid not null references controllers on delete cascade,
    rule_id uuid references notice_rules on delete set null,
    lost_at timestamptz not null,
    raised_at timestamptz not null,
    recovered_at timestamptz,
    untold text check (untold in ('lost', 'recovered')),
    told_at timestamptz
  )`,
  // One for each controller at a time: a loss is raised once, whoever looks for losses and how often.
  `create unique index notices_open on notices (controller_id) where recovered_at is null`,
  `create index notices_controller on notices (controller_id)`,
  `create index notices_organization on notices (organization_id, raised_at desc, id desc)`,
  `create index notices_rule on notices (rule_id, untold)`,
  `create table notice_webhooks (
    id uuid primary key,
    rule_id uuid not null references notice_rules on delete cascade,
    kind text not null,
    body text not null,
    state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
    attempts integer not null default 0,
    response_status integer,
    reason text,
    created_at timestamptz not null,
    tried_at timestamptz,
    next_try_at timestamptz,
    claimed_until timestamptz
  )`,
  `create index notice_webhooks_rule on notice_webhooks (rule_id, tried_at desc)`,
  `create index notice_webhooks_waiting on notice_webhooks (next_try_at) where state = 'waiting'`,
];
