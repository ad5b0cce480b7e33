import type { Identity } from '@pult/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import type { IdentitiesRepository } from './identities.repository.ts';

/** The logins at providers that an account has been linked with. */
export function createIdentitiesService(
  { db, events, clock, mail }: Core,
  { repository }: { repository: IdentitiesRepository },
) {
  return {
    async list({ userId }: Caller): Promise<Identity[]> {
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

    async delete(caller: Caller, id: string): Promise<void> {
      const { userId, principal, address } = caller;
      await db.transaction().execute(async (transaction) => {
        const deleted = await repository.delete(transaction, userId, id);
        if (!deleted) throw new DomainError('identity_not_found');
        const details = { issuer: deleted.issuer };
        const organizationId = deleted.organizationId ?? undefined;
        await caller.audit('identity.deleted', { organizationId, details }, transaction);
        const values = { address, time: clock.now(), name: deleted.issuer };
        await mail.send('identity-deleted', principal, values, transaction);
      });
      events.publish('accessEnded', { userId });
    },
  };
}
export type IdentitiesService = ReturnType<typeof createIdentitiesService>;
