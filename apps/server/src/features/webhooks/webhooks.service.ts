import {
  type CreateWebhookRequest,
  limits,
  type SavedWebhook,
  type UpdateWebhookRequest,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryState,
  type WebhookEvent,
  type WholeWebhookDelivery,
  webhookEvents,
} from '@pult/contract';
import type { OrganizationCaller } from '../../platform/access/index.ts';
import type { AuditDetails } from '../../platform/audit.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import type { StoredDelivery } from '../../platform/delivery/index.ts';
import type { EncryptedJson } from '../../platform/encrypted-json.ts';
import { DomainError } from '../../platform/errors.ts';
import { toPage } from '../../platform/http/pages.ts';
import { createId } from '../../platform/ids.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import {
  type CloudEvent,
  changeReceiver,
  type PostOptions,
  toFailureReason,
  type WebhookReceiver,
  writeCloudEvent,
} from '../../platform/webhooks/index.ts';
import { type Happenings, webhookChannel } from './happenings.ts';
import type { WebhooksRepository } from './webhooks.repository.ts';

interface Dependencies {
  repository: WebhooksRepository;
  receivers: EncryptedJson<WebhookReceiver>;
  happenings: Happenings;
  rateLimiter: RateLimiter;
  network: PostOptions;
}

type WebhookRow = NonNullable<Awaited<ReturnType<WebhooksRepository['get']>>>;

/** Tries by hand in ten minutes: each is a call to whatever address. */
const [triesByHand, windowSeconds] = [60, 600];

const states = { waiting: 'waiting', sent: 'delivered', refused: 'failed' } as const;

function toDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    id: row.id,
    event: webhookEvents.find((each) => each === row.kind) ?? 'test',
    createdAt: row.created_at.toISOString(),
    state: states[row.status],
    attempts: row.attempts,
    triedAt: row.tried_at?.toISOString() ?? null,
    status: row.response_status,
    reason: toFailureReason(row.last_error),
    nextTryAt: row.status === 'waiting' ? (row.next_try_at?.toISOString() ?? null) : null,
    isKept: row.content !== null,
  };
}

/** Where the events of an organization are sent, and what became of them. */
export function createWebhooksService(
  { clock, events, deliveries }: Core,
  { repository, receivers, happenings, rateLimiter, network }: Dependencies,
) {
  const publish = ({ organization: { id: organizationId } }: OrganizationCaller) =>
    events.publish('organization', { organizationId, event: { type: 'webhooks.changed' } });

  function toWebhook(row: WebhookRow, last: StoredDelivery | undefined): Webhook {
    const receiver = receivers.read(row.id, row.receiver);
    return {
      id: row.id,
      name: row.name,
      url: receiver?.url ?? null,
      // Names of earlier versions are nobody's.
      events:
        row.events?.filter((name): name is WebhookEvent => webhookEvents.some((each) => each === name)) ??
        null,
      enabled: row.enabled,
      createdAt: row.created_at.toISOString(),
      createdBy: row.creator,
      lastDelivery: last ? toDelivery(last) : null,
    };
  }

  async function find(
    { scope, organization }: OrganizationCaller,
    webhookId: string,
    transaction?: DatabaseTransaction,
  ): Promise<WebhookRow> {
    const row = await repository.get(scope, organization.id, webhookId, transaction);
    if (!row) throw new DomainError('webhook_not_found');
    return row;
  }

  async function findDelivery(webhookId: string, deliveryId: string): Promise<StoredDelivery> {
    const stored = await repository.getDelivery(webhookId, deliveryId);
    if (!stored) throw new DomainError('webhook_delivery_not_found');
    return stored;
  }

  const requireTry = ({ organization: { id } }: OrganizationCaller) =>
    rateLimiter.require([{ key: ['webhook tries', id], limit: triesByHand, window: windowSeconds }]);

  async function show(caller: OrganizationCaller, id: string): Promise<Webhook> {
    const row = await find(caller, id);
    return toWebhook(row, (await repository.listLastDeliveries([id])).get(id));
  }

  /** For the audit log: its address may be a secret. */
  function describe(url: string, chosen: readonly string[] | null): AuditDetails {
    const { host } = new URL(url);
    return { webhookHost: host, ...(chosen === null ? {} : { count: chosen.length }) };
  }

  return {
    async list({ scope, organization }: OrganizationCaller): Promise<Webhook[]> {
      const rows = await repository.list(scope, organization.id);
      const last = await repository.listLastDeliveries(rows.map(({ id }) => id));
      return rows.map((row) => toWebhook(row, last.get(row.id)));
    },

    async create(
      caller: OrganizationCaller,
      { name, url, events: chosen }: CreateWebhookRequest,
    ): Promise<SavedWebhook> {
      const id = createId();
      const { id: organizationId } = caller.organization;
      const receiver = changeReceiver(undefined, { url, newSecret: true, field: 'url' }, network);
      if (!receiver) throw new Error('a webhook without an address');
      await caller.change(async (transaction) => {
        const limit = limits.webhooksPerOrganization;
        if ((await repository.count(transaction, organizationId)) >= limit) {
          throw new DomainError('webhooks_limit_reached', { limit });
        }
        const settings = { name, events: chosen, enabled: true, receiver: receivers.encrypt(id, receiver) };
        const own = { id, organizationId, createdBy: caller.userId, createdAt: clock.now() };
        await repository.create(transaction, { ...own, ...settings });
        await caller.audit('webhook.created', { subject: name, details: describe(url, chosen) }, transaction);
      });
      publish(caller);
      return { ...(await show(caller, id)), secret: receiver.secret };
    },

    async update(
      caller: OrganizationCaller,
      webhookId: string,
      request: UpdateWebhookRequest,
    ): Promise<SavedWebhook> {
      const secret = await caller.change(async (transaction) => {
        const row = await find(caller, webhookId, transaction);
        const current = receivers.read(row.id, row.receiver);
        const { name = row.name, enabled = row.enabled, newSecret = false } = request;
        const chosen = request.events === undefined ? row.events : request.events;
        const changed = changeReceiver(current, { url: request.url, newSecret, field: 'url' }, network);
        const isNewKey = changed !== undefined && changed.secret !== current?.secret;
        // One that cannot be read stays as it is: the right key may come back.
        const receiver = changed ? receivers.encrypt(webhookId, changed) : row.receiver;
        await repository.update(transaction, webhookId, { name, enabled, events: chosen, receiver });
        const details = {
          enabled,
          ...(changed ? describe(changed.url, chosen) : {}),
          ...(isNewKey ? { newWebhookSecret: true } : {}),
          ...(name === row.name ? {} : { previousName: row.name }),
        };
        await caller.audit('webhook.updated', { subject: name, details }, transaction);
        return isNewKey ? changed.secret : undefined;
      });
      publish(caller);
      const shown = await show(caller, webhookId);
      return secret === undefined ? shown : { ...shown, secret };
    },

    async delete(caller: OrganizationCaller, webhookId: string): Promise<void> {
      await caller.change(async (transaction) => {
        const { name } = await find(caller, webhookId, transaction);
        await repository.delete(transaction, webhookId);
        await caller.audit('webhook.deleted', { subject: name }, transaction);
      });
      publish(caller);
    },

    /** Sends a test once, at once. */
    async test(caller: OrganizationCaller, webhookId: string): Promise<WebhookDelivery> {
      const { name } = await find(caller, webhookId);
      await requireTry(caller);
      await caller.audit('webhook.tested', { subject: name });
      const content = happenings.writeTest(caller.organization);
      const sent = await deliveries.sendNow({ channel: webhookChannel, kind: 'test', webhookId, content });
      if (!sent) throw new DomainError('webhook_not_found');
      return toDelivery(sent);
    },

    async listDeliveries(
      caller: OrganizationCaller,
      webhookId: string,
      query: {
        page?: number | undefined;
        page_size?: number | undefined;
        state?: WebhookDeliveryState[] | undefined;
      },
    ) {
      await find(caller, webhookId);
      const page = toPage(query);
      const [rows, count] = await Promise.all([
        repository.listDeliveries(webhookId, query.state, page),
        repository.countDeliveries(webhookId, query.state),
      ]);
      return { page, count, results: rows.map(toDelivery) };
    },

    async getDelivery(
      caller: OrganizationCaller,
      { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
    ): Promise<WholeWebhookDelivery> {
      await find(caller, webhookId);
      const stored = await findDelivery(webhookId, deliveryId);
      // Only `Happenings` makes these.
      const event = deliveries.read(stored) as CloudEvent | undefined;
      return { ...toDelivery(stored), body: event ? writeCloudEvent(stored.id, event) : null };
    },

    /** Sends one again at once. */
    async repeat(
      caller: OrganizationCaller,
      { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
    ): Promise<WebhookDelivery> {
      const { name } = await find(caller, webhookId);
      const stored = await findDelivery(webhookId, deliveryId);
      if (stored.content === null) throw new DomainError('webhook_delivery_forgotten');
      await requireTry(caller);
      await caller.audit('webhook.repeated', { subject: name, details: { kind: stored.kind } });
      const sent = await deliveries.repeat(deliveryId);
      if (!sent) throw new DomainError('webhook_delivery_not_found');
      return toDelivery(sent);
    },
  };
}
export type WebhooksService = ReturnType<typeof createWebhooksService>;
