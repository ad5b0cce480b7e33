import {
  type GrantPlace,
  type Invite,
  type Locale,
  lifetimes,
  limits,
  mayManageRole,
  type Organization,
  type Role,
} from '@pult/contract';
import type { Caller, OrganizationCaller, Rights } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../../platform/errors.ts';
import { requireInScope } from '../../../platform/http/token-scope.ts';
import { createId, createSecretToken, hashToken } from '../../../platform/ids.ts';
import type { RateLimiter, RequiredLimit } from '../../../platform/rate-limit.ts';
import { type GrantsRepository, type StoredPlace, toRolePlace } from '../../grants/index.ts';
import type { InvitesRepository } from './invites.repository.ts';

interface Dependencies {
  repository: InvitesRepository;
  places: Pick<GrantsRepository, 'findPlace' | 'getPartName'>;
  rateLimiter: RateLimiter;
}

interface InviteRequest {
  email: string;
  role: Role;
  locale: Locale;
  scope?: GrantPlace | undefined;
  until?: string | null | undefined;
}

const hour = 3600;

/**
 * Nobody's mailbox is flooded, and no account or organization becomes a sender of mass mail. One's own limits first:
 * whoever has reached them uses up no mailbox's.
 */
function mailLimits(userId: string, organizationId: string, email: string): RequiredLimit[] {
  return [
    { key: ['invites by', userId], limit: 200, window: hour },
    { key: ['invites of', organizationId], limit: 200, window: hour },
    { key: ['invites of', organizationId, email], limit: 10, window: hour },
    // Far higher: a stranger's organization may not use up what another's invites need.
    { key: ['invites to', email], limit: 30, window: hour },
  ];
}

/** Inviting people to an organization, and taking it back. */
export function createInvitesService(
  { db, clock, mail, publicUrl }: Core,
  { repository, places, rateLimiter }: Dependencies,
) {
  /** Deletes invites, with the mails whose links they were. */
  async function drop(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
    await repository.deleteInvites(transaction, ids);
    for (const id of ids) await mail.purge(id, transaction);
  }

  function readEnd(until: string | null | undefined): Date | null {
    if (!until) return null;
    const end = new Date(until);
    if (end <= clock.now()) throw new FieldError('until', 'grant_end');
    return end;
  }

  /** The part of the organization that the invite is to; undefined for membership, which is at the root. */
  async function requirePlace(
    caller: OrganizationCaller,
    scope: GrantPlace | undefined,
  ): Promise<StoredPlace | undefined> {
    if (!scope) return undefined;
    const { id } = caller.organization;
    // Accepted, such an invite is a right on a part, and no membership.
    if (scope.type !== 'organization') requireInScope(caller.principal, 'grants.manage');
    const place = await places.findPlace(id, scope);
    if (place) return place.groupId === null && place.controllerId === null ? undefined : place;
    await caller.require('members.invite', { kind: 'organization', id, at: 'root' });
    throw new FieldError('scope', 'place_unknown');
  }

  return {
    /** The link is answered only where no mail can carry it. */
    async inviteUser(
      caller: OrganizationCaller,
      request: InviteRequest,
    ): Promise<{ id: string; inviteUrl?: string }> {
      const { email, role } = request;
      const { id: organizationId } = caller.organization;
      const place = await requirePlace(caller, request.scope);
      const at = place ? toRolePlace(place) : 'root';
      await caller.require('members.invite', { kind: 'organization', id: organizationId, at });
      await rateLimiter.require(mailLimits(caller.userId, organizationId, email));
      const token = createSecretToken();
      const id = createId();
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + lifetimes.invite * 1000);

      const invite = async (transaction: DatabaseTransaction, organization: Organization, rights: Rights) => {
        const until = readEnd(request.until);
        const situation = await repository.getSituation(transaction, organizationId, email, createdAt);
        // The invite that this one would replace counts too: an admin does not turn an owner's into less.
        const { earlier: replaced } = situation;
        const granted = [
          { role, at },
          ...(replaced ? [{ role: replaced.role, at: toRolePlace(replaced) }] : []),
        ];
        for (const each of granted) {
          const own = await rights.getRole(each.at);
          if (own === null || !mayManageRole(own, each.role)) {
            throw new RoleRefusal({ organizationId, subject: email });
          }
        }
        if (situation.isMember && !place) throw new DomainError('already_member', { email });
        if (situation.pending >= limits.invitesPerOrganization) {
          throw new DomainError('invites_limit_reached', { limit: limits.invitesPerOrganization });
        }
        const own = { id, organizationId, email, role, createdAt, expiresAt, place, until };
        const invitedBy = caller.userId;
        const tokenHash = hashToken(token);
        const earlier = await repository.replaceInvite(transaction, { ...own, invitedBy, tokenHash });
        if (earlier !== undefined) await mail.purge(earlier, transaction);
        const locale = situation.locale ?? request.locale;
        const values = {
          inviter: caller.principal.email,
          organization: organization.name,
          token: { token, id, expiresAt },
        };
        await mail.send('invite', { email, locale }, values, transaction);
        const part = place && (await places.getPartName(transaction, organizationId, place));
        const details = { role, ...(part === undefined ? {} : { place: part }) };
        await caller.audit('member.invited', { subject: email, details }, transaction);
      };
      await caller.changeAt({ id: organizationId, at }, invite);
      return mail.isDelivering ? { id } : { id, inviteUrl: `${publicUrl}/invite?token=${token}` };
    },

    listInvites: ({ scope, organization }: OrganizationCaller): Promise<Invite[]> =>
      repository.listInvites(scope, organization.id, clock.now()),

    async revokeInvite(caller: OrganizationCaller, id: string): Promise<void> {
      await caller.change(async (transaction, { id: organizationId }, rights) => {
        const invite = await repository.getInvite(transaction, caller.scope, organizationId, id, clock.now());
        if (!invite) throw new DomainError('invite_not_found');
        const { email: subject, role } = invite;
        const own = await rights.getRole(toRolePlace(invite));
        if (own === null || !mayManageRole(own, role)) throw new RoleRefusal({ organizationId, subject });
        await drop(transaction, [id]);
        await caller.audit('invite.revoked', { subject, details: { role } }, transaction);
      });
    },

    /**
     * Revokes what a member has invited to but may no longer grant, with the role they have now; without one,
     * all of it: whoever was sent away leaves no back door.
     */
    async revokeUngrantable(
      transaction: DatabaseTransaction,
      inviter: { organizationId: string; userId: string; role: Role | undefined },
      caller: Caller,
    ): Promise<void> {
      const { organizationId, userId, role: now } = inviter;
      const invites = await repository.listOfInviter(transaction, organizationId, userId);
      const lost = invites.filter(({ role }) => now === undefined || !mayManageRole(now, role));
      await drop(
        transaction,
        lost.map(({ id }) => id),
      );
      for (const { email: subject, role } of lost) {
        const details = { role, reason: 'inviter_may_not_grant' };
        await caller.audit('invite.revoked', { organizationId, subject, details }, transaction);
      }
    },

    /** Of an organization that is about to go. */
    async dropAll(transaction: DatabaseTransaction, organizationId: string): Promise<void> {
      await drop(transaction, await repository.listIds(transaction, organizationId));
    },

    /** Run by a job every hour. */
    async deleteExpired(): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        for (const id of await repository.deleteExpired(transaction, clock.now())) {
          await mail.purge(id, transaction);
        }
      });
    },
  };
}
export type InvitesService = ReturnType<typeof createInvitesService>;
