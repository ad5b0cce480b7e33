import { defaultLocale, type Locale, lifetimes, type OpenSignIn, type PasskeyProof } from '@pult/contract';
import { z } from 'zod';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { createEncryptedJson } from '../../platform/encrypted-json.ts';
import type { Encryptor } from '../../platform/encryptor.ts';
import { DomainError } from '../../platform/errors.ts';
import { createId, createSecretToken, hashToken } from '../../platform/ids.ts';
import { toNetwork } from '../../platform/network.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import {
  createPassword,
  hashPassword,
  type Login,
  type ProviderLogins,
  type ProviderSignIn,
} from '../accounts/index.ts';
import type { Providers } from './find-provider.ts';
import type { GivenByGroups } from './given-by-groups.ts';
import type { IdentitiesRepository } from './identities.repository.ts';
import type { PendingSignInsRepository } from './pending-sign-ins.repository.ts';
import type { Provider } from './provider.ts';
import { providerId } from './provider.ts';
import type { ProviderAnswer, ProviderClient } from './provider-client.ts';
import type { ProvidersRepository } from './providers.repository.ts';
import { encryptRefreshToken } from './refresh-token.ts';

/** What a browser's request tells of whoever signs in. */
export interface SignInOrigin {
  address: string;
  userAgent: string;
  locale: Locale | undefined;
  /** See LoginAttempt. */
  readBrowserId(email: string): string | undefined;
}

/** The proof that is still needed. */
export interface SignInProof {
  username?: string | undefined;
  password?: string | undefined;
  totpCode?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: PasskeyProof | undefined;
}

export interface CompletedSignIn extends Login {
  email: string;
  returnTo: string;
}

interface Dependencies {
  db: Database;
  client: ProviderClient;
  providers: Providers;
  repository: ProvidersRepository;
  identities: IdentitiesRepository;
  pending: PendingSignInsRepository;
  givenByGroups: GivenByGroups;
  logins: ProviderLogins;
  encryptor: Encryptor;
  rateLimiter: RateLimiter;
  recordAudit: RecordAuditEvent;
  clock: Clock;
  redirectUriOf(organizationId: string | undefined): string;
  isAvailable: boolean;
}

const answerSchema = z.object({
  claims: z.object({
    issuer: z.string(),
    subject: z.string(),
    email: z.string().nullable(),
    isEmailVerified: z.boolean(),
    groups: z.array(z.string()),
    hasSecondFactor: z.boolean(),
  }),
  refreshToken: z.string().optional(),
});

/** By its email alone. */
const isProven = ({ trustsEmail }: Provider, { isEmailVerified }: ProviderAnswer['claims']): boolean =>
  trustsEmail && isEmailVerified;

type PendingSignIn = NonNullable<Awaited<ReturnType<PendingSignInsRepository['getAnswered']>>>;

/** By one network in five minutes: an office that begins its day, and no more requests to a provider than that. */
const beginLimit = { limit: 300, window: 300 };

/**
 * From a provider's answer to a session. A session of an organization's provider is good for that organization alone: who
 * runs the provider may say of anybody that they have signed in.
 */
export function createSignInService(dependencies: Dependencies) {
  const { db, client, providers, repository, identities, pending, logins, recordAudit, clock } = dependencies;
  const answers = createEncryptedJson(dependencies.encryptor, answerSchema, (id) => `sign-in ${id}`);

  async function requireProvider(organizationId: string | undefined): Promise<Provider> {
    const provider = dependencies.isAvailable ? await providers.find(organizationId) : undefined;
    if (!provider) throw new DomainError('provider_not_found');
    return provider;
  }

  /** What is written down with the session, all in one transaction with it. */
  function settling(
    signIn: { id: string },
    provider: Provider,
    { claims, refreshToken }: ProviderAnswer,
  ): ProviderSignIn {
    const { organizationId } = provider;
    const now = clock.now();
    return {
      hasSecondFactor: claims.hasSecondFactor,
      // Nobody could be asked again: OpenID Connect has no other way to learn that somebody is gone.
      expiresAt:
        refreshToken === undefined ? new Date(now.getTime() + lifetimes.signInCheck * 1000) : undefined,
      async settle(transaction, user, address) {
        if (!(await pending.consume(transaction, signIn.id))) throw new DomainError('sign_in_expired');
        const id = createId();
        const linked = await identities.link(transaction, {
          id,
          userId: user.id,
          organizationId,
          claims,
        });
        if (linked === 'full') throw new DomainError('identities_limit_reached');
        // Somebody else's by now.
        if (linked === 'taken') throw new DomainError('sign_in_expired');
        await dependencies.givenByGroups.apply(transaction, { identityId: linked.id }, { address, provider });
        if (
          organizationId !== undefined &&
          !(await repository.hasRights(transaction, organizationId, user.id))
        ) {
          throw new DomainError('sign_in_without_rights');
        }
        if (linked.isNew) {
          const details = { provider: provider.name, issuer: claims.issuer };
          const event = { action: 'identity.linked', userId: user.id, subject: user.email, address } as const;
          await recordAudit({ ...event, organizationId, details }, transaction);
        }
        return {
          identityId: linked.id,
          refreshToken:
            refreshToken === undefined
              ? null
              : encryptRefreshToken(dependencies.encryptor, linked.id, refreshToken),
        };
      },
    };
  }

  /** An account for whom the provider of the installation vouches; false where there is one of this email by now. */
  async function createAccount(
    email: string,
    { address, locale = defaultLocale }: SignInOrigin,
  ): Promise<boolean> {
    const passwordHash = await hashPassword(createPassword());
    const user = { id: createId(), email, passwordHash, locale, createdAt: clock.now() };
    return db.transaction().execute((transaction) => logins.addUser(transaction, user, address));
  }

  /**
   * Whose sign-in it is without any further question: linked before, or vouched for by the provider of the installation. Undefined:
   * the account has to be proven.
   */
  async function findAccount(
    provider: Provider,
    claims: ProviderAnswer['claims'],
    origin: SignInOrigin,
  ): Promise<{ email: string; hasTotp: boolean } | undefined> {
    const { organizationId } = provider;
    const known = await identities.find({ organizationId, ...claims });
    if (known) return known;
    if (organizationId !== undefined) return undefined;
    const { email, isEmailVerified } = claims;
    const account = email === null ? undefined : await logins.getUserByEmail(email);
    if (email === null || !isEmailVerified) {
      // Whoever has an account can prove it; a new one would be somebody's whom nobody knows.
      if (account) return undefined;
      throw new DomainError('sign_in_email_unverified');
    }
    if (account) return provider.trustsEmail ? { email, hasTotp: account.totp_secret !== null } : undefined;
    return (await createAccount(email, origin)) ? { email, hasTotp: false } : undefined;
  }

  const requestOf = (
    email: string,
    { address, userAgent, locale, readBrowserId }: SignInOrigin,
    proof: SignInProof,
  ) => ({
    email,
    address,
    userAgent,
    locale,
    browserId: readBrowserId(email),
    code: proof.totpCode,
    recoveryCode: proof.recoveryCode,
    passkey: proof.passkey,
  });

  async function requireAnswered(token: string | undefined): Promise<{
    signIn: PendingSignIn;
    provider: Provider;
    answer: ProviderAnswer;
  }> {
    const signIn = token === undefined ? undefined : await pending.getAnswered(hashToken(token), clock.now());
    const provider = signIn && (await providers.find(signIn.organization_id ?? undefined));
    const answer = signIn?.answer ? answers.read(signIn.id, signIn.answer) : undefined;
    if (!signIn || !answer || !provider || provider.issuer !== signIn.issuer) {
      throw new DomainError('sign_in_expired');
    }
    return { signIn, provider, answer: { claims: answer.claims, refreshToken: answer.refreshToken } };
  }

  return {
    async getProvider(organizationId: string | undefined): Promise<{ name: string }> {
      const { name } = await requireProvider(organizationId);
      return { name };
    },

    /** Where the browser goes, and the secret by which it is known when it comes back. */
    async begin(
      organizationId: string | undefined,
      { returnTo, address }: { returnTo: string; address: string },
    ): Promise<{ url: string; token: string; expiresAt: Date }> {
      const provider = await requireProvider(organizationId);
      await dependencies.rateLimiter.require([{ key: ['sign-in', toNetwork(address)], ...beginLimit }]);
      const begun = await client.begin(provider, dependencies.redirectUriOf(organizationId));
      const token = createSecretToken();
      const expiresAt = new Date(clock.now().getTime() + lifetimes.signIn * 1000);
      await pending.add({
        id: createId(),
        tokenHash: hashToken(token),
        organizationId,
        issuer: provider.issuer,
        clientId: provider.clientId,
        stateHash: hashToken(begun.state),
        nonce: begun.nonce,
        codeVerifier: begun.codeVerifier,
        returnTo,
        expiresAt,
      });
      return { url: begun.url, token, expiresAt };
    },

    /**
     * The browser comes back. The state has to be the one of this browser and this provider, whose address has the
     * answer: an answer of another provider is never taken for its. Undefined: something is still to be proven.
     */
    async answer(
      organizationId: string | undefined,
      { token, query, origin }: { token: string | undefined; query: URLSearchParams; origin: SignInOrigin },
    ): Promise<CompletedSignIn | undefined> {
      const provider = await requireProvider(organizationId);
      const state = query.get('state');
      if (token === undefined || state === null) throw new DomainError('sign_in_expired');
      const hashes = { tokenHash: hashToken(token), stateHash: hashToken(state) };
      const signIn = await pending.take({ ...hashes, organizationId }, clock.now());
      if (!signIn || signIn.issuer !== provider.issuer || signIn.client_id !== provider.clientId) {
        throw new DomainError('sign_in_expired');
      }
      const callback = new URL(`${dependencies.redirectUriOf(organizationId)}?${query}`);
      const secrets = { state, nonce: signIn.nonce, codeVerifier: signIn.code_verifier };
      const answer = await client.finish(provider, callback, secrets);
      const account = await findAccount(provider, answer.claims, origin);
      if (account && (!account.hasTotp || answer.claims.hasSecondFactor)) {
        const request = requestOf(account.email, origin, {});
        const login = await logins.loginByProvider(request, settling(signIn, provider, answer));
        return { ...login, email: account.email, returnTo: signIn.return_to };
      }
      await pending.keepAnswer(signIn.id, answers.encrypt(signIn.id, answer));
      return undefined;
    },

    async getOpen(token: string | undefined): Promise<OpenSignIn> {
      const { provider, answer } = await requireAnswered(token);
      const { organizationId, name } = provider;
      const known = await identities.find({ organizationId, ...answer.claims });
      return {
        provider: { id: providerId(organizationId), name },
        email: known?.email ?? answer.claims.email,
        needs: known || isProven(provider, answer.claims) ? 'second_factor' : 'account',
      };
    },

    /** With what was still to be proven. Throws as a login does. */
    async complete(
      token: string | undefined,
      proof: SignInProof,
      origin: SignInOrigin,
    ): Promise<CompletedSignIn> {
      const { signIn, provider, answer } = await requireAnswered(token);
      const settle = settling(signIn, provider, answer);
      const known = await identities.find({ organizationId: provider.organizationId, ...answer.claims });
      const { username, password } = proof;
      const trusted = isProven(provider, answer.claims) ? answer.claims.email : null;
      const email = known?.email ?? (username === undefined ? trusted : username);
      if (email === null) throw new DomainError('invalid_credentials');
      const request = requestOf(email, origin, proof);
      const login =
        known || (email === trusted && password === undefined)
          ? await logins.loginByProvider(request, settle)
          : await logins.login({ ...request, password: password ?? '' }, settle);
      return { ...login, email, returnTo: signIn.return_to };
    },

    deleteExpired: () => pending.deleteExpired(clock.now()),
  };
}
export type SignInService = ReturnType<typeof createSignInService>;
