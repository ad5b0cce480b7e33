import { presenceEvents, type WebhookDeliveryState } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, wholeOrganizations } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction, WebhookTable } from '../../platform/db/schema.ts';
import type { StoredDelivery } from '../../platform/delivery/index.ts';
import type { Page } from '../../platform/http/pages.ts';

export interface WebhookSettings {
  name: string;
  receiver: Buffer;
  events: string[] | null;
  enabled: boolean;
}

/** A controller whose status is another one than webhooks were told last. */
export interface PresenceChange {
  organizationId: string;
  serialNumber: string;
  description: string;
  groupId: string | null;
  groupName: string | null;
  status: 'online' | 'offline';
  statusReason: string;
  since: Date;
}

const deliveryStatus = { waiting: 'waiting', delivered: 'sent', failed: 'refused' } as const;

/** SQL of the webhooks of organizations, and of what was sent to them. */
export function createWebhooksRepository(db: Database) {
  const selectWebhooks = (executor: Database, scope: Scope, organizationId: string) =>
    executor
      .selectFrom('webhooks')
      .leftJoin('users', 'users.id', 'webhooks.created_by')
      .selectAll('webhooks')
      .select('users.email as creator')
      .where('webhooks.organization_id', 'in', wholeOrganizations(scope, organizationId));

  /** The caller has found the webhook in its scope. */
  const selectDeliveries = (webhookId: string, states: readonly WebhookDeliveryState[] | undefined) =>
    db
      .selectFrom('deliveries')
      .where('webhook_id', '=', webhookId)
      .$if(states !== undefined, (query) =>
        query.where(
          'status',
          'in',
          (states ?? []).map((state) => deliveryStatus[state]),
        ),
      );

  return {
    list: (scope: Scope, organizationId: string) =>
      selectWebhooks(db, scope, organizationId)
        .orderBy('webhooks.created_at', 'desc')
        .orderBy('webhooks.id', 'desc')
        .execute(),

    get: (scope: Scope, organizationId: string, id: string, executor: Database = db) =>
      selectWebhooks(executor, scope, organizationId).where('webhooks.id', '=', id).executeTakeFirst(),

    /** The organization is held by the caller, so that it stays true. */
    async count(transaction: DatabaseTransaction, organizationId: string): Promise<number> {
      const { count } = await transaction
        .selectFrom('webhooks')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow();
      return count;
    },

    async create(
      transaction: DatabaseTransaction,
      webhook: WebhookSettings & { id: string; organizationId: string; createdBy: string; createdAt: Date },
    ): Promise<void> {
      const { id, organizationId, createdBy, createdAt, ...settings } = webhook;
      await transaction
        .insertInto('webhooks')
        .values({
          id,
          organization_id: organizationId,
          created_by: createdBy,
          created_at: createdAt,
          ...settings,
        })
        .execute();
    },

    async update(transaction: DatabaseTransaction, id: string, settings: WebhookSettings): Promise<void> {
      await transaction.updateTable('webhooks').set(settings).where('id', '=', id).execute();
    },

    /** With what was sent to it, and what waits. */
    async delete(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction.deleteFrom('webhooks').where('id', '=', id).execute();
    },

    /** What a delivery needs of its webhook. */
    getOwner: (
      id: string,
    ): Promise<Pick<WebhookTable, 'id' | 'organization_id' | 'name' | 'receiver'> | undefined> =>
      db
        .selectFrom('webhooks')
        .select(['id', 'organization_id', 'name', 'receiver'])
        .where('id', '=', id)
        .executeTakeFirst(),

    /** Those of the organization that are told of the event. */
    async listOfEvent(
      transaction: DatabaseTransaction,
      organizationId: string,
      event: string,
    ): Promise<string[]> {
      const rows = await transaction
        .selectFrom('webhooks')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('enabled', '=', true)
        .where(sql<boolean>`(events is null or ${event} = any(events))`)
        .execute();
      return rows.map(({ id }) => id);
    },

    getOrganizationName: async (
      transaction: DatabaseTransaction,
      organizationId: string,
    ): Promise<string | undefined> => {
      const row = await transaction
        .selectFrom('organizations')
        .select('name')
        .where('id', '=', organizationId)
        .executeTakeFirst();
      return row?.name;
    },

    getEmail: async (transaction: DatabaseTransaction, userId: string): Promise<string | undefined> => {
      const row = await transaction
        .selectFrom('users')
        .select('email')
        .where('id', '=', userId)
        .executeTakeFirst();
      return row?.email;
    },

    /** The one that was tried last of each. */
    async listLastDeliveries(webhookIds: readonly string[]): Promise<Map<string, StoredDelivery>> {
      if (webhookIds.length === 0) return new Map();
      const rows = await db
        .selectFrom(sql<{ id: string }>`unnest(${webhookIds}::uuid[])`.as<'webhook'>(sql`webhook(id)`))
        .innerJoinLateral(
          (query) =>
            query
              .selectFrom('deliveries')
              .selectAll()
              .whereRef('webhook_id', '=', 'webhook.id')
              .where('tried_at', 'is not', null)
              .orderBy('created_at', 'desc')
              .orderBy('id', 'desc')
              .limit(1)
              .as('last'),
          (join) => join.onTrue(),
        )
        .selectAll('last')
        .execute();
      return new Map(rows.map((row) => [row.webhook_id ?? '', row]));
    },

    listDeliveries: (
      webhookId: string,
      states: readonly WebhookDeliveryState[] | undefined,
      { limit, offset }: Page,
    ): Promise<StoredDelivery[]> =>
      selectDeliveries(webhookId, states)
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),

    async countDeliveries(
      webhookId: string,
      states: readonly WebhookDeliveryState[] | undefined,
    ): Promise<number> {
      const { count } = await selectDeliveries(webhookId, states)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    getDelivery: (webhookId: string, id: string): Promise<StoredDelivery | undefined> =>
      selectDeliveries(webhookId, undefined).selectAll().where('id', '=', id).executeTakeFirst(),

    /**
     * What changed since this was asked last in organizations that have a webhook for it. Each change is had once, whoever asks: a
     * status is told by what was told before and not by a time, behind which one could be written late. Where nothing was told
     * before, only what is younger than the oldest such webhook is a change.
     */
    async takePresenceChanges(transaction: DatabaseTransaction): Promise<PresenceChange[]> {
      const { rows } = await sql<PresenceChange>`
        with told_organizations as (
          select organization_id, min(created_at) as since from webhooks
          where enabled and (events is null or events && ${[...presenceEvents]}::text[])
          group by organization_id
        ), changed as (
          insert into told_presence (controller_id, status)
          select controllers.id, controllers.status
          from controllers join told_organizations using (organization_id)
          left join told_presence told on told.controller_id = controllers.id
          where controllers.status <> 'never' and told.status is distinct from controllers.status
          order by controllers.id
          on conflict (controller_id) do update set status = excluded.status
            where told_presence.status <> excluded.status
          -- A row of this very statement has replaced no other.
          returning controller_id, status, xmax = 0 as is_new
        )
        select controllers.organization_id as "organizationId", controllers.serial_number as "serialNumber",
          controllers.description, groups.id as "groupId", groups.name as "groupName", changed.status,
          controllers.status_reason as "statusReason", controllers.status_since as since
        from changed join controllers on controllers.id = changed.controller_id
        join told_organizations using (organization_id)
        left join groups on groups.id = controllers.group_id
        where not changed.is_new or controllers.status_since > told_organizations.since
        order by controllers.organization_id, changed.status, controllers.serial_number`.execute(transaction);
      return rows;
    },
  };
}
export type WebhooksRepository = ReturnType<typeof createWebhooksRepository>;
