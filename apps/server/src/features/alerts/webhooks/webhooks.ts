import type { AlertMessageType, WebhookResult } from '@pult/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { Encryptor } from '../../../platform/encryptor.ts';
import type { Events } from '../../../platform/events/events.ts';
import { createId } from '../../../platform/ids.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue-job.ts';
import type { QueuedJob } from '../../../platform/jobs/jobs.ts';
import type { Logger } from '../../../platform/log.ts';
import { type PostWebhookOptions, postWebhook, type WebhookAnswer } from './post-webhook.ts';
import { signWebhook } from './signature.ts';
import type { ClaimedWebhook, WebhookOutcome, WebhooksRepository } from './webhooks.repository.ts';

/** Tries of one delivery: the last is about five hours after the first. */
const maxAttempts = 8;
/** Seconds: longer than any try takes. One whose server was killed is let go by then. */
const claimSeconds = 30;
/** Deliveries that one run of the job puts into the queue. */
const dueLimit = 1000;

/** Seconds until the next try: half a minute at first, two hours at last. */
function retryDelay(attempts: number): number {
  return Math.min(30 * 3 ** (attempts - 1), 2 * 3600);
}

/** Where a rule's webhook goes, and the key that signs it. */
export interface WebhookTarget {
  url: string;
  secret: string;
}

export const webhookContext = (ruleId: string) => `alert webhook ${ruleId}`;

export function decryptTarget(encryptor: Encryptor, ruleId: string, encrypted: Buffer): WebhookTarget {
  // Only the rules' service encrypts for this context.
  return JSON.parse(encryptor.decrypt(encrypted, webhookContext(ruleId))) as WebhookTarget;
}

interface Dependencies {
  db: Database;
  repository: WebhooksRepository;
  encryptor: Encryptor;
  events: Events;
  log: Logger;
  clock: Clock;
  network: PostWebhookOptions;
}

const jobName = 'send-alert-webhook';
const jobOf = (id: string) => ({ name: jobName, key: `alert webhook ${id}`, payload: { id } });

function isDelivered(answer: WebhookAnswer): boolean {
  return 'status' in answer && answer.status >= 200 && answer.status < 300;
}

function describe(answer: WebhookAnswer): Pick<WebhookOutcome, 'status' | 'reason'> {
  if ('reason' in answer) return { status: null, reason: answer.reason };
  const { status } = answer;
  if (isDelivered(answer)) return { status, reason: null };
  return { status, reason: status >= 300 && status < 400 ? 'redirect' : 'status' };
}

/**
 * Delivers webhooks, each at least once: should this process die after the receiver has answered, it is sent again
 * under the same id, by which the receiver knows it.
 */
export function createWebhooks(dependencies: Dependencies) {
  const { db, repository, encryptor, events, log, clock, network } = dependencies;
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);

  async function send(claimed: ClaimedWebhook, webhook: Buffer, signal: AbortSignal) {
    const { url, secret } = decryptTarget(encryptor, claimed.ruleId, webhook);
    const { id, body } = claimed;
    const headers = signWebhook(secret, { id, at: clock.now(), body });
    return postWebhook(url, { headers, body }, signal, network);
  }

  /** Undefined when there is nothing to try: it is done, another server is at it, or the rule has no webhook. */
  async function tryOnce(
    id: string,
    signal: AbortSignal,
    attempts: number,
  ): Promise<WebhookResult | undefined> {
    const claimed = await repository.claim(id, clock.now(), inSeconds(claimSeconds));
    if (!claimed?.webhook) return undefined;
    const answer = await send(claimed, claimed.webhook, signal);
    const isOver = isDelivered(answer) || claimed.attempts >= attempts;
    const delay = retryDelay(claimed.attempts);
    const outcome: WebhookOutcome = {
      at: clock.now(),
      state: isDelivered(answer) ? 'delivered' : isOver ? 'failed' : 'waiting',
      ...describe(answer),
      nextTryAt: isOver ? null : inSeconds(delay),
    };
    const { status, reason } = outcome;
    // Without its address, whose path may be a secret.
    if (reason !== null) log.warn({ webhook: id, status, reason, isOver }, 'webhook not delivered');
    const result = await db.transaction().execute(async (transaction) => {
      if (!isOver) await enqueueJob(transaction, { ...jobOf(id), delay });
      return repository.record(transaction, id, outcome);
    });
    events.publish('organization', {
      organizationId: claimed.organizationId,
      event: { type: 'alerts.changed', change: 'rules' },
    });
    return result;
  }

  const deliver: QueuedJob = {
    name: jobName,
    isSlow: true,
    async run(payload, signal) {
      // Only jobOf makes these.
      await tryOnce((payload as { id: string }).id, signal, maxAttempts);
    },
  };

  return {
    queuedJobs: [deliver],

    /** Sent when the transaction is done, and only then. */
    async add(
      transaction: DatabaseTransaction,
      webhook: { ruleId: string; kind: AlertMessageType; body: string },
    ): Promise<void> {
      const id = createId();
      await repository.add(transaction, { ...webhook, id, at: clock.now() });
      await enqueueJob(transaction, { ...jobOf(id), delay: 0 });
    },

    /** Tries once, at once. */
    async test(ruleId: string, body: string): Promise<WebhookResult | undefined> {
      const id = createId();
      await repository.add(db, { id, ruleId, kind: 'test', body, at: clock.now() });
      return tryOnce(id, new AbortController().signal, 1);
    },

    /** Puts those into the queue whose server was killed while it had them in hand. */
    enqueueDue: (): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        for (const id of await repository.listDue(transaction, clock.now(), dueLimit)) {
          await enqueueJob(transaction, { ...jobOf(id), delay: 0, keepsTime: true });
        }
      }),
  };
}
export type Webhooks = ReturnType<typeof createWebhooks>;
