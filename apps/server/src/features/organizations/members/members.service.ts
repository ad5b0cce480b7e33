import {
  type AuditAction,
  isAllowed,
  type Member,
  mayManageRole,
  type Organization,
  type Role,
  roles,
} from '@pult/contract';
import type {
  AskingCaller,
  Caller,
  Decided,
  MemberCaller,
  OrganizationCaller,
  Part,
} from '../../../platform/access/index.ts';
import type { AuditDetails } from '../../../platform/audit.ts';
import type { Core } from '../../../platform/core.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, RoleRefusal } from '../../../platform/errors.ts';
import { isInScope } from '../../../platform/http/principal.ts';
import type { InvitesService } from '../invites/invites.service.ts';
import type { MembersRepository } from './members.repository.ts';

interface Dependencies {
  repository: MembersRepository;
  invites: Pick<InvitesService, 'revokeUngrantable'>;
}

/** Somebody who is to go. */
type Person = Pick<Member, 'userId' | 'email' | 'role'>;

/** Roles of members, and how members go. An organization always keeps an owner. */
export function createMembersService({ access, events }: Core, { repository, invites }: Dependencies) {
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
    caller: Caller,
    { organizationId, ...member }: Person & { organizationId: string; newRole: Role | undefined },
    { action, details }: { action: AuditAction; details: AuditDetails },
  ): Promise<void> {
    const { userId, email, newRole } = member;
    await caller.audit(action, { organizationId, subject: email, details }, transaction);
    await invites.revokeUngrantable(transaction, { organizationId, userId, role: newRole }, caller);
  }

  async function end(
    transaction: DatabaseTransaction,
    caller: Caller,
    organizationId: string,
    member: Person,
  ): Promise<void> {
    await requireOtherOwner(transaction, organizationId, member);
    await repository.deleteMember(transaction, organizationId, member.userId);
    const grants = await repository.deleteGrants(transaction, organizationId, member.userId);
    const action = caller.userId === member.userId ? 'member.left' : 'member.removed';
    const details = { role: member.role, ...(grants === 0 ? {} : { grants }) };
    const gone = { ...member, organizationId, newRole: undefined };
    await finish(transaction, caller, gone, { action, details });
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
    async listMembers({ principal, scope, organization }: OrganizationCaller): Promise<Member[]> {
      const { id, userRole } = organization;
      const members = await repository.listMembers(scope, id);
      if (isAllowed(userRole, 'members.manage') && isInScope(principal, 'members.manage')) return members;
      return members.map((member) => ({ ...member, totpEnabled: null }));
    },

    /** Both the role of now and the new one must be the caller's to manage: nobody raises themselves. */
    async updateMember(
      caller: OrganizationCaller,
      { userId, role }: { userId: string; role: Role },
    ): Promise<Member> {
      const { id: organizationId } = caller.organization;
      const changed = await caller.change(async (transaction, organization) => {
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
        const event = { action: 'member.role_changed', details: { role, previousRole } } as const;
        await finish(transaction, caller, { ...member, organizationId, newRole: role }, event);
        return { member: { ...member, role }, previousRole };
      });
      const { member, previousRole } = changed;
      if (roles.indexOf(role) < roles.indexOf(previousRole))
        events.publish('accessEnded', { userId, organizationId });
      return member;
    },

    /** Oneself by this call is leaving, which every admin and owner may. */
    async removeMember(
      caller: AskingCaller,
      { organizationId, userId }: { organizationId: string; userId: string },
    ): Promise<Decided<undefined>> {
      const { principal } = caller;
      const placeAt = (at: Part) => ({ kind: 'organization', id: organizationId, at }) as const;
      const isSelf = userId === caller.userId;
      const isSelfInPart =
        isSelf &&
        principal.hasGrants &&
        (await access.resolve(principal, 'organization.read', placeAt('anywhere'))).organization.isPartial;
      // There nobody needs a role for what leaving does.
      const permission = isSelfInPart ? undefined : 'members.manage';
      const place = placeAt('root');
      await access.resolve(principal, permission, place);
      const removed = await access.change(
        principal,
        { place, organizationId },
        permission,
        async (transaction, organization, { by }) => {
          const member = await requirePerson(transaction, organization, userId);
          // What was granted goes too, so it has to be the caller's to end.
          const granted = await repository.getPartialMember(transaction, organizationId, userId);
          for (const role of [member.role, granted?.role ?? member.role]) {
            if (!isSelf && !mayManageRole(organization.userRole, role)) {
              throw new RoleRefusal({ organizationId, subject: member.email });
            }
          }
          await end(transaction, caller, organizationId, member);
          return caller.decide(by, undefined);
        },
      );
      events.publish('accessEnded', { userId, organizationId });
      return removed;
    },

    /** Works for every member, also without a second factor that the organization requires. */
    async leaveOrganization(caller: MemberCaller): Promise<void> {
      const { userId } = caller;
      const { id: organizationId } = caller.organization;
      await caller.change(async (transaction, organization) => {
        const member = await requirePerson(transaction, organization, userId);
        await end(transaction, caller, organizationId, member);
      });
      events.publish('accessEnded', { userId, organizationId });
    },
  };
}
export type MembersService = ReturnType<typeof createMembersService>;
