import { limits } from '@pult/contract';
import type { AuditObserver } from '../../platform/audit.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { type CloudEvent, cloudEventType } from '../../platform/webhooks/index.ts';
import type { PresenceChange, WebhooksRepository } from './webhooks.repository.ts';

/** The channel of deliveries, apart from that of the rules of alerts. */
export const webhookChannel = 'event-webhook';

interface Dependencies {
  repository: WebhooksRepository;
}

interface Happening {
  /** As the contract lists it, or `test`. */
  name: string;
  organizationId: string;
  organizationName: string;
  subject?: string;
  at: Date;
  /** Besides the organization. */
  data: object;
}

/** Changes that are one event together; they come in the order of their events. */
function groupByEvent(changes: readonly PresenceChange[]): [PresenceChange, ...PresenceChange[]][] {
  const groups: [PresenceChange, ...PresenceChange[]][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const isSame = last?.[0].organizationId === change.organizationId && last[0].status === change.status;
    if (last && isSame) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Puts what happens in organizations on its way to their webhooks, with the transaction that makes it happen. */
export function createHappenings({ db, clock, publicUrl, deliveries }: Core, { repository }: Dependencies) {
  const homeOf = (organizationId: string) => `${publicUrl}/organizations/${organizationId}`;

  function writeEvent({ name, organizationId, organizationName, subject, at, data }: Happening): CloudEvent {
    return {
      type: cloudEventType(name),
      source: homeOf(organizationId),
      ...(subject === undefined ? {} : { subject }),
      time: at.toISOString(),
      data: { organization: { id: organizationId, name: organizationName }, ...data },
    };
  }

  /** `read`: asked only where somebody is to be told. */
  async function tell(
    transaction: DatabaseTransaction,
    organizationId: string,
    name: string,
    read: () => Promise<Omit<Happening, 'name' | 'organizationId' | 'organizationName'>>,
  ): Promise<void> {
    const webhooks = await repository.listOfEvent(transaction, organizationId, name);
    if (webhooks.length === 0) return;
    const organizationName = await repository.getOrganizationName(transaction, organizationId);
    if (organizationName === undefined) return;
    const content = writeEvent({ name, organizationId, organizationName, ...(await read()) });
    for (const webhookId of webhooks) {
      await deliveries.add(transaction, { channel: webhookChannel, kind: name, webhookId, content });
    }
  }

  const tellOfAudit: AuditObserver = (transaction, event) => {
    const { action, organizationId, userId, subject, address, details, at } = event;
    // Telling of it would be the next one that fails.
    if (action === 'webhook.failed') return Promise.resolve();
    return tell(transaction, organizationId, action, async () => {
      const email = userId === undefined ? undefined : await repository.getEmail(transaction, userId);
      const user = userId === undefined ? null : { id: userId, email: email ?? null };
      return { subject, at, data: { user, subject, address, details } };
    });
  };

  const describe = (change: PresenceChange) => ({
    serialNumber: change.serialNumber,
    description: change.description,
    group: change.groupId === null ? null : { id: change.groupId, name: change.groupName },
    since: change.since.toISOString(),
    reason: change.statusReason,
    url: `${homeOf(change.organizationId)}/controllers/${change.serialNumber}`,
  });

  return {
    tellOfAudit,

    /** Run by a job each minute: a site that loses its power is one event, be it 3 controllers or 10,000. */
    tellOfPresence: () =>
      db.transaction().execute(async (transaction) => {
        const changes = await repository.takePresenceChanges(transaction);
        for (const same of groupByEvent(changes)) {
          const [{ organizationId, status }] = same;
          await tell(transaction, organizationId, `controllers.${status}`, async () => ({
            at: clock.now(),
            data: {
              count: same.length,
              controllers: same.slice(0, limits.controllersPerWebhook).map(describe),
            },
          }));
        }
      }),

    writeTest: (organization: { id: string; name: string }): CloudEvent =>
      writeEvent({
        name: 'test',
        organizationId: organization.id,
        organizationName: organization.name,
        at: clock.now(),
        data: {},
      }),
  };
}
export type Happenings = ReturnType<typeof createHappenings>;
