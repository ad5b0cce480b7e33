import { type Kysely, sql } from 'kysely';

/** Alerts about budgets of traffic, beside those about offline controllers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table alerts
    add column kind text not null default 'offline' check (kind in ('offline', 'traffic_80', 'traffic_100')),
    add column bytes bigint,
    add column budget bigint,
    alter column offline_since drop not null,
    drop constraint alerts_pending_check,
    add constraint alerts_pending_check check (pending in ('fired', 'resolved', 'traffic')),
    add constraint alerts_kind_complete check (
      case when kind = 'offline' then offline_since is not null else bytes is not null and budget is not null end)`,
  `drop index alerts_firing`,
  // One of each kind for each controller at a time.
  `create unique index alerts_firing on alerts (controller_id, kind) where resolved_at is null`,
  // Whether an organization has budgets at all.
  `create index controllers_traffic_budget on controllers (organization_id) where traffic_budget is not null`,
  `create index groups_traffic_budget on groups (organization_id) where traffic_budget is not null`,
];
