import type { Identity } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { Outbox } from '../../platform/mail/index.ts';
import type { IdentitiesRepository } from './identities.repository.ts';
import type { IdentityMails } from './identity-mails.ts';

/** The logins at providers that an account has been linked with. */
export function createIdentitiesService(dependencies: {
  db: Database;
  repository: IdentitiesRepository;
  events: Events;
  outbox: Outbox;
  mails: IdentityMails;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}) {
  const { db, repository, events, outbox, mails, recordAudit, clock } = dependencies;
  return {
    async list({ userId }: Principal): Promise<Identity[]> {
      const rows = await repository.list(userId);
      return rows.map((row) => ({
        id: row.id,
        organization:
          row.organization_id === null ? null : { id: row.organization_id, name: row.organizationName ?? '' },
        issuer: row.issuer,
        email: row.email,
        createdAt: row.created_at.toISOString(),
        checkedAt: row.checked_at.toISOString(),
      }));
    },

    async delete(principal: Principal, id: string, address: string): Promise<void> {
      const { userId, email: subject } = principal;
      await db.transaction().execute(async (transaction) => {
        const deleted = await repository.delete(transaction, userId, id);
        if (!deleted) throw new DomainError('identity_not_found');
        const details = { issuer: deleted.issuer };
        const organizationId = deleted.organizationId ?? undefined;
        const event = { action: 'identity.deleted', userId, organizationId, subject, address } as const;
        await recordAudit({ ...event, details }, transaction);
        const mail = mails.deleted(principal, { address, at: clock.now(), name: deleted.issuer });
        await outbox.add(mail, transaction);
      });
      events.publish('accessEnded', { userId });
    },
  };
}
export type IdentitiesService = ReturnType<typeof createIdentitiesService>;
