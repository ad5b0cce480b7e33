import { limits, type Organization } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import type { InvitesService } from './invites/invites.service.ts';
import type { MembersRepository } from './members/members.repository.ts';
import type { OrganizationAccess } from './organization-access.ts';
import type { OrganizationsRepository } from './organizations.repository.ts';

interface Dependencies {
  db: Database;
  repository: OrganizationsRepository;
  members: Pick<MembersRepository, 'count'>;
  invites: Pick<InvitesService, 'dropAll'>;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

export function createOrganizationsService(dependencies: Dependencies) {
  const { db, repository, members, invites, access, events, recordAudit, clock } = dependencies;

  const service = {
    listOrganizations: (principal: Principal): Promise<Organization[]> =>
      repository.listOrganizations(principal),

    async getOrganization(principal: Principal, id: string): Promise<Organization> {
      const organization = await access.require(principal, id, 'organization.read', 'anywhere');
      return { ...organization, guestsAllowed: await repository.areGuestsAllowed(id) };
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

    /**
     * Requiring TOTP needs one's own, or the organization would close its door on who did it; others without
     * it are out from that moment, their tunnels too.
     */
    async updateOrganization(
      principal: Principal,
      id: string,
      changes: {
        name?: string | undefined;
        totpRequired?: boolean | undefined;
        guestsAllowed?: boolean | undefined;
      },
      address: string,
    ): Promise<Organization> {
      const { userId } = principal;
      const updated = await access.change(
        principal,
        id,
        'organization.update',
        async (transaction, organization) => {
          if (changes.totpRequired && !principal.hasTotp) throw new DomainError('own_totp_required');
          const guests = await repository.areGuestsAllowed(id, transaction);
          const { name = organization.name, totpRequired = organization.totpRequired } = changes;
          const { guestsAllowed = guests } = changes;
          const details = {
            ...(name === organization.name ? {} : { name }),
            ...(totpRequired === organization.totpRequired ? {} : { totpRequired }),
            ...(guestsAllowed === guests ? {} : { guestsAllowed }),
          };
          const after = { ...organization, name, totpRequired, guestsAllowed };
          if (Object.keys(details).length === 0) return { organization: after, details };
          await repository.updateOrganization(transaction, id, { name, totpRequired, guestsAllowed });
          const { name: subject } = organization;
          await recordAudit(
            { action: 'organization.updated', userId, organizationId: id, subject, address, details },
            transaction,
          );
          return { organization: after, details };
        },
      );
      const { totpRequired, guestsAllowed } = updated.details;
      if (totpRequired || guestsAllowed === false) events.publish('accessEnded', { organizationId: id });
      return updated.organization;
    },

    /** Only what is empty: no controllers, and no members but the caller. */
    async deleteOrganization(principal: Principal, id: string, address: string): Promise<void> {
      const { userId } = principal;
      await access.change(principal, id, 'organization.delete', async (transaction, organization) => {
        await repository.lockForDeletion(transaction, id);
        const { members: count } = await members.count(transaction, id);
        if (count > 1 || (await repository.hasControllers(transaction, id))) {
          throw new DomainError('organization_not_empty');
        }
        await invites.dropAll(transaction, id);
        await repository.deleteOrganization(transaction, id);
        const { name: subject } = organization;
        await recordAudit(
          { action: 'organization.deleted', userId, organizationId: id, subject, address },
          transaction,
        );
      });
      events.publish('accessEnded', { organizationId: id });
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
