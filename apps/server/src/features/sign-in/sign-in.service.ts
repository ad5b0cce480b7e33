import { type Locale, lifetimes, type OpenSignIn, type PasskeyProof } from '@pult/contract';
import { z } from 'zod';
import type { Visitor } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import { createEncryptedJson } from '../../platform/encrypted-json.ts';
import { DomainError } from '../../platform/errors.ts';
import { createId, createSecretToken, hashToken } from '../../platform/ids.ts';
import { toNetwork } from '../../platform/network.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import type { Login, ProviderLogins } from '../accounts/index.ts';
import type { Providers } from './find-provider.ts';
import type { IdentitiesRepository } from './identities.repository.ts';
import type { PendingSignInsRepository } from './pending-sign-ins.repository.ts';
import type { Provider } from './provider.ts';
import { makesAccount, providerId } from './provider.ts';
import type { ProviderAnswer, ProviderClient } from './provider-client.ts';
import type { NoteProviderFailure } from './provider-failures.ts';
import type { ProvidersRepository } from './providers.repository.ts';
import type { SignInOutcome } from './sign-in-outcome.ts';

/** What a browser's request tells of whoever signs in. */
export interface SignInOrigin {
  visitor: Visitor;
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
  /** The account has proven itself, or the installation's provider vouches for it: the browser is one of its own from now on. */
  isOwnLogin: boolean;
}

interface Dependencies {
  client: ProviderClient;
  providers: Providers;
  repository: Pick<ProvidersRepository, 'getOrganizationName'>;
  identities: IdentitiesRepository;
  pending: PendingSignInsRepository;
  noteFailure: NoteProviderFailure;
  outcome: SignInOutcome;
  logins: ProviderLogins;
  rateLimiter: RateLimiter;
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

/** Nobody has put another provider in its place since the sign-in has begun. */
const isOf = ({ issuer, clientId }: Provider, signIn: Pick<PendingSignIn, 'issuer' | 'client_id'>): boolean =>
  issuer === signIn.issuer && clientId === signIn.client_id;

type PendingSignIn = NonNullable<Awaited<ReturnType<PendingSignInsRepository['getAnswered']>>>;

/** By one network in five minutes: an office that begins its day, and no more requests to a provider than that. */
const beginLimit = { limit: 300, window: 300 };

/**
 * From a provider's answer to a session. A session of an organization's provider is good for that organization alone: who
 * runs the provider may say of anybody that they have signed in.
 */
export function createSignInService({ clock, encryptor }: Core, own: Dependencies) {
  const { client, providers, repository, identities, pending, noteFailure, outcome, logins } = own;
  const answers = createEncryptedJson(encryptor, answerSchema, (id) => `sign-in ${id}`);

  async function requireProvider(organizationId: string | undefined): Promise<Provider> {
    if (!own.isAvailable) throw new DomainError('provider_not_found', 'no_https');
    const provider = await providers.find(organizationId);
    if (!provider) throw new DomainError('provider_not_found', 'unknown');
    return provider;
  }

  /**
   * Whose sign-in it is without any further question: linked before, or vouched for by the provider of the installation. Undefined:
   * the account has to be proven.
   */
  async function findAccount(
    provider: Provider,
    claims: ProviderAnswer['claims'],
    origin: SignInOrigin,
  ): Promise<{ email: string; hasTotp: boolean; knownId: string | undefined } | undefined> {
    const { organizationId } = provider;
    const known = await identities.find({ organizationId, ...claims });
    if (known) return { ...known, knownId: known.id };
    if (organizationId !== undefined) return undefined;
    const { email, isEmailVerified } = claims;
    const account = email === null ? undefined : await logins.getUserByEmail(email);
    if (email === null || !isEmailVerified) {
      // Whoever has an account can prove it; a new one would be somebody's whom nobody knows.
      if (account) return undefined;
      throw new DomainError('sign_in_email_unverified', email === null ? 'no_email' : 'unverified');
    }
    if (account) {
      return provider.trustsEmail
        ? { email, hasTotp: account.totp_secret !== null, knownId: undefined }
        : undefined;
    }
    if (!makesAccount(provider, email)) {
      const isOff = provider.newAccounts === undefined;
      throw new DomainError('sign_in_no_account', isOff ? 'new_accounts_off' : 'other_domain');
    }
    const knownId = await outcome.createAccount(provider, email, claims, origin);
    return knownId === undefined ? undefined : { email, hasTotp: false, knownId };
  }

  const requestOf = (
    email: string,
    { visitor, userAgent, locale, readBrowserId }: SignInOrigin,
    proof: SignInProof,
  ) => ({
    email,
    visitor,
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
    if (token === undefined) throw new DomainError('sign_in_expired', 'no_cookie');
    const signIn = await pending.getAnswered(hashToken(token), clock.now());
    if (!signIn?.answer) throw new DomainError('sign_in_expired', 'not_answered');
    const provider = await providers.find(signIn.organization_id ?? undefined);
    if (!provider || !isOf(provider, signIn)) throw new DomainError('sign_in_expired', 'provider_changed');
    const answer = answers.read(signIn.id, signIn.answer);
    if (!answer) throw new DomainError('sign_in_expired', 'answer_unreadable');
    return { signIn, provider, answer: { claims: answer.claims, refreshToken: answer.refreshToken } };
  }

  return {
    /** To anybody who has the link: whose provider it is stands in it by an id that nobody guesses. */
    async getProvider(
      organizationId: string | undefined,
    ): Promise<{ name: string; organizationName: string | null }> {
      const { name } = await requireProvider(organizationId);
      const organizationName = organizationId && (await repository.getOrganizationName(organizationId));
      return { name, organizationName: organizationName ?? null };
    },

    /** Where the browser goes, and the secret by which it is known when it comes back. */
    async begin(
      { address }: Visitor,
      organizationId: string | undefined,
      returnTo: string,
    ): Promise<{ url: string; token: string; expiresAt: Date }> {
      const provider = await requireProvider(organizationId);
      await own.rateLimiter.require([{ key: ['sign-in', toNetwork(address)], ...beginLimit }]);
      const begun = await client
        .begin(provider, own.redirectUriOf(organizationId))
        .catch((error: unknown) => noteFailure(provider, error, address));
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
      if (token === undefined) throw new DomainError('sign_in_expired', 'no_cookie');
      if (state === null) throw new DomainError('sign_in_expired', 'no_state');
      const hashes = { tokenHash: hashToken(token), stateHash: hashToken(state) };
      const signIn = await pending.take({ ...hashes, organizationId }, clock.now());
      if (!signIn) throw new DomainError('sign_in_expired', 'unknown');
      if (!isOf(provider, signIn)) throw new DomainError('sign_in_expired', 'provider_changed');
      const callback = new URL(`${own.redirectUriOf(organizationId)}?${query}`);
      const secrets = { state, nonce: signIn.nonce, codeVerifier: signIn.code_verifier };
      const answer = await client
        .finish(provider, callback, secrets)
        .catch((error: unknown) => noteFailure(provider, error, origin.visitor.address));
      const account = await findAccount(provider, answer.claims, origin);
      if (account && (!account.hasTotp || answer.claims.hasSecondFactor)) {
        const request = requestOf(account.email, origin, {});
        const settle = outcome.settling(signIn, provider, answer, account.knownId);
        const login = await logins.loginByProvider(request, settle);
        const isOwnLogin = organizationId === undefined;
        return { ...login, email: account.email, returnTo: signIn.return_to, isOwnLogin };
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
      const { organizationId } = provider;
      const known = await identities.find({ organizationId, ...answer.claims });
      const settle = outcome.settling(signIn, provider, answer, known?.id);
      const { username, password } = proof;
      const trusted = isProven(provider, answer.claims) ? answer.claims.email : null;
      const email = known?.email ?? (username === undefined ? trusted : username);
      if (email === null) throw new DomainError('invalid_credentials', 'no_username');
      const request = requestOf(email, origin, proof);
      const isVouched = known !== undefined || (email === trusted && password === undefined);
      const login = isVouched
        ? await logins.loginByProvider(request, settle)
        : await logins.login({ ...request, password: password ?? '' }, settle);
      const isOwnLogin = !isVouched || organizationId === undefined;
      return { ...login, email, returnTo: signIn.return_to, isOwnLogin };
    },

    deleteExpired: () => pending.deleteExpired(clock.now()),
  };
}
export type SignInService = ReturnType<typeof createSignInService>;
