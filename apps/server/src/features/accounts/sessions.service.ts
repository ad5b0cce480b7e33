import { lifetimes, type Session } from '@pult/contract';
import {
  type Caller,
  type FoundPrincipal,
  type Place,
  toPlaceAccess,
  type Visitor,
} from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { hashToken } from '../../platform/ids.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { SessionsRepository } from './sessions.repository.ts';
import { describeUserAgent } from './user-agent.ts';

interface Dependencies {
  repository: SessionsRepository;
  accessTokens: AccessTokens;
  /** TOTP_AUTH_ENABLED. */
  isTotpEnabled: boolean;
}

/** How stale `last_used_at` may be, in milliseconds: one write a minute and session is enough. */
const touchInterval = 60_000;

/** Whose a credential is, and where else its owner is logged in. */
export function createSessionsService(
  { db, events, clock }: Pick<Core, 'db' | 'events' | 'clock'>,
  { repository, accessTokens, isTotpEnabled }: Dependencies,
) {
  const idleSince = () => new Date(clock.now().getTime() - lifetimes.sessionIdle * 1000);

  async function principalOf(
    session: Awaited<ReturnType<SessionsRepository['getById']>>,
  ): Promise<FoundPrincipal | undefined> {
    if (!session) return undefined;
    const { lastUsedAt, hasProvidersFactor, signedInto, closed, found, ...known } = session;
    const principal = {
      ...known,
      // Rights over the installation are no organization's to give, whoever it says has signed in.
      isAdministrator: known.isAdministrator && signedInto === null,
      mayEnterTotpOrganizations: known.hasTotp || hasProvidersFactor || !isTotpEnabled,
      ...(signedInto === null ? {} : { signedInto }),
      ...(closed.length === 0 ? {} : { closed }),
      access: toPlaceAccess({ closed }, found),
    };
    const now = clock.now();
    if (now.getTime() - lastUsedAt.getTime() > touchInterval) await repository.touch(session.sessionId, now);
    return principal;
  }

  return {
    async getPrincipalByCookie(sessionToken: string, place?: Place): Promise<FoundPrincipal | undefined> {
      const hash = hashToken(sessionToken);
      return principalOf(await repository.getByToken(hash, clock.now(), idleSince(), place));
    },

    async getPrincipalByAccessToken(token: string, place?: Place): Promise<FoundPrincipal | undefined> {
      const sessionId = await accessTokens.verify(token);
      if (sessionId === undefined) return undefined;
      return principalOf(await repository.getById(sessionId, clock.now(), idleSince(), place));
    },

    async logout({ audit }: Visitor, principal: Principal): Promise<void> {
      if (!(await repository.delete(principal.sessionId))) return;
      events.publish('accessEnded', { sessionId: principal.sessionId, cause: 'logout' });
      await audit('logout', { userId: principal.userId, subject: principal.email });
    },

    async list({ userId, sessionId }: Principal): Promise<Session[]> {
      const rows = await repository.list(userId, clock.now(), idleSince());
      return rows.map((row) => ({
        id: row.id,
        address: row.address,
        userAgent: row.user_agent,
        device: describeUserAgent(row.user_agent),
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at.toISOString(),
        isCurrent: row.id === sessionId,
      }));
    },

    /** Ends those that are the user's own, the one that asks included; other ids name nothing. */
    async terminate(caller: Caller, ids: readonly string[]): Promise<void> {
      const { userId } = caller;
      const ended = await db.transaction().execute(async (transaction) => {
        // First the user, as everything does that ends sessions: two at once never wait for each other in a circle.
        await repository.lockUser(transaction, userId);
        const deleted = await repository.deleteOwn(transaction, userId, ids);
        if (deleted.length === 0) return deleted;
        await caller.audit('sessions.terminated', { details: { count: deleted.length } }, transaction);
        return deleted;
      });
      for (const sessionId of ended) events.publish('accessEnded', { sessionId });
    },

    async deleteExpired(): Promise<void> {
      const now = clock.now();
      const tokensEndedBefore = new Date(now.getTime() - lifetimes.endedToken * 1000);
      await repository.deleteExpired(now, idleSince(), tokensEndedBefore);
    },
  };
}
export type SessionsService = ReturnType<typeof createSessionsService>;
