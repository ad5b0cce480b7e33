import type { NoticeKind, WebhookFailure, WebhookResult } from '@pult/contract';
import type { Selectable } from 'kysely';
import type { Database, DatabaseTransaction, NoticeWebhookTable } from '../../../platform/db/schema.ts';

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

export function toWebhookResult(row: Selectable<NoticeWebhookTable>): WebhookResult {
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
      webhook: { id: string; ruleId: string; kind: NoticeKind; body: string; at: Date },
    ): Promise<void> {
      const { id, ruleId, kind, body, at } = webhook;
      await executor
        .insertInto('notice_webhooks')
        .values({ id, rule_id: ruleId, kind, body, created_at: at, next_try_at: at })
        .execute();
    },

    /** One statement, so that two never try it at once. Undefined when it waits no more or another server has it. */
    claim: (id: string, now: Date, claimedUntil: Date): Promise<ClaimedWebhook | undefined> =>
      db
        .updateTable('notice_webhooks')
        .from('notice_rules')
        .set((eb) => ({ attempts: eb('notice_webhooks.attempts', '+', 1), claimed_until: claimedUntil }))
        .whereRef('notice_rules.id', '=', 'notice_webhooks.rule_id')
        .where('notice_webhooks.id', '=', id)
        .where('notice_webhooks.state', '=', 'waiting')
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
        .returning([
          'notice_webhooks.id',
          'notice_webhooks.rule_id as ruleId',
          'notice_rules.organization_id as organizationId',
          'notice_webhooks.body',
          'notice_webhooks.attempts',
          'notice_rules.webhook',
        ])
        .executeTakeFirst(),

    /** Undefined when its rule was deleted meanwhile. */
    async record(
      executor: DatabaseTransaction | Database,
      id: string,
      outcome: WebhookOutcome,
    ): Promise<WebhookResult | undefined> {
      const row = await executor
        .updateTable('notice_webhooks')
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
        .selectFrom('notice_webhooks')
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
      await transaction.deleteFrom('notice_webhooks').where('rule_id', '=', ruleId).execute();
    },

    async deleteBefore(time: Date): Promise<void> {
      await db.deleteFrom('notice_webhooks').where('created_at', '<', time).execute();
    },
  };
}
export type WebhooksRepository = ReturnType<typeof createWebhooksRepository>;
