import type { AlertMessageType, WebhookFailure, WebhookResult } from '@pult/contract';
import type { Selectable } from 'kysely';
import type { AlertWebhookTable, Database, DatabaseTransaction } from '../../../platform/db/schema.ts';

/** A delivery that one server, and no other, is trying now. */
export interface ClaimedWebhook {
  id: string;
  ruleId: string;
  organizationId: string;
  body: string;
  /** This one included. */
  attempts: number;
  /** Encrypted; null when the rule has none any more. */
  webhook: Buffer | null;
}

export interface WebhookOutcome {
  at: Date;
  state: 'waiting' | 'delivered' | 'failed';
  status: number | null;
  reason: WebhookFailure | null;
  nextTryAt: Date | null;
}

export function toWebhookResult(row: Selectable<AlertWebhookTable>): WebhookResult {
  return {
    at: (row.tried_at ?? row.created_at).toISOString(),
    kind: row.kind,
    delivered: row.state === 'delivered',
    status: row.response_status,
    reason: row.reason,
    attempts: row.attempts,
    nextTryAt: row.state === 'waiting' ? (row.next_try_at?.toISOString() ?? null) : null,
  };
}

/** SQL of the webhooks that wait, arrived or were given up. Of all organizations: their rules say whose. */
export function createWebhooksRepository(db: Database) {
  return {
    async add(
      executor: DatabaseTransaction | Database,
      webhook: { id: string; ruleId: string; kind: AlertMessageType; body: string; at: Date },
    ): Promise<void> {
      const { id, ruleId, kind, body, at } = webhook;
      await executor
        .insertInto('alert_webhooks')
        .values({ id, rule_id: ruleId, kind, body, created_at: at, next_try_at: at })
        .execute();
    },

    /** One statement, so that two never try it at once. Undefined when it waits no more or another server has it. */
    claim: (id: string, now: Date, claimedUntil: Date): Promise<ClaimedWebhook | undefined> =>
      db
        .updateTable('alert_webhooks')
        .from('alert_rules')
        .set((eb) => ({ attempts: eb('alert_webhooks.attempts', '+', 1), claimed_until: claimedUntil }))
        .whereRef('alert_rules.id', '=', 'alert_webhooks.rule_id')
        .where('alert_webhooks.id', '=', id)
        .where('alert_webhooks.state', '=', 'waiting')
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
        .returning([
          'alert_webhooks.id',
          'alert_webhooks.rule_id as ruleId',
          'alert_rules.organization_id as organizationId',
          'alert_webhooks.body',
          'alert_webhooks.attempts',
          'alert_rules.webhook',
        ])
        .executeTakeFirst(),

    /** Undefined when its rule was deleted meanwhile. */
    async record(
      executor: DatabaseTransaction | Database,
      id: string,
      outcome: WebhookOutcome,
    ): Promise<WebhookResult | undefined> {
      const row = await executor
        .updateTable('alert_webhooks')
        .set({
          state: outcome.state,
          response_status: outcome.status,
          reason: outcome.reason,
          tried_at: outcome.at,
          next_try_at: outcome.nextTryAt,
          claimed_until: null,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && toWebhookResult(row);
    },

    /** Those that are due and in nobody's hands. */
    async listDue(transaction: DatabaseTransaction, now: Date, limit: number): Promise<string[]> {
      const rows = await transaction
        .selectFrom('alert_webhooks')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_try_at', '<=', now)
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
        .orderBy('next_try_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Nobody waits for them: the rule has no webhook any more. */
    async deleteOf(transaction: DatabaseTransaction, ruleId: string): Promise<void> {
      await transaction.deleteFrom('alert_webhooks').where('rule_id', '=', ruleId).execute();
    },

    async deleteBefore(time: Date): Promise<void> {
      await db.deleteFrom('alert_webhooks').where('created_at', '<', time).execute();
    },
  };
}
export type WebhooksRepository = ReturnType<typeof createWebhooksRepository>;
