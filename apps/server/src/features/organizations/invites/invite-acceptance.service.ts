import { grantRoles, type InviteValidation, mayManageRole, type Organization } from '@pult/contract';
import { type Access, type Caller, lockOrganization } from '../../../platform/access/index.ts';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError } from '../../../platform/errors.ts';
import { createId, hashToken } from '../../../platform/ids.ts';
import type { Outbox } from '../../../platform/mail/index.ts';
import { toNetwork } from '../../../platform/network.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import type { SignUpInvites } from '../../accounts/index.ts';
import { type GrantSubject, type GrantsRepository, putGrant } from '../../grants/index.ts';
import type { InvitesRepository } from './invites.repository.ts';

interface Dependencies {
  db: Database;
  repository: InvitesRepository;
  grants: GrantsRepository;
  access: Access;
  rateLimiter: RateLimiter;
  outbox: Outbox;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

type TakenInvite = NonNullable<Awaited<ReturnType<InvitesRepository['takeInvite']>>>;

/** Looks at invites from one network in a minute: an office may open its mail at the same time. */
const looksPerMinute = 120;

/** Joining an organization by the token of an invite, with an account or with a new one. */
export function createInviteAcceptance(dependencies: Dependencies) {
  const { db, repository, grants, access, rateLimiter, outbox, recordAudit, clock } = dependencies;

  async function requireInvite(token: string, transaction?: DatabaseTransaction) {
    const invite = await repository.getByToken(hashToken(token), clock.now(), transaction);
    if (!invite) throw new DomainError('invite_invalid', 'unknown');
    return invite;
  }

  const countLook = (address: string) =>
    rateLimiter.require([{ key: ['invite look', toNetwork(address)], limit: looksPerMinute, window: 60 }]);

  /** Uses the invite up and makes the user a member. One who is a member already keeps their role. */
  const accept: SignUpInvites['accept'] = async (transaction, { token, userId, email, address }) => {
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
    await outbox.purge(id, transaction);
    if (taken.groupId !== null || taken.controllerId !== null) {
      await acceptPart(transaction, { ...taken, userId, email, address, createdAt: now });
      return;
    }
    if (!(await repository.addMember(transaction, { organizationId, userId, role, joinedAt: now }))) return;
    await recordAudit(
      { action: 'member.joined', userId, organizationId, subject: email, address, details: { role } },
      transaction,
    );
  };

  /** A grant in place of membership; whoever is a member already has it besides. */
  async function acceptPart(
    transaction: DatabaseTransaction,
    invite: TakenInvite & { userId: string; email: string; address: string; createdAt: Date },
  ): Promise<void> {
    const { organizationId, userId, email, address, groupId, controllerId, until, createdAt } = invite;
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
    await recordAudit(
      { action: 'member.joined', userId, organizationId, subject: email, address, details },
      transaction,
    );
  }

  const invites: SignUpInvites = {
    getInvitedEmail: async (token) => (await repository.getByToken(hashToken(token), clock.now()))?.email,
    accept,
  };

  return {
    /** What signing up needs. */
    invites,

    async validateInvite(token: string, address: string): Promise<InviteValidation> {
      await countLook(address);
      const { email, userExists, organizationName } = await requireInvite(token);
      return { invitedUserEmail: email, userExists, organizationToJoin: { name: organizationName } };
    },

    /** Works without a second factor too: the organization then says what it wants. */
    async acceptInvite({ principal, address }: Caller, token: string): Promise<Organization> {
      await countLook(address);
      const { email, organizationId } = await requireInvite(token);
      if (email !== principal.email) throw new DomainError('invite_for_another_user', { email });
      return db.transaction().execute(async (transaction: DatabaseTransaction) => {
        await accept(transaction, { token, userId: principal.userId, email, address });
        // Who had nothing granted until now has.
        const actor = { ...principal, hasGrants: true };
        const place = { kind: 'organization', id: organizationId, at: 'anywhere' } as const;
        const standing = await access.find(actor, place, transaction);
        if (!standing) throw new DomainError('invite_invalid', 'nothing_given');
        return standing.organization;
      });
    },
  };
}
export type InviteAcceptance = ReturnType<typeof createInviteAcceptance>;
