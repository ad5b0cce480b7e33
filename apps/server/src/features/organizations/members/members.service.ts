import { isAllowed, type Member, mayManageRole, type Organization, type Role, roles } from '@pult/contract';
import { createScope } from '../../../platform/access/index.ts';
import type { AuditEvent, RecordAuditEvent } from '../../../platform/audit.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, RoleRefusal } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import { isInScope, type Principal } from '../../../platform/http/principal.ts';
import type { InvitesService } from '../invites/invites.service.ts';
import type { OrganizationAccess } from '../organization-access.ts';
import type { MembersRepository } from './members.repository.ts';

interface Dependencies {
  repository: MembersRepository;
  access: OrganizationAccess;
  invites: Pick<InvitesService, 'revokeUngrantable'>;
  events: Events;
  recordAudit: RecordAuditEvent;
}

/** Somebody who is to go. */
type Person = Pick<Member, 'userId' | 'email' | 'role'>;

/** Roles of members, and how members go. An organization always keeps an owner. */
export function createMembersService(dependencies: Dependencies) {
  const { repository, access, invites, events, recordAudit } = dependencies;

  /**
   * Throws `last_owner` when the organization would be left without one, and `break_glass_owner` when without the one who gets in
   * while its provider is down. The caller holds the organization.
   */
  async function requireOtherOwner(
    transaction: DatabaseTransaction,
    organizationId: string,
    member: Pick<Member, 'role' | 'userId'>,
  ): Promise<void> {
    if (member.role !== 'owner') return;
    if (await repository.isBreakGlassOwner(transaction, organizationId, member.userId)) {
      throw new DomainError('break_glass_owner');
    }
    const { owners } = await repository.count(transaction, organizationId);
    if (owners < 2) throw new DomainError('last_owner');
  }

  /** Records a change, and takes back what the member has invited to and may no longer grant. */
  async function finish(
    transaction: DatabaseTransaction,
    organizationId: string,
    member: Person & { newRole: Role | undefined },
    event: Pick<AuditEvent, 'action' | 'details'> & { userId: string; address: string },
  ): Promise<void> {
    const { userId, email, newRole } = member;
    const actor = { userId: event.userId, address: event.address };
    await recordAudit({ ...event, organizationId, subject: email }, transaction);
    await invites.revokeUngrantable(transaction, { organizationId, userId, role: newRole }, actor);
  }

  async function end(
    transaction: DatabaseTransaction,
    organizationId: string,
    member: Person,
    actor: { userId: string; address: string },
  ): Promise<void> {
    await requireOtherOwner(transaction, organizationId, member);
    await repository.deleteMember(transaction, organizationId, member.userId);
    const grants = await repository.deleteGrants(transaction, organizationId, member.userId);
    const action = actor.userId === member.userId ? 'member.left' : 'member.removed';
    const details = { role: member.role, ...(grants === 0 ? {} : { grants }) };
    const event = { action, details, ...actor } as const;
    await finish(transaction, organizationId, { ...member, newRole: undefined }, event);
  }

  /** A member, or somebody with grants alone. */
  async function requirePerson(
    transaction: DatabaseTransaction,
    organization: Organization,
    userId: string,
  ): Promise<Person> {
    const person =
      (await repository.getMember(transaction, organization.id, userId)) ??
      (await repository.getPartialMember(transaction, organization.id, userId));
    if (!person) throw new DomainError('member_not_found');
    return person;
  }

  async function requireMember(
    transaction: DatabaseTransaction,
    organization: Organization,
    userId: string,
  ): Promise<Member> {
    const member = await repository.getMember(transaction, organization.id, userId);
    if (!member) throw new DomainError('member_not_found');
    return member;
  }

  return {
    async listMembers(principal: Principal, organizationId: string): Promise<Member[]> {
      const { userRole } = await access.require(principal, organizationId, 'members.read');
      const members = await repository.listMembers(createScope(principal, 'members.read'), organizationId);
      if (isAllowed(userRole, 'members.manage') && isInScope(principal, 'members.manage')) return members;
      return members.map((member) => ({ ...member, totpEnabled: null }));
    },

    /** Both the role of now and the new one must be the caller's to manage: nobody raises themselves. */
    async updateMember(
      principal: Principal,
      request: { organizationId: string; userId: string; role: Role },
      address: string,
    ): Promise<Member> {
      const { organizationId, userId, role } = request;
      const changed = await access.change(
        principal,
        organizationId,
        'members.manage',
        async (transaction, organization) => {
          const member = await requireMember(transaction, organization, userId);
          for (const managed of [member.role, role]) {
            if (!mayManageRole(organization.userRole, managed)) {
              throw new RoleRefusal({ organizationId, subject: member.email });
            }
          }
          if (member.role === role) return { member, previousRole: role };
          if (role !== 'owner') await requireOtherOwner(transaction, organizationId, member);
          await repository.setRole(transaction, organizationId, userId, role);
          const { role: previousRole } = member;
          const details = { role, previousRole };
          const event = {
            action: 'member.role_changed',
            userId: principal.userId,
            address,
            details,
          } as const;
          await finish(transaction, organizationId, { ...member, newRole: role }, event);
          return { member: { ...member, role }, previousRole };
        },
      );
      const { member, previousRole } = changed;
      if (roles.indexOf(role) < roles.indexOf(previousRole))
        events.publish('accessEnded', { userId, organizationId });
      return member;
    },

    /** Oneself by this call is leaving, which every admin and owner may. */
    async removeMember(
      principal: Principal,
      organizationId: string,
      userId: string,
      address: string,
    ): Promise<void> {
      const isSelfInPart =
        userId === principal.userId &&
        principal.hasGrants &&
        (await access.require(principal, organizationId, 'organization.read', 'anywhere')).isPartial;
      // There nobody needs a role for what leaving does.
      const permission = isSelfInPart ? undefined : 'members.manage';
      await access.change(principal, organizationId, permission, async (transaction, organization) => {
        const member = await requirePerson(transaction, organization, userId);
        const isSelf = userId === principal.userId;
        // What was granted goes too, so it has to be the caller's to end.
        const granted = await repository.getPartialMember(transaction, organizationId, userId);
        for (const role of [member.role, granted?.role ?? member.role]) {
          if (!isSelf && !mayManageRole(organization.userRole, role)) {
            throw new RoleRefusal({ organizationId, subject: member.email });
          }
        }
        await end(transaction, organizationId, member, { userId: principal.userId, address });
      });
      events.publish('accessEnded', { userId, organizationId });
    },

    /** Works for every member, also without a second factor that the organization requires. */
    async leaveOrganization(principal: Principal, organizationId: string, address: string): Promise<void> {
      const { userId } = principal;
      await access.change(principal, organizationId, undefined, async (transaction, organization) => {
        const member = await requirePerson(transaction, organization, userId);
        await end(transaction, organizationId, member, { userId, address });
      });
      events.publish('accessEnded', { userId, organizationId });
    },
  };
}
export type MembersService = ReturnType<typeof createMembersService>;
