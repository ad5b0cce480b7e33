import { LRUCache } from 'lru-cache';
import { type FoundPrincipal, type Place, toPlaceAccess } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import { DomainError } from '../../../platform/errors.ts';
import { hashToken } from '../../../platform/ids.ts';
import { isInNetworks, toNetwork } from '../../../platform/network.ts';
import type { RateLimiter } from '../../../platform/rate-limit.ts';
import { createTokenBuckets } from '../../../platform/token-buckets.ts';
import { isWellFormed } from './token-format.ts';
import { type FoundToken, type TokensRepository, toScopes } from './tokens.repository.ts';

interface Dependencies {
  repository: TokensRepository;
  rateLimiter: RateLimiter;
  /** TOTP_AUTH_ENABLED. */
  isTotpEnabled: boolean;
}

/** How stale the time of the last use may be, in milliseconds. */
const touchInterval = 60_000;
/** Tokens that nobody in this process has shown yet, of one network: a room of machines that start at once, then one a second. */
const guessRate = { burst: 60, perSecond: 1 };
/** Hashes of tokens that were good a moment ago, whose requests count as no guesses. */
const remembered = 10_000;

/** Who acts by a token. */
export interface TokenLogins {
  /**
   * Throws `not_authenticated` for a token that is wrong or over, `token_address_forbidden` where its networks leave the address
   * out, and `too_many_attempts` for who tries one after another.
   */
  require(token: string, address: string, place?: Place): Promise<FoundPrincipal>;
}

export function createTokenLogins(
  { recordAudit, clock }: Pick<Core, 'recordAudit' | 'clock'>,
  { repository, rateLimiter, isTotpEnabled }: Dependencies,
): TokenLogins {
  const guesses = createTokenBuckets(clock, guessRate);
  const known = new LRUCache<string, true>({ max: remembered });

  /** A token that is shown from elsewhere may be a stolen one: once an hour and network it is written down. */
  async function noteForeignAddress({ id, userId, email, name }: FoundToken, address: string): Promise<void> {
    const key = ['token refused', id, toNetwork(address)];
    if (!(await rateLimiter.take({ key, limit: 1, window: 3600 }))) return;
    await recordAudit({ action: 'token.refused', userId, subject: email, address, details: { token: name } });
  }

  return {
    async require(token, address, place) {
      if (!isWellFormed(token)) throw new DomainError('not_authenticated', 'token_malformed');
      const hash = hashToken(token);
      const key = hash.toString('base64');
      const refused = known.has(key) ? undefined : guesses.take(toNetwork(address));
      if (refused)
        throw new DomainError('too_many_attempts', 'tokens shown', { seconds: refused.waitSeconds });
      const now = clock.now();
      const found = await repository.getByHash(hash, now, place);
      if (!found) {
        known.delete(key);
        throw new DomainError('not_authenticated', 'token_unknown');
      }
      known.set(key, true);
      const { id, networks, lastUsedAt } = found;
      if (networks.length > 0 && !isInNetworks(address, networks)) {
        await noteForeignAddress(found, address);
        throw new DomainError('token_address_forbidden', { address });
      }
      if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() > touchInterval) {
        await repository.touch(id, { at: now, address });
      }
      const { serviceOf } = found;
      return {
        userId: found.userId,
        sessionId: id,
        email: found.email,
        locale: found.locale,
        hasTotp: found.hasTotp,
        isAdministrator: false,
        // A second factor is for people: nobody logs in as a service account.
        mayEnterTotpOrganizations: found.hasTotp || !isTotpEnabled || serviceOf !== null,
        ...(serviceOf === null ? {} : { serviceOf }),
        hasGrants: found.hasGrants,
        ...(found.closed.length === 0 ? {} : { closed: found.closed }),
        sessionExpiresAt: found.expiresAt,
        token: { name: found.name, scopes: new Set(toScopes(found.scopes)), networks },
        access: toPlaceAccess(found, found.found),
      };
    },
  };
}
