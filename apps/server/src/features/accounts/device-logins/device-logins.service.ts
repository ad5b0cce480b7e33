import { type DeviceLogin, lifetimes, limits, type Permission } from '@pult/contract';
import type { Caller, Visitor } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import { createId, createSecretToken, hashToken } from '../../../platform/ids.ts';
import { toNetwork, toSite } from '../../../platform/network.ts';
import type { RateLimiter, RequiredLimit } from '../../../platform/rate-limit.ts';
import { createTokenBuckets } from '../../../platform/token-buckets.ts';
import { createToken, showPrefix } from '../tokens/token-format.ts';
import { type TokensRepository, toScopes } from '../tokens/tokens.repository.ts';
import type { DeviceLoginsRepository } from './device-logins.repository.ts';
import { createUserCode, hashUserCode, showUserCode } from './user-code.ts';

interface Dependencies {
  repository: DeviceLoginsRepository;
  tokens: TokensRepository;
  rateLimiter: RateLimiter;
}

/** Seconds between two questions of a program. */
const interval = 5;
/** Logins that are begun in the time of one, by a network and by all networks of a site. */
const startLimits = (address: string): RequiredLimit[] => [
  { key: ['device login', toNetwork(address)], limit: 30, window: lifetimes.deviceLogin },
  { key: ['device logins of site', toSite(address)], limit: 150, window: lifetimes.deviceLogin },
];
/** In all, so that no guess hits one of very many. */
const limitOfAll: RequiredLimit = { key: ['device logins'], limit: 5_000, window: lifetimes.deviceLogin };
/** The first of each site count among none of these: strangers who use up all of them keep nobody else out. */
const firstOfSite = (address: string) => ({
  key: ['first device logins of site', toSite(address)],
  limit: 3,
  window: lifetimes.deviceLogin,
});
/** Wrong codes: of one user, and of all users of one network. */
const guessLimits = (userId: string, address: string): RequiredLimit[] => [
  { key: ['user code', userId], limit: 5, window: lifetimes.deviceLogin },
  { key: ['user codes', toNetwork(address)], limit: 50, window: lifetimes.deviceLogin },
];
/** Questions of one network: a room of people who log in at once. */
const pollRate = { burst: 60, perSecond: 5 };
/** A program learns for so long that its code is over, in milliseconds. */
const toldExpired = 3600_000;

const nameOf = (hostName: string) => (hostName === '' ? 'pult' : `pult@${hostName}`);

/** Programs that log in by a code which a person types in the console (RFC 8628). Their token is a personal one. */
export function createDeviceLoginsService(
  { db, clock, publicUrl, secrets, mail }: Core,
  { repository, tokens, rateLimiter }: Dependencies,
) {
  const polls = createTokenBuckets(clock, pollRate);
  const hashOf = (userCode: string) => hashUserCode(secrets.encryptionKey, userCode);

  /** Counts a guess, and takes it back for a right one. */
  async function guess<T>(
    { userId, address }: Caller,
    look: () => Promise<T | undefined | false>,
  ): Promise<T> {
    const guesses = guessLimits(userId, address);
    await rateLimiter.require(guesses);
    const found = await look();
    if (found === undefined || found === false) throw new FieldError('userCode', 'user_code_unknown');
    for (const each of guesses) await rateLimiter.refund(each);
    return found;
  }

  return {
    async start(
      { address }: Visitor,
      { hostName, scopes }: { hostName: string; scopes: readonly Permission[] },
    ) {
      await rateLimiter.require(startLimits(address));
      if (!(await rateLimiter.take(firstOfSite(address)))) await rateLimiter.require([limitOfAll]);
      const deviceCode = createSecretToken();
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + lifetimes.deviceLogin * 1000);
      const login = { hostName, scopes, address, createdAt, expiresAt, intervalSeconds: interval };
      let userCode: string;
      let isAdded: boolean;
      do {
        userCode = createUserCode();
        const hashes = { deviceHash: hashToken(deviceCode), userCodeHash: hashOf(userCode) };
        isAdded = await repository.add({ id: createId(), ...login, ...hashes });
      } while (!isAdded);
      return {
        deviceCode,
        userCode: showUserCode(userCode),
        verificationUri: `${publicUrl}/device`,
        expiresIn: lifetimes.deviceLogin,
        interval,
      };
    },

    /** The token, once; otherwise throws what the program is to wait for. */
    async poll(visitor: Visitor, deviceCode: string) {
      const { address } = visitor;
      const refused = polls.take(toNetwork(address));
      if (refused)
        throw new DomainError('too_many_attempts', 'device login polls', { seconds: refused.waitSeconds });
      const now = clock.now();
      const login = await repository.poll(hashToken(deviceCode), now);
      if (!login) throw new DomainError('invalid_grant', 'unknown');
      if (login.expiresAt <= now) throw new DomainError('expired_token');
      if (login.isDenied) throw new DomainError('access_denied');
      if (!login.isApproved) {
        if (login.isTooEarly) throw new DomainError('slow_down', { seconds: login.intervalSeconds });
        throw new DomainError('authorization_pending');
      }
      const [id, token] = [createId(), createToken('personal')];
      const expiresAt = new Date(now.getTime() + lifetimes.deviceToken * 1000);
      return db.transaction().execute(async (transaction) => {
        const taken = await repository.take(transaction, login.id);
        if (!taken) throw new DomainError('invalid_grant', 'taken');
        const { userId, email, locale, approvedFrom } = taken;
        const [name, scopes] = [nameOf(taken.hostName), toScopes(taken.scopes)];
        const added = {
          ...{ id, userId, hash: hashToken(token), name, prefix: showPrefix(token, 'personal'), scopes },
          ...{ networks: [], address, createdAt: now, expiresAt },
        };
        if (!(await tokens.add(transaction, added))) {
          throw new DomainError('tokens_limit_reached', { limit: limits.tokensPerAccount });
        }
        const details = {
          name,
          scopes: scopes.join(', '),
          expiresAt: expiresAt.toISOString(),
          approvedFrom,
        };
        await visitor.audit('token.created', { userId, subject: email, details }, transaction);
        const values = { time: now, address, approvedFrom, program: name, scopes, until: expiresAt };
        await mail.send('program-logged-in', { email, locale }, values, transaction);
        return { token, name, scopes, expiresAt: expiresAt.toISOString(), email };
      });
    },

    async find(caller: Caller, userCode: string): Promise<DeviceLogin> {
      const { address } = caller;
      const login = await guess(caller, () => repository.findWaiting(hashOf(userCode), clock.now()));
      return {
        hostName: login.host_name,
        address: login.address,
        ownAddress: address,
        isSameNetwork: toNetwork(login.address) === toNetwork(address),
        scopes: toScopes(login.scopes),
        createdAt: login.created_at.toISOString(),
        expiresAt: login.expires_at.toISOString(),
      };
    },

    async approve(
      caller: Caller,
      { userCode, scopes }: { userCode: string; scopes: readonly Permission[] },
    ): Promise<void> {
      const [hash, now] = [hashOf(userCode), clock.now()];
      const login = await guess(caller, () => repository.findWaiting(hash, now));
      if (!scopes.every((scope) => login.scopes.includes(scope))) {
        throw new FieldError('scopes', 'scopes_not_asked');
      }
      const { userId, address } = caller;
      const approval = { userId, scopes, address };
      // Somebody else was faster.
      if (!(await repository.approve(hash, approval, now))) {
        throw new FieldError('userCode', 'user_code_unknown');
      }
    },

    async deny(caller: Caller, userCode: string): Promise<void> {
      await guess(caller, () => repository.deny(hashOf(userCode), clock.now()));
    },

    deleteExpired: () => repository.deleteExpired(new Date(clock.now().getTime() - toldExpired)),
  };
}
export type DeviceLoginsService = ReturnType<typeof createDeviceLoginsService>;
