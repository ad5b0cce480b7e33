import { type AccessToken, type CreatedToken, limits } from '@pult/contract';
import type { Core } from '../../../platform/core.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError } from '../../../platform/errors.ts';
import { createId, hashToken } from '../../../platform/ids.ts';
import { noEnd, type TokenPlan } from './new-token.ts';
import { createToken, showPrefix, type TokenKind } from './token-format.ts';
import { type TokensRepository, toScopes } from './tokens.repository.ts';

/** What the audit log is told of a new token. */
export function describeToken({ name, scopes, expiresAt, networks }: CreatedToken) {
  return {
    name,
    scopes: scopes.join(', '),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(networks.length === 0 ? {} : { networks: networks.join(', ') }),
  };
}

/** The tokens of whoever may have any, people and service accounts; who may change them is asked by the caller. */
export function createIssuedTokens(
  { clock }: Pick<Core, 'clock'>,
  { repository }: { repository: TokensRepository },
) {
  const showEnd = (end: Date) => (end >= noEnd ? null : end.toISOString());

  return {
    async list(userId: string): Promise<AccessToken[]> {
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

    /** `address` is that of who makes it. */
    async add(
      transaction: DatabaseTransaction,
      { userId, kind }: { userId: string; kind: TokenKind },
      { name, scopes, networks, expiresAt }: TokenPlan,
      address: string,
    ): Promise<CreatedToken> {
      const [id, token, createdAt] = [createId(), createToken(kind), clock.now()];
      const [hash, prefix] = [hashToken(token), showPrefix(token, kind)];
      const added = { id, userId, hash, name, prefix, scopes, networks, address, createdAt, expiresAt };
      if (!(await repository.add(transaction, added))) {
        throw new DomainError('tokens_limit_reached', { limit: limits.tokensPerAccount });
      }
      return {
        id,
        name,
        prefix,
        scopes: [...scopes],
        networks: [...networks],
        createdAt: createdAt.toISOString(),
        expiresAt: showEnd(expiresAt),
        isExpired: false,
        lastUsedAt: null,
        lastUsedFrom: null,
        token,
      };
    },

    /** Its name; throws where the user has no such token. */
    async delete(transaction: DatabaseTransaction, userId: string, id: string): Promise<string> {
      const name = await repository.delete(transaction, userId, id);
      if (name === undefined) throw new DomainError('token_not_found');
      return name;
    },
  };
}
export type IssuedTokens = ReturnType<typeof createIssuedTokens>;
