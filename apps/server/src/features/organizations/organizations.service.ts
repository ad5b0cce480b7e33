import { limits, type Organization } from '@pult/contract';
import type { Caller, OrganizationCaller } from '../../platform/access/index.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Core } from '../../platform/feature.ts';
import { createId } from '../../platform/ids.ts';
import type { InvitesService } from './invites/invites.service.ts';
import type { MembersRepository } from './members/members.repository.ts';
import type { OrganizationsRepository } from './organizations.repository.ts';

interface Dependencies {
  repository: OrganizationsRepository;
  members: Pick<MembersRepository, 'count'>;
  invites: Pick<InvitesService, 'dropAll'>;
}

export function createOrganizationsService(
  { db, events, clock }: Core,
  { repository, members, invites }: Dependencies,
) {
  const service = {
    listOrganizations: ({ principal }: Caller): Promise<Organization[]> =>
      repository.listOrganizations(principal),

    async getOrganization({ organization }: OrganizationCaller): Promise<Organization> {
      return { ...organization, guestsAllowed: await repository.areGuestsAllowed(organization.id) };
    },

    async createOrganization(caller: Caller, name: string): Promise<Organization> {
      const id = createId();
      const { userId: ownerId } = caller;
      await db.transaction().execute(async (transaction) => {
        if ((await repository.countOwned(transaction, ownerId)) >= limits.organizationsPerUser) {
          throw new DomainError('organizations_limit_reached', { limit: limits.organizationsPerUser });
        }
        await service.createOwnedOrganization(transaction, { id, name, ownerId });
        await caller.audit('organization.created', { organizationId: id, subject: name }, transaction);
      });
      return { id, name, totpRequired: false, userRole: 'owner' };
    },

    /**
     * Requiring TOTP needs one's own, or the organization would close its door on who did it; others without
     * it are out from that moment, their tunnels too.
     */
    async updateOrganization(
      caller: OrganizationCaller,
      changes: {
        name?: string | undefined;
        totpRequired?: boolean | undefined;
        guestsAllowed?: boolean | undefined;
      },
    ): Promise<Organization> {
      const { id } = caller.organization;
      const updated = await caller.change(async (transaction, organization) => {
        if (changes.totpRequired && !caller.principal.hasTotp) throw new DomainError('own_totp_required');
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
        await caller.audit('organization.updated', { subject, details }, transaction);
        return { organization: after, details };
      });
      const { totpRequired, guestsAllowed } = updated.details;
      if (totpRequired || guestsAllowed === false) events.publish('accessEnded', { organizationId: id });
      return updated.organization;
    },

    /** Only what is empty: no controllers, and no members but the caller. */
    async deleteOrganization(caller: OrganizationCaller): Promise<void> {
      const { id } = caller.organization;
      await caller.change(async (transaction, organization) => {
        await repository.lockForDeletion(transaction, id);
        const { members: count } = await members.count(transaction, id);
        if (count > 1 || (await repository.hasControllers(transaction, id))) {
          throw new DomainError('organization_not_empty');
        }
        await invites.dropAll(transaction, id);
        await repository.deleteOrganization(transaction, id);
        const { name: subject } = organization;
        await caller.audit('organization.deleted', { subject }, transaction);
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
