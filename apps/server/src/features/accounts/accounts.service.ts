import { type Locale, lifetimes, type User } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId, createSecretToken, hashToken } from '../../platform/ids.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import type { LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { verifyPassword } from './password.ts';

export interface LoginRequest extends LoginAttempt {
  password: string;
  userAgent: string;
}

export interface Login {
  /** For the Authorization header. */
  access: string;
  /** For the session cookie. */
  sessionToken: string;
  userId: string;
  expiresAt: Date;
}

interface Dependencies {
  repository: AccountsRepository;
  throttle: LoginThrottle;
  accessTokens: AccessTokens;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
  /** TOTP_AUTH_ENABLED. */
  isTotpKnown: boolean;
}

/** How stale `last_used_at` may be, in milliseconds: one write a minute and session is enough. */
const touchInterval = 60_000;

/** Who is who: logging in and out, and finding the user of a credential. */
export function createAccountsService(dependencies: Dependencies) {
  const { repository, throttle, accessTokens, events, recordAudit, clock, isTotpKnown } = dependencies;

  const idleSince = () => new Date(clock.now().getTime() - lifetimes.sessionIdle * 1000);

  async function principalOf(
    session: Awaited<ReturnType<AccountsRepository['getSessionById']>>,
  ): Promise<Principal | undefined> {
    if (!session) return undefined;
    const { lastUsedAt, ...known } = session;
    const principal = { ...known, mayEnterTotpOrganizations: known.hasTotp || !isTotpKnown };
    const now = clock.now();
    if (now.getTime() - lastUsedAt.getTime() > touchInterval) {
      await repository.touchSession(session.sessionId, now);
    }
    return principal;
  }

  return {
    /**
     * Evaluates one guess, counted before it is looked at. Always makes a new session: an id from before the
     * login never becomes a logged-in one.
     */
    async login(request: LoginRequest): Promise<Login> {
      await throttle.reserve(request);
      const user = await repository.getUserByEmail(request.email);
      if (!(await verifyPassword(user?.password_hash, request.password)) || !user) {
        const { email, address } = request;
        // People type passwords into this field too.
        const subject = /^[^@\s]+@[^@\s]+$/.test(email) ? email : '';
        await recordAudit({ action: 'login.refused', userId: user?.id, subject, address });
        throw new DomainError('invalid_credentials');
      }
      await throttle.release(request);
      const now = clock.now();
      const session = { id: createId(), userId: user.id };
      const sessionToken = createSecretToken();
      const expiresAt = new Date(now.getTime() + lifetimes.sessionAbsolute * 1000);
      await repository.createSession({
        ...session,
        tokenHash: hashToken(sessionToken),
        address: request.address,
        userAgent: request.userAgent.slice(0, 255),
        createdAt: now,
        expiresAt,
      });
      await recordAudit({
        action: 'login.succeeded',
        userId: user.id,
        subject: user.email,
        address: request.address,
      });
      const access = await accessTokens.create({ sessionId: session.id, userId: user.id });
      return { access, sessionToken, userId: user.id, expiresAt };
    },

    async logout(principal: Principal, address: string): Promise<void> {
      if (!(await repository.deleteSession(principal.sessionId))) return;
      events.publish('accessEnded', { sessionId: principal.sessionId });
      await recordAudit({ action: 'logout', userId: principal.userId, subject: principal.email, address });
    },

    async getPrincipalByCookie(sessionToken: string): Promise<Principal | undefined> {
      const session = await repository.getSessionByToken(hashToken(sessionToken), clock.now(), idleSince());
      return principalOf(session);
    },

    async getPrincipalByAccessToken(token: string): Promise<Principal | undefined> {
      const sessionId = await accessTokens.verify(token);
      if (sessionId === undefined) return undefined;
      return principalOf(await repository.getSessionById(sessionId, clock.now(), idleSince()));
    },

    async getCurrentUser(principal: Principal): Promise<User> {
      return {
        id: principal.userId,
        email: principal.email,
        totpEnabled: false,
        hasRecoveryCodes: false,
        hasTotpRequiredOrg: await repository.isInTotpOrganization(principal.userId),
        locale: principal.locale satisfies Locale,
      };
    },

    /** Run by a job every hour; the attempts to get a session go with them. */
    async deleteExpiredSessions(): Promise<void> {
      await repository.deleteExpired(clock.now(), idleSince());
      await throttle.deleteForgotten();
    },
  };
}
export type AccountsService = ReturnType<typeof createAccountsService>;
