import type { AccessToken, CreatedToken } from '@pult/contract';
import type { Caller } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import { describeToken, type IssuedTokens } from './issued-tokens.ts';
import { readTokenWish, type TokenWish } from './new-token.ts';

interface Dependencies {
  issued: IssuedTokens;
  rateLimiter: RateLimiter;
}

const additionsPerHour = 60;

/** The personal tokens of users. */
export function createTokensService(
  { db, events, clock, mail }: Core,
  { issued, rateLimiter }: Dependencies,
) {
  /** The tokens of a service account are its organization's. */
  function requirePerson({ principal }: Caller): void {
    if (principal.serviceOf !== undefined) throw new DomainError('token_forbidden', 'service_account');
  }

  return {
    async list(caller: Caller): Promise<AccessToken[]> {
      requirePerson(caller);
      return issued.list(caller.userId);
    },

    async create(caller: Caller, wish: TokenWish): Promise<CreatedToken> {
      requirePerson(caller);
      const { userId, principal, address } = caller;
      const at = clock.now();
      const plan = readTokenWish(principal, wish, at);
      await rateLimiter.require([{ key: ['token', userId], limit: additionsPerHour, window: 3600 }]);
      return db.transaction().execute(async (transaction) => {
        const made = await issued.add(transaction, { userId, kind: 'personal' }, plan, address);
        await caller.audit('token.created', { details: describeToken(made) }, transaction);
        const { name, scopes, expiresAt } = made;
        const until = expiresAt === null ? null : new Date(expiresAt);
        await mail.send('token-created', principal, { time: at, address, name, scopes, until }, transaction);
        return made;
      });
    },

    /** What it has opened ends. */
    async delete(caller: Caller, id: string): Promise<void> {
      requirePerson(caller);
      const { userId, principal, address } = caller;
      await db.transaction().execute(async (transaction) => {
        const name = await issued.delete(transaction, userId, id);
        await caller.audit('token.deleted', { details: { name } }, transaction);
        await mail.send('token-deleted', principal, { time: clock.now(), address, name }, transaction);
      });
      events.publish('accessEnded', { sessionId: id });
    },
  };
}
export type TokensService = ReturnType<typeof createTokensService>;
