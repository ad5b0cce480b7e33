import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction, DeliveryTable } from '../db/schema.ts';
import type { NewDelivery } from './delivery.ts';

/** A delivery as it is stored: its content encrypted, null when it is gone. */
export type StoredDelivery = Selectable<DeliveryTable>;

export interface OpenDeliveries {
  channel: string;
  waiting: number;
  oldest: Date | null;
  refused: number;
}

export interface Outcome {
  at: Date;
  status: 'waiting' | 'sent' | 'refused';
  error: string | null;
  responseStatus: number | null;
  /** Null: it is over. */
  nextTryAt: Date | null;
  /** False: its receiver rests, so that it counts as no try. */
  wasTried: boolean;
}

/** SQL of what waits to be sent, was sent or refused. Of all organizations: the queue sends for everybody. */
export function createDeliveriesRepository(db: Database) {
  return {
    async add(
      executor: Database | DatabaseTransaction,
      delivery: Omit<NewDelivery, 'content'> & { id: string; content: Buffer; at: Date },
    ): Promise<void> {
      await executor
        .insertInto('deliveries')
        .values({
          id: delivery.id,
          channel: delivery.channel,
          kind: delivery.kind,
          recipient: delivery.recipient ?? null,
          locale: delivery.locale ?? null,
          rule_id: delivery.ruleId ?? null,
          webhook_id: delivery.webhookId ?? null,
          content: delivery.content,
          link_id: delivery.link?.id ?? null,
          link_expires_at: delivery.link?.expiresAt ?? null,
          created_at: delivery.at,
          next_try_at: delivery.at,
        })
        .execute();
    },

    /**
     * Takes one that waits until `claimedUntil`, one statement, so that two servers never send it at once. Its
     * content is null when its link is over. Undefined when it waits no more or another server has it.
     */
    claim: (id: string, now: Date, claimedUntil: Date): Promise<StoredDelivery | undefined> =>
      db
        .updateTable('deliveries')
        .set((eb) => ({
          attempts: eb('attempts', '+', 1),
          claimed_until: claimedUntil,
          content: sql<Buffer | null>`case when link_expires_at <= ${now} then null else content end`,
        }))
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
        .returningAll()
        .executeTakeFirst(),

    /** One that is over waits again. False when it was not. */
    async reopen(id: string, now: Date): Promise<boolean> {
      const row = await db
        .updateTable('deliveries')
        .set({ status: 'waiting', next_try_at: now, claimed_until: null })
        .where('id', '=', id)
        .where('status', '<>', 'waiting')
        .where('content', 'is not', null)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    get: (id: string): Promise<StoredDelivery | undefined> =>
      db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst(),

    /** Whether it still waits, in the hands of another server. */
    async isClaimed(id: string): Promise<boolean> {
      const row = await db
        .selectFrom('deliveries')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'waiting')
        .where('claimed_until', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },

    /**
     * What came of that try; undefined where that changes nothing. One that is not the last any more does not: a server that stood still
     * for longer than its claim would make wait again what another one has sent. That it was sent counts whoever says it.
     */
    record: (
      transaction: DatabaseTransaction,
      { id, attempts }: Pick<StoredDelivery, 'id' | 'attempts'>,
      { at, status, error, responseStatus, nextTryAt, wasTried }: Outcome,
    ): Promise<StoredDelivery | undefined> =>
      transaction
        .updateTable('deliveries')
        .set((eb) => ({
          status,
          last_error: error,
          response_status: responseStatus,
          ...(wasTried ? { tried_at: at } : { attempts: eb('attempts', '-', 1) }),
          sent_at: status === 'sent' ? at : null,
          next_try_at: nextTryAt,
          claimed_until: null,
        }))
        .where('id', '=', id)
        .where((eb) =>
          status === 'sent'
            ? eb('status', '<>', 'sent')
            : eb.and([eb('status', '=', 'waiting'), eb('attempts', '=', attempts)]),
        )
        .returningAll()
        .executeTakeFirst(),

    /** Those that are due, in nobody's hands, and may still be of use to their receivers. */
    listDue: (
      transaction: DatabaseTransaction,
      due: { channels: readonly string[]; now: Date; createdAfter: Date; limit: number },
    ): Promise<{ id: string; channel: string }[]> =>
      transaction
        .selectFrom('deliveries')
        .select(['id', 'channel'])
        .where('status', '=', 'waiting')
        .where('channel', 'in', due.channels)
        .where('content', 'is not', null)
        .where('created_at', '>', due.createdAfter)
        .where('next_try_at', '<=', due.now)
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', due.now)]))
        .where((eb) => eb.or([eb('link_expires_at', 'is', null), eb('link_expires_at', '>', due.now)]))
        .orderBy('next_try_at')
        .orderBy('id')
        .limit(due.limit)
        .execute(),

    /** By channel: those that wait and can still be sent, and when the oldest of them was made; and those that failed for good. */
    async countOpen(): Promise<OpenDeliveries[]> {
      const rows = await db
        .selectFrom('deliveries')
        .select([
          'channel',
          sql<number>`(count(*) filter (where status = 'waiting' and content is not null))::int`.as(
            'waiting',
          ),
          sql<Date | null>`min(created_at) filter (where status = 'waiting' and content is not null)`.as(
            'oldest',
          ),
          sql<number>`(count(*) filter (where status = 'refused'))::int`.as('refused'),
        ])
        .where('status', 'in', ['waiting', 'refused'])
        .groupBy('channel')
        .orderBy('channel')
        .execute();
      return rows;
    },

    async purgeOfLink(transaction: DatabaseTransaction, linkId: string): Promise<void> {
      await transaction
        .updateTable('deliveries')
        .set({ content: null })
        .where('link_id', '=', linkId)
        .execute();
    },

    /** Nobody waits for them: the rule does not use the channel any more. */
    async deleteOfRule(transaction: DatabaseTransaction, ruleId: string, channel: string): Promise<void> {
      await transaction
        .deleteFrom('deliveries')
        .where('rule_id', '=', ruleId)
        .where('channel', '=', channel)
        .execute();
    },

    /** Contents whose link is over, and of deliveries without one that are older than `plainBefore`. */
    async purgeContents(now: Date, plainBefore: Date): Promise<void> {
      await db
        .updateTable('deliveries')
        .set({ content: null })
        .where('content', 'is not', null)
        .where((eb) =>
          eb.or([
            eb('link_expires_at', '<=', now),
            eb.and([eb('link_id', 'is', null), eb('created_at', '<=', plainBefore)]),
          ]),
        )
        .execute();
    },

    async deleteOld(createdBefore: Date): Promise<void> {
      await db.deleteFrom('deliveries').where('created_at', '<=', createdBefore).execute();
    },
  };
}
