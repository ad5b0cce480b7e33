import type { AccessToken, CreatedToken } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/schema.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { Outbox } from '../../../platform/mail/index.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import { describeToken, type IssuedTokens } from './issued-tokens.ts';
import { readTokenWish, type TokenWish } from './new-token.ts';
import type { TokenMails } from './token-mails.ts';

interface Dependencies {
  db: Database;
  issued: IssuedTokens;
  rateLimiter: RateLimiter;
  outbox: Outbox;
  mails: TokenMails;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

const additionsPerHour = 60;

/** The personal tokens of users. */
export function createTokensService(dependencies: Dependencies) {
  const { db, issued, rateLimiter, outbox, mails, events, recordAudit, clock } = dependencies;

  /** The tokens of a service account are its organization's. */
  function requirePerson({ serviceOf }: Principal): void {
    if (serviceOf !== undefined) throw new DomainError('token_forbidden');
  }

  return {
    async list(principal: Principal): Promise<AccessToken[]> {
      requirePerson(principal);
      return issued.list(principal.userId);
    },

    async create(principal: Principal, wish: TokenWish, address: string): Promise<CreatedToken> {
      requirePerson(principal);
      const { userId, email: subject } = principal;
      const at = clock.now();
      const plan = readTokenWish(principal, wish, at);
      await rateLimiter.require([{ key: ['token', userId], limit: additionsPerHour, window: 3600 }]);
      return db.transaction().execute(async (transaction) => {
        const made = await issued.add(transaction, { userId, kind: 'personal' }, plan, address);
        const details = describeToken(made);
        await recordAudit({ action: 'token.created', userId, subject, address, details }, transaction);
        const { name, scopes, expiresAt } = made;
        const mail = {
          at,
          address,
          name,
          scopes,
          expiresAt: expiresAt === null ? undefined : plan.expiresAt,
        };
        await outbox.add(mails.created(principal, mail), transaction);
        return made;
      });
    },

    /** What it has opened ends. */
    async delete(principal: Principal, id: string, address: string): Promise<void> {
      requirePerson(principal);
      const { userId, email: subject } = principal;
      await db.transaction().execute(async (transaction) => {
        const name = await issued.delete(transaction, userId, id);
        const event = { action: 'token.deleted', userId, subject, address, details: { name } } as const;
        await recordAudit(event, transaction);
        await outbox.add(mails.deleted(principal, { at: clock.now(), address, name }), transaction);
      });
      events.publish('accessEnded', { sessionId: id });
    },
  };
}
export type TokensService = ReturnType<typeof createTokensService>;
