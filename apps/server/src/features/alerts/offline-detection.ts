import { lifetimes, limits } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import type { AlertMessage } from './message.ts';
import type { Notifier } from './notifier.ts';
import {
  type PendingRule,
  offlineDetectionRepository as repository,
} from './offline-detection.repository.ts';
import { trafficDetectionRepository as traffic } from './traffic-detection.repository.ts';

/**
 * How long after its start a server fires no alert. While it was away it saw nobody, and a fleet takes its time to
 * come back; whoever is still away then is offline.
 */
const startQuietMs = 10 * 60_000;

/** What goes offline within this time after the first is in one message. The next evaluation, a minute later, is past it. */
const groupingMs = 30_000;

interface Dependencies {
  notifier: Pick<Notifier, 'notify'>;
}

/** Finds controllers that went offline or came back or near their budgets, and notifies those whom their rules name. */
export function createOfflineDetection(
  { db, clock, events }: Pick<Core, 'db' | 'clock' | 'events'>,
  dependencies: Dependencies,
) {
  const { notifier } = dependencies;
  const countQuiet = () => clock.now().getTime() + startQuietMs;
  let quietUntil = countQuiet();

  async function readMessage(
    transaction: DatabaseTransaction,
    pending: PendingRule,
    at: Date,
  ): Promise<AlertMessage> {
    const { ruleId: id, minutes, groupId, groupName, organizationId, organizationName } = pending;
    const groups = await repository.listGroups(transaction, pending);
    return {
      kind: `alerts.${pending.change}`,
      rule: {
        id,
        minutes,
        group: groupId === null ? null : { id: groupId, name: groupName ?? '' },
        organization: { id: organizationId, name: organizationName },
      },
      at,
      count: groups.reduce((sum, { count }) => sum + count, 0),
      groups,
      controllers: await repository.listControllers(transaction, pending, limits.controllersPerWebhook),
    };
  }

  async function notify(transaction: DatabaseTransaction, pending: PendingRule, now: Date): Promise<void> {
    const outcome = await notifier.notify(transaction, await readMessage(transaction, pending, now));
    await repository.markNotified(transaction, pending, {
      at: outcome === 'nobody' ? null : now,
      isKept: outcome === 'kept',
    });
  }

  return {
    /** The server is about to listen: migrations, and the backup before them, may have taken longer than it is quiet. */
    start(): void {
      quietUntil = countQuiet();
    },

    /**
     * One transaction, one worker at a time: each alert fires once and is notified once, whatever runs beside it and
     * whenever a server is killed.
     */
    async evaluate(): Promise<void> {
      const now = clock.now();
      const changed = await db.transaction().execute(async (transaction) => {
        await repository.lock(transaction);
        // First those that are back: they may have gone offline again.
        const resolved = await repository.resolve(transaction, now);
        const fired = now.getTime() < quietUntil ? [] : await repository.fire(transaction, now);
        const moved = [
          ...(await traffic.resolve(transaction, now)),
          ...(await traffic.fire(transaction, now)),
        ];
        const pending = await repository.listPending(transaction, new Date(now.getTime() - groupingMs));
        for (const each of pending) await notify(transaction, each, now);
        return new Set([
          ...resolved,
          ...fired,
          ...moved,
          ...pending.map(({ organizationId }) => organizationId),
        ]);
      });
      for (const organizationId of changed) {
        const event = { type: 'alerts.changed', change: 'alerts' } as const;
        events.publish('organization', { organizationId, event });
      }
    },

    /** Run by a job every day. */
    async deleteForgotten(): Promise<void> {
      const before = new Date(clock.now().getTime() - lifetimes.alert * 1000);
      await db.transaction().execute((transaction) => repository.deleteResolvedBefore(transaction, before));
    },
  };
}
