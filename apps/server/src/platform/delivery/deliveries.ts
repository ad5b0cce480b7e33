import type { Clock } from '../clock.ts';
import type { Database, DatabaseTransaction } from '../db/schema.ts';
import type { DiskGuard } from '../disk-guard.ts';
import type { Encryptor } from '../encryptor.ts';
import type { Feature } from '../feature.ts';
import { createId } from '../ids.ts';
import { enqueueJob } from '../jobs/enqueue-job.ts';
import type { QueuedJob } from '../jobs/jobs.ts';
import type { Logger } from '../log.ts';
import { Counts } from '../prometheus/metric.ts';
import { decryptContent, encryptContent } from './content.ts';
import { createDeliveriesRepository, type Outcome, type StoredDelivery } from './deliveries.repository.ts';
import {
  type ClaimedDelivery,
  DeliveryFailure,
  type DeliveryMethod,
  type NewDelivery,
  retryDelay,
} from './delivery.ts';
import { createDeliveryMetrics } from './delivery-metrics.ts';
import { createReceiverPauses } from './receiver-pauses.ts';

/** Deliveries that one run of the job puts into the queue. */
const dueLimit = 1000;
/** Days. What is older helps nobody who waits for it; what is very old is of no use to an administrator either. */
const [contentLife, deliveryLife] = [7, 90];

export interface Deliveries extends Feature {
  /** Tries the channel's deliveries from now on. Resolves to its job for the queue. */
  serve(method: DeliveryMethod): QueuedJob;
  /**
   * For the `send` of methods whose receivers can ask for a pause. Where this one has, by the address that stands for it, nothing is
   * sent and the delivery waits for the end of the pause.
   */
  sendTo<T>(receiver: string, send: () => Promise<T>): Promise<T>;
  /** Stored with the transaction, and sent when it is done, if the channel is served. */
  add(transaction: DatabaseTransaction, delivery: NewDelivery): Promise<void>;
  /** Tries once, at once. Undefined when it was deleted meanwhile. */
  sendNow(delivery: NewDelivery): Promise<StoredDelivery | undefined>;
  /**
   * Tries one again at once, under its id; one that waited for its next try keeps those that it had left. Undefined when it was
   * deleted meanwhile.
   */
  repeat(id: string): Promise<StoredDelivery | undefined>;
  /** What it holds, as it was given to `add`; undefined once that is gone, or was encrypted with another key. */
  read(stored: Pick<StoredDelivery, 'id' | 'content'>): unknown;
  /** The link with this id is dead: the contents that carry it go, sent or not. */
  purge(linkId: string, transaction: DatabaseTransaction): Promise<void>;
  /** The rule does not use the channel any more: nothing of it is sent. */
  deleteOfRule(transaction: DatabaseTransaction, ruleId: string, channel: string): Promise<void>;
  /**
   * Sees to it that what is due is in the queue: what waited before its channel was served, and what a killed server
   * had in hand. Done at the start, and by a job besides.
   */
  recoverFromCrash(): Promise<void>;
}

interface Dependencies {
  encryptor: Encryptor;
  db: Database;
  clock: Clock;
  log: Logger;
  /** Everything waits while the disk is nearly full. */
  diskGuard: Pick<DiskGuard, 'room'>;
}

/**
 * Delivers whatever goes out, each at least once: should this process die after the receiver has taken it, it is sent
 * again under the same id, by which the receiver knows it.
 */
export function createDeliveries({ db, clock, log, encryptor, diskGuard }: Dependencies): Deliveries {
  const repository = createDeliveriesRepository(db);
  const methods = new Map<string, DeliveryMethod>();
  const tries = new Counts(['sent', 'waiting', 'refused']);
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const daysAgo = (days: number) => inSeconds(-days * 24 * 3600);

  const jobName = (channel: string) => `deliver-${channel}`;
  const enqueue = (transaction: DatabaseTransaction, channel: string, id: string, delay: number) =>
    enqueueJob(transaction, { name: jobName(channel), key: `delivery ${id}`, payload: { id }, delay });

  async function store(executor: Database | DatabaseTransaction, delivery: NewDelivery): Promise<string> {
    const id = createId();
    const content = encryptContent(encryptor, id, delivery.content);
    await repository.add(executor, { ...delivery, id, content, at: clock.now() });
    return id;
  }

  function decrypt({ id, content }: StoredDelivery): unknown {
    if (content === null) {
      throw new DeliveryFailure('its link ended before it could be sent', { isFinal: true });
    }
    try {
      return decryptContent(encryptor, { id, content });
    } catch (cause) {
      // The right secrets.json may come back.
      throw new DeliveryFailure('its text was encrypted with another key', { cause });
    }
  }

  /** The outcome of one try. What is no DeliveryFailure is thrown: the queue tries again by itself. */
  async function send(
    stored: StoredDelivery,
    claimed: ClaimedDelivery,
    { method, maxAttempts, signal }: { method: DeliveryMethod; maxAttempts: number; signal: AbortSignal },
  ): Promise<Outcome> {
    const { id, channel, attempts, webhook_id: webhook, rule_id: rule } = stored;
    try {
      claimed.content = decrypt(stored);
      const responseStatus = await method.send(claimed, signal);
      const at = clock.now();
      return { at, status: 'sent', error: null, responseStatus, nextTryAt: null, wasTried: true };
    } catch (error) {
      if (!(error instanceof DeliveryFailure)) throw error;
      const { reason, status: responseStatus, retryAt } = error;
      // Somebody who has it tried by hand is told at once.
      const wasTried = error.wasTried || maxAttempts === 1;
      const isFinal = wasTried && (error.isFinal || attempts >= maxAttempts);
      // Without its receiver, whose address may be a secret.
      const logged = {
        delivery: id,
        channel,
        webhook,
        rule,
        reason,
        status: responseStatus,
        isFinal,
        retryAt,
      };
      if (wasTried) log.warn(logged, 'not delivered');
      else log.debug(logged, 'not tried, its receiver has asked for a pause');
      const at = clock.now();
      const times = [wasTried ? inSeconds(retryDelay(attempts)) : at, retryAt ?? at];
      return {
        at,
        status: isFinal ? 'refused' : 'waiting',
        error: reason,
        responseStatus,
        nextTryAt: isFinal ? null : new Date(Math.max(...times.map(Number))),
        wasTried,
      };
    }
  }

  /** Undefined when there is nothing to try: it is done, or another server is at it. */
  async function tryOnce(
    id: string,
    how: { method: DeliveryMethod; maxAttempts: number; signal: AbortSignal },
  ): Promise<StoredDelivery | undefined> {
    const { channel, claimSeconds } = how.method;
    const stored = await repository.claim(id, clock.now(), inSeconds(claimSeconds));
    if (!stored) {
      // Another server has it, or had it when it was killed: looked at again when its time is over.
      if (await repository.isClaimed(id)) {
        await db.transaction().execute((transaction) => enqueue(transaction, channel, id, claimSeconds));
      }
      return undefined;
    }
    const { kind, recipient, locale, rule_id: ruleId, webhook_id: webhookId, attempts } = stored;
    const whose = { recipient, locale, ruleId, webhookId };
    const claimed: ClaimedDelivery = { id, kind, ...whose, content: null, attempts };
    const outcome = await send(stored, claimed, how);
    const recorded = await db.transaction().execute(async (transaction) => {
      const changed = await repository.record(transaction, stored, outcome);
      const { at, nextTryAt } = outcome;
      if (changed && nextTryAt) {
        await enqueue(transaction, channel, id, (nextTryAt.getTime() - at.getTime()) / 1000);
      }
      return changed;
    });
    if (recorded && outcome.wasTried) tries.add(outcome.status);
    await how.method.onTried?.(claimed);
    // Deleted meanwhile, or it is as a later try has left it.
    return recorded ?? repository.get(id);
  }

  const enqueueDue = () =>
    db.transaction().execute(async (transaction) => {
      if (methods.size === 0 || diskGuard.room !== 'enough') return;
      const due = await repository.listDue(transaction, {
        channels: [...methods.keys()],
        now: clock.now(),
        createdAfter: daysAgo(contentLife),
        limit: dueLimit,
      });
      for (const { id, channel } of due) {
        const job = { name: jobName(channel), key: `delivery ${id}`, payload: { id }, delay: 0 };
        await enqueueJob(transaction, { ...job, keepsTime: true });
      }
    });

  return {
    name: 'deliveries',
    metrics: createDeliveryMetrics({
      clock,
      countOpen: repository.countOpen,
      isServed: (channel) => methods.has(channel),
      tries,
    }),

    serve(method) {
      methods.set(method.channel, method);
      return {
        name: jobName(method.channel),
        ...(method.isSlow ? { isSlow: true } : {}),
        async run(payload, signal) {
          // It waits; it is taken up again when there is room.
          if (diskGuard.room !== 'enough') return;
          // Only `enqueue` makes these.
          const { id } = payload as { id: string };
          await tryOnce(id, { method, maxAttempts: method.maxAttempts, signal });
        },
      };
    },

    sendTo: createReceiverPauses(db, clock),

    async add(transaction, delivery) {
      const id = await store(transaction, delivery);
      if (methods.has(delivery.channel)) await enqueue(transaction, delivery.channel, id, 0);
    },

    async sendNow(delivery) {
      const method = methods.get(delivery.channel);
      if (!method) throw new Error(`nothing serves the channel ${delivery.channel}`);
      const id = await store(db, delivery);
      return tryOnce(id, { method, maxAttempts: 1, signal: new AbortController().signal });
    },

    async repeat(id) {
      const isReopened = await repository.reopen(id, clock.now());
      const stored = await repository.get(id);
      const method = stored && methods.get(stored.channel);
      if (!method) return stored;
      const maxAttempts = isReopened ? 1 : method.maxAttempts;
      // Where another server is at it right now, that try counts.
      return (await tryOnce(id, { method, maxAttempts, signal: new AbortController().signal })) ?? stored;
    },

    read({ id, content }) {
      if (content === null) return undefined;
      try {
        return decryptContent(encryptor, { id, content });
      } catch {
        return undefined;
      }
    },

    purge: (linkId, transaction) => repository.purgeOfLink(transaction, linkId),
    deleteOfRule: repository.deleteOfRule,
    recoverFromCrash: enqueueDue,
    jobs: [
      {
        name: 'forget-deliveries',
        schedule: '*/10 * * * *',
        async run() {
          await repository.purgeContents(clock.now(), daysAgo(contentLife));
          await repository.deleteOld(daysAgo(deliveryLife));
        },
      },
      { name: 'resume-deliveries', schedule: '* * * * *', run: enqueueDue },
    ],
  };
}
