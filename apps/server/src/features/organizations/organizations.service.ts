import { limits, type Organization } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import type { OrganizationAccess } from './organization-access.ts';
import type { OrganizationsRepository } from './organizations.repository.ts';
import { createScope } from './scope.ts';

interface Dependencies {
  db: Database;
  repository: OrganizationsRepository;
  access: OrganizationAccess;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

export function createOrganizationsService(dependencies: Dependencies) {
  const { db, repository, access, recordAudit, clock } = dependencies;

  const service = {
    listOrganizations: (principal: Principal): Promise<Organization[]> =>
      repository.listOrganizations(createScope(principal, 'organization.read')),

    getOrganization: (principal: Principal, id: string): Promise<Organization> =>
      access.require(principal, id, 'organization.read'),

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
