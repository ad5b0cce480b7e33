import { type AccessToken, type CreatedToken, limits } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/schema.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { createId, hashToken } from '../../../platform/ids.ts';
import type { Outbox } from '../../../platform/mail/index.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import { noEnd, readTokenWish, type TokenWish } from './new-token.ts';
import { createToken, showPrefix } from './token-format.ts';
import type { TokenMails } from './token-mails.ts';
import { type TokensRepository, toScopes } from './tokens.repository.ts';

interface Dependencies {
  db: Database;
  repository: TokensRepository;
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
  const { db, repository, rateLimiter, outbox, mails, events, recordAudit, clock } = dependencies;
  const showEnd = (end: Date) => (end >= noEnd ? null : end.toISOString());

  return {
    async list({ userId }: Principal): Promise<AccessToken[]> {
      const rows = await repository.list(userId);
      const now = clock.now();
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        scopes: toScopes(row.scopes),
        networks: row.networks,
        createdAt: row.created_at.toISOString(),
        expiresAt: showEnd(row.expires_at),
        isExpired: row.expires_at <= now,
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
        lastUsedFrom: row.last_used_from,
      }));
    },

    async create(principal: Principal, wish: TokenWish, address: string): Promise<CreatedToken> {
      const { userId, email: subject } = principal;
      const createdAt = clock.now();
      const { scopes, expiresAt, networks } = readTokenWish(principal, wish, createdAt);
      await rateLimiter.require([{ key: ['token', userId], limit: additionsPerHour, window: 3600 }]);
      const [id, token, { name }] = [createId(), createToken('personal'), wish];
      const prefix = showPrefix(token, 'personal');
      const end = showEnd(expiresAt);
      await db.transaction().execute(async (transaction) => {
        const hash = hashToken(token);
        const added = { id, userId, hash, name, prefix, scopes, networks, address, createdAt, expiresAt };
        if (!(await repository.add(transaction, added))) {
          throw new DomainError('tokens_limit_reached', { limit: limits.tokensPerAccount });
        }
        const details = {
          name,
          scopes: scopes.join(', '),
          ...(end === null ? {} : { expiresAt: end }),
          ...(networks.length === 0 ? {} : { networks: networks.join(', ') }),
        };
        await recordAudit({ action: 'token.created', userId, subject, address, details }, transaction);
        const mail = {
          at: createdAt,
          address,
          name,
          scopes,
          expiresAt: end === null ? undefined : expiresAt,
        };
        await outbox.add(mails.created(principal, mail), transaction);
      });
      return {
        id,
        name,
        prefix,
        scopes: [...scopes],
        networks,
        createdAt: createdAt.toISOString(),
        expiresAt: end,
        isExpired: false,
        lastUsedAt: null,
        lastUsedFrom: null,
        token,
      };
    },

    /** What it has opened ends. */
    async delete(principal: Principal, id: string, address: string): Promise<void> {
      const { userId, email: subject } = principal;
      await db.transaction().execute(async (transaction) => {
        const name = await repository.delete(transaction, userId, id);
        if (name === undefined) throw new DomainError('token_not_found');
        const event = { action: 'token.deleted', userId, subject, address, details: { name } } as const;
        await recordAudit(event, transaction);
        await outbox.add(mails.deleted(principal, { at: clock.now(), address, name }), transaction);
      });
      events.publish('accessEnded', { sessionId: id });
    },
  };
}
export type TokensService = ReturnType<typeof createTokensService>;
