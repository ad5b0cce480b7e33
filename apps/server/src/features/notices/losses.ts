import { lifetimes, limits } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Outbox } from '../../platform/mail/index.ts';
import { lossesRepository as repository, type TellingRule } from './losses.repository.ts';
import { type Message, writeWebhookBody } from './message.ts';
import type { NoticeMails } from './notice-mails.ts';
import type { WebhooksRepository } from './webhooks/webhooks.repository.ts';
import type { Webhooks } from './webhooks/webhooks.ts';

/**
 * How long after its start a server raises nothing. While it was away it saw nobody, and a fleet takes its time to
 * come back; whoever is still away then was lost.
 */
const startQuietMs = 10 * 60_000;

/** What is lost within this time after the first is told in one message. The next look, a minute later, is past it. */
const foldMs = 30_000;

interface Dependencies {
  db: Database;
  webhooks: Webhooks;
  webhooksRepository: WebhooksRepository;
  mails: NoticeMails;
  outbox: Outbox;
  events: Events;
  clock: Clock;
  publicUrl: string;
}

/** Looks for controllers that were lost or came back, and tells those whom their rules name. */
export function createLosses(dependencies: Dependencies) {
  const { db, webhooks, mails, outbox, events, clock, publicUrl } = dependencies;
  const quietUntil = clock.now().getTime() + startQuietMs;

  async function readMessage(transaction: DatabaseTransaction, telling: TellingRule): Promise<Message> {
    const { ruleId: id, minutes, groupId, groupName, organizationId, organizationName } = telling;
    const groups = await repository.listGroups(transaction, telling);
    return {
      kind: telling.what === 'lost' ? 'controllers.lost' : 'controllers.recovered',
      rule: {
        id,
        minutes,
        group: groupId === null ? null : { id: groupId, name: groupName ?? '' },
        organization: { id: organizationId, name: organizationName },
      },
      count: groups.reduce((sum, { count }) => sum + count, 0),
      groups,
      controllers: await repository.listControllers(transaction, telling, limits.controllersPerWebhook),
    };
  }

  async function tell(transaction: DatabaseTransaction, telling: TellingRule, now: Date): Promise<void> {
    const message = await readMessage(transaction, telling);
    const recipients = await repository.listRecipients(transaction, telling.ruleId);
    for (const recipient of recipients) {
      await outbox.add(mails.tell(message, recipient), transaction);
    }
    if (telling.hasWebhook) {
      const body = writeWebhookBody(message, { publicUrl, at: now });
      await webhooks.add(transaction, { ruleId: telling.ruleId, kind: message.kind, body });
    }
    const isTold = recipients.length > 0 || telling.hasWebhook;
    await repository.markTold(transaction, telling, isTold ? now : null);
  }

  return {
    /**
     * One transaction, one worker at a time: each loss is raised once and told once, whatever runs beside it and
     * whenever a server is killed.
     */
    async look(): Promise<void> {
      const now = clock.now();
      const changed = await db.transaction().execute(async (transaction) => {
        await repository.lock(transaction);
        // First those that are back: they may be lost again.
        const recovered = await repository.recover(transaction, now);
        const raised = now.getTime() < quietUntil ? [] : await repository.raise(transaction, now);
        const telling = await repository.listTelling(transaction, new Date(now.getTime() - foldMs));
        for (const each of telling) await tell(transaction, each, now);
        return new Set([...recovered, ...raised, ...telling.map(({ organizationId }) => organizationId)]);
      });
      for (const organizationId of changed) {
        const event = { type: 'notices.changed', change: 'notices' } as const;
        events.publish('organization', { organizationId, event });
      }
    },

    /** Run by a job every day. */
    async deleteForgotten(): Promise<void> {
      const before = new Date(clock.now().getTime() - lifetimes.notice * 1000);
      await db.transaction().execute((transaction) => repository.deleteRecoveredBefore(transaction, before));
      await dependencies.webhooksRepository.deleteBefore(before);
    },
  };
}
