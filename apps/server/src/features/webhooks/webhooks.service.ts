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
import type { AuditDetails } from '../../platform/audit.ts';
import type { Deliveries, StoredDelivery } from '../../platform/delivery/index.ts';
import type { EncryptedJson } from '../../platform/encrypted-json.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Core } from '../../platform/feature.ts';
import { toPage } from '../../platform/http/pages.ts';
import type { Principal } from '../../platform/http/principal.ts';
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
import { createScope, type OrganizationAccess } from '../organizations/index.ts';
import { type Happenings, webhookChannel } from './happenings.ts';
import type { WebhooksRepository } from './webhooks.repository.ts';

interface Dependencies extends Pick<Core, 'clock' | 'events' | 'recordAudit'> {
  repository: WebhooksRepository;
  receivers: EncryptedJson<WebhookReceiver>;
  happenings: Happenings;
  deliveries: Deliveries;
  access: OrganizationAccess;
  rateLimiter: RateLimiter;
  network: PostOptions;
}

type WebhookRow = NonNullable<Awaited<ReturnType<WebhooksRepository['get']>>>;

const permission = 'webhooks.manage';
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
export function createWebhooksService(dependencies: Dependencies) {
  const { repository, receivers, happenings, deliveries, access, rateLimiter, network } = dependencies;
  const { clock, events, recordAudit } = dependencies;

  const publish = (organizationId: string) =>
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

  /** The webhook and its organization, where the caller may manage it. */
  async function find(principal: Principal, organizationId: string, webhookId: string) {
    const organization = await access.require(principal, organizationId, permission);
    const row = await repository.get(createScope(principal, permission), organizationId, webhookId);
    if (!row) throw new DomainError('webhook_not_found');
    return { organization, row };
  }

  async function findDelivery(webhookId: string, deliveryId: string): Promise<StoredDelivery> {
    const stored = await repository.getDelivery(webhookId, deliveryId);
    if (!stored) throw new DomainError('webhook_delivery_not_found');
    return stored;
  }

  const requireTry = (organizationId: string) =>
    rateLimiter.require([
      { key: ['webhook tries', organizationId], limit: triesByHand, window: windowSeconds },
    ]);

  async function show(principal: Principal, organizationId: string, id: string): Promise<Webhook> {
    const { row } = await find(principal, organizationId, id);
    return toWebhook(row, (await repository.listLastDeliveries([id])).get(id));
  }

  /** For the audit log: its address may be a secret. */
  function describe(url: string, chosen: readonly string[] | null): AuditDetails {
    const { host } = new URL(url);
    return { webhookHost: host, ...(chosen === null ? {} : { count: chosen.length }) };
  }

  return {
    async list(principal: Principal, organizationId: string): Promise<Webhook[]> {
      await access.require(principal, organizationId, permission);
      const rows = await repository.list(createScope(principal, permission), organizationId);
      const last = await repository.listLastDeliveries(rows.map(({ id }) => id));
      return rows.map((row) => toWebhook(row, last.get(row.id)));
    },

    async create(
      principal: Principal,
      organizationId: string,
      { name, url, events: chosen }: CreateWebhookRequest,
      address: string,
    ): Promise<SavedWebhook> {
      const id = createId();
      const { userId } = principal;
      const receiver = changeReceiver(undefined, { url, newSecret: true, field: 'url' }, network);
      if (!receiver) throw new Error('a webhook without an address');
      await access.change(principal, organizationId, permission, async (transaction) => {
        const limit = limits.webhooksPerOrganization;
        if ((await repository.count(transaction, organizationId)) >= limit) {
          throw new DomainError('webhooks_limit_reached', { limit });
        }
        const settings = { name, events: chosen, enabled: true, receiver: receivers.encrypt(id, receiver) };
        const own = { id, organizationId, createdBy: userId, createdAt: clock.now() };
        await repository.create(transaction, { ...own, ...settings });
        const event = { action: 'webhook.created', userId, organizationId, subject: name, address } as const;
        await recordAudit({ ...event, details: describe(url, chosen) }, transaction);
      });
      publish(organizationId);
      return { ...(await show(principal, organizationId, id)), secret: receiver.secret };
    },

    async update(
      principal: Principal,
      { organizationId, webhookId }: { organizationId: string; webhookId: string },
      request: UpdateWebhookRequest,
      address: string,
    ): Promise<SavedWebhook> {
      const { userId } = principal;
      const secret = await access.change(principal, organizationId, permission, async (transaction) => {
        const scope = createScope(principal, permission);
        const row = await repository.get(scope, organizationId, webhookId, transaction);
        if (!row) throw new DomainError('webhook_not_found');
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
        const event = { action: 'webhook.updated', userId, organizationId, subject: name, address } as const;
        await recordAudit({ ...event, details }, transaction);
        return isNewKey ? changed.secret : undefined;
      });
      publish(organizationId);
      const shown = await show(principal, organizationId, webhookId);
      return secret === undefined ? shown : { ...shown, secret };
    },

    async delete(
      principal: Principal,
      { organizationId, webhookId }: { organizationId: string; webhookId: string },
      address: string,
    ): Promise<void> {
      const { userId } = principal;
      await access.change(principal, organizationId, permission, async (transaction) => {
        const scope = createScope(principal, permission);
        const row = await repository.get(scope, organizationId, webhookId, transaction);
        if (!row) throw new DomainError('webhook_not_found');
        await repository.delete(transaction, webhookId);
        const event = { action: 'webhook.deleted', userId, organizationId, subject: row.name } as const;
        await recordAudit({ ...event, address }, transaction);
      });
      publish(organizationId);
    },

    /** Sends a test once, at once. */
    async test(
      principal: Principal,
      { organizationId, webhookId }: { organizationId: string; webhookId: string },
      address: string,
    ): Promise<WebhookDelivery> {
      const { userId } = principal;
      const { organization, row } = await find(principal, organizationId, webhookId);
      const subject = row.name;
      await requireTry(organizationId);
      await recordAudit({ action: 'webhook.tested', userId, organizationId, subject, address });
      const content = happenings.writeTest(organization);
      const sent = await deliveries.sendNow({ channel: webhookChannel, kind: 'test', webhookId, content });
      if (!sent) throw new DomainError('webhook_not_found');
      return toDelivery(sent);
    },

    async listDeliveries(
      principal: Principal,
      { organizationId, webhookId }: { organizationId: string; webhookId: string },
      query: {
        page?: number | undefined;
        page_size?: number | undefined;
        state?: WebhookDeliveryState[] | undefined;
      },
    ) {
      await find(principal, organizationId, webhookId);
      const page = toPage(query);
      const [rows, count] = await Promise.all([
        repository.listDeliveries(webhookId, query.state, page),
        repository.countDeliveries(webhookId, query.state),
      ]);
      return { page, count, results: rows.map(toDelivery) };
    },

    async getDelivery(
      principal: Principal,
      {
        organizationId,
        webhookId,
        deliveryId,
      }: { organizationId: string; webhookId: string; deliveryId: string },
    ): Promise<WholeWebhookDelivery> {
      await find(principal, organizationId, webhookId);
      const stored = await findDelivery(webhookId, deliveryId);
      // Only `Happenings` makes these.
      const event = deliveries.read(stored) as CloudEvent | undefined;
      return { ...toDelivery(stored), body: event ? writeCloudEvent(stored.id, event) : null };
    },

    /** Sends one again at once. */
    async repeat(
      principal: Principal,
      {
        organizationId,
        webhookId,
        deliveryId,
      }: { organizationId: string; webhookId: string; deliveryId: string },
      address: string,
    ): Promise<WebhookDelivery> {
      const { userId } = principal;
      const { row: webhook } = await find(principal, organizationId, webhookId);
      const stored = await findDelivery(webhookId, deliveryId);
      if (stored.content === null) throw new DomainError('webhook_delivery_forgotten');
      await requireTry(organizationId);
      const details = { kind: stored.kind };
      await recordAudit({
        action: 'webhook.repeated',
        userId,
        organizationId,
        subject: webhook.name,
        address,
        details,
      });
      const sent = await deliveries.repeat(deliveryId);
      if (!sent) throw new DomainError('webhook_delivery_not_found');
      return toDelivery(sent);
    },
  };
}
export type WebhooksService = ReturnType<typeof createWebhooksService>;
