import { isAllowed, limits, type Organization, type Permission } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import type { OrganizationsRepository } from './organizations.repository.ts';
import { createScope } from './scope.ts';

interface Dependencies {
  db: Database;
  repository: OrganizationsRepository;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

export function createOrganizationsService({ db, repository, recordAudit, clock }: Dependencies) {
  const service = {
    listOrganizations: (principal: Principal): Promise<Organization[]> =>
      repository.listOrganizations(createScope(principal, 'organization.read')),

    /** Throws `organization_not_found` for a foreign one as for none: nobody learns which ids exist. */
    async getOrganization(principal: Principal, id: string): Promise<Organization> {
      const organization = await repository.getOrganization(createScope(principal, 'organization.read'), id);
      if (!organization) throw new DomainError('organization_not_found');
      return organization;
    },

    /** The organization, where the user may do this; otherwise `organization_not_found` or `role_forbidden`. */
    async requirePermission(principal: Principal, id: string, permission: Permission): Promise<Organization> {
      const organization = await service.getOrganization(principal, id);
      if (!isAllowed(organization.userRole, permission)) throw new DomainError('role_forbidden');
      return organization;
    },

    async createOrganization(principal: Principal, name: string, address: string): Promise<Organization> {
      const id = createId();
      await db.transaction().execute(async (transaction) => {
        if ((await repository.countOwned(transaction, principal.userId)) >= limits.organizationsPerUser) {
          throw new DomainError('organizations_limit_reached', { limit: limits.organizationsPerUser });
        }
        await service.createOwnedOrganization(transaction, { id, name, ownerId: principal.userId });
        await recordAudit(
          {
            action: 'organization.created',
            userId: principal.userId,
            organizationId: id,
            subject: name,
            address,
          },
          transaction,
        );
      });
      return { id, name, totpRequired: false, userRole: 'owner' };
    },

    /** As part of something larger, such as the first account. */
    createOwnedOrganization(
      transaction: DatabaseTransaction,
      organization: { id: string; name: string; ownerId: string },
    ): Promise<void> {
      return repository.createOrganization(transaction, { ...organization, createdAt: clock.now() });
    },
  };
  return service;
}
export type OrganizationsService = ReturnType<typeof createOrganizationsService>;
