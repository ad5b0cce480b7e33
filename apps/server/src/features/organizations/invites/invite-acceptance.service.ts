import { grantRoles, type InviteValidation, mayManageRole, type Organization } from '@pult/contract';
import { type Caller, lockOrganization, type Visitor } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError } from '../../../platform/errors.ts';
import { createId, hashToken } from '../../../platform/ids.ts';
import { toNetwork } from '../../../platform/network.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import type { SignUpInvites } from '../../accounts/index.ts';
import { type GrantSubject, type GrantsRepository, putGrant } from '../../grants/index.ts';
import type { InvitesRepository } from './invites.repository.ts';

interface Dependencies {
  repository: InvitesRepository;
  grants: GrantsRepository;
  rateLimiter: RateLimiter;
}

type TakenInvite = NonNullable<Awaited<ReturnType<InvitesRepository['takeInvite']>>>;

/** Looks at invites from one network in a minute: an office may open its mail at the same time. */
const looksPerMinute = 120;

/** Joining an organization by the token of an invite, with an account or with a new one. */
export function createInviteAcceptance(
  { db, clock, access, mail }: Core,
  { repository, grants, rateLimiter }: Dependencies,
) {
  async function requireInvite(token: string, transaction?: DatabaseTransaction) {
    const invite = await repository.getByToken(hashToken(token), clock.now(), transaction);
    if (!invite) throw new DomainError('invite_invalid', 'unknown');
    return invite;
  }

  const countLook = (address: string) =>
    rateLimiter.require([{ key: ['invite look', toNetwork(address)], limit: looksPerMinute, window: 60 }]);

  /** Uses the invite up and makes the user a member. One who is a member already keeps their role. */
  const accept: SignUpInvites['accept'] = async (transaction, by, { token, userId, email }) => {
    const { organizationId } = await requireInvite(token, transaction);
    // Before the invite itself, as everything does that changes members: the two never wait for each other.
    await lockOrganization(transaction, organizationId);
    const now = clock.now();
    const taken = await repository.takeInvite(transaction, { tokenHash: hashToken(token), email }, now);
    if (!taken) throw new DomainError('invite_invalid', 'taken');
    // Whoever invited may have lost the right to grant this role since.
    if (!taken.inviterRole || !mayManageRole(taken.inviterRole, taken.role)) {
      throw new DomainError('invite_invalid', 'inviter_lost_right');
    }
    const { id, role } = taken;
    await mail.purge(id, transaction);
    if (taken.groupId !== null || taken.controllerId !== null) {
      await acceptPart(transaction, by, { ...taken, userId, email, createdAt: now });
      return;
    }
    if (!(await repository.addMember(transaction, { organizationId, userId, role, joinedAt: now }))) return;
    const said = { userId, organizationId, subject: email, details: { role } };
    await by.audit('member.joined', said, transaction);
  };

  /** A grant in place of membership; whoever is a member already has it besides. */
  async function acceptPart(
    transaction: DatabaseTransaction,
    by: Visitor,
    invite: TakenInvite & { userId: string; email: string; createdAt: Date },
  ): Promise<void> {
    const { organizationId, userId, email, groupId, controllerId, until, createdAt } = invite;
    const role = grantRoles.find((each) => each === invite.role);
    if (!role) throw new DomainError('invite_invalid', 'role_gone');
    const place = { groupId, controllerId };
    if (!(await grants.holdPlace(transaction, organizationId, place)))
      throw new DomainError('invite_invalid', 'place_gone');
    const subject: GrantSubject = { type: 'user', id: userId };
    const { invitedBy: grantedBy } = invite;
    const given = { id: createId(), organizationId, subject, ...place, role, until, grantedBy, createdAt };
    await putGrant(grants, transaction, given);
    const part = await grants.getPartName(transaction, organizationId, place);
    const details = {
      role,
      ...(part === undefined ? {} : { place: part }),
      ...(until === null ? {} : { expiresAt: until.toISOString() }),
    };
    await by.audit('member.joined', { userId, organizationId, subject: email, details }, transaction);
  }

  const invites: SignUpInvites = {
    getInvitedEmail: async (token) => (await repository.getByToken(hashToken(token), clock.now()))?.email,
    accept,
  };

  return {
    /** What signing up needs. */
    invites,

    async validateInvite({ address }: Visitor, token: string): Promise<InviteValidation> {
      await countLook(address);
      const { email, userExists, organizationName } = await requireInvite(token);
      return { invitedUserEmail: email, userExists, organizationToJoin: { name: organizationName } };
    },

    /** Works without a second factor too: the organization then says what it wants. */
    async acceptInvite(caller: Caller, token: string): Promise<Organization> {
      const { principal, address } = caller;
      await countLook(address);
      const { email, organizationId } = await requireInvite(token);
      if (email !== principal.email) throw new DomainError('invite_for_another_user', { email });
      return db.transaction().execute(async (transaction: DatabaseTransaction) => {
        await accept(transaction, caller, { token, userId: principal.userId, email });
        // Who had nothing granted until now has.
        const actor = { ...principal, hasGrants: true };
        const place = { kind: 'organization', id: organizationId, at: 'anywhere' } as const;
        const found = await access.find(actor, place, transaction);
        if (!found) throw new DomainError('invite_invalid', 'nothing_given');
        return found.organization;
      });
    },
  };
}
export type InviteAcceptance = ReturnType<typeof createInviteAcceptance>;
