import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { z } from 'zod';
import { DomainError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { isOwnMachine } from '../../platform/network.ts';
import type { FetchStranger } from '../../platform/webhooks/index.ts';
import { readClaims } from './claims.ts';
import { type Provider, type ProviderClaims, providerId } from './provider.ts';

/** What a sign-in has to bring back. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface ProviderAnswer {
  claims: ProviderClaims;
  /** Undefined where the provider gives none. */
  refreshToken: string | undefined;
}

export interface CheckedSignIn {
  /** Undefined where the provider says that it holds, and nothing else. */
  claims: ProviderClaims | undefined;
  refreshToken: string;
}

/** Why something at a provider did not work. */
class ProviderDown extends Error {
  override readonly name = 'ProviderDown';
}

/** Loaded when somebody first signs in by a provider: a start would wait for it. */
const loadLibrary = () => import('openid-client');
type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** Of an answer that is no code. */
const notOfCode = ['error', 'response', 'id_token', 'token'];

/** Seconds by which the clocks of provider and server may differ. */
const clockTolerance = 30;
const timeoutSeconds = 10;

/** Bytes of the longest refresh token that is kept: a stranger may send any. */
const longestToken = 8192;

/** Undefined also where it is too long to be kept. */
const refreshTokenOf = ({ refresh_token: token }: { refresh_token?: string }): string | undefined =>
  token !== undefined && Buffer.byteLength(token) <= longestToken ? token : undefined;

function* causesOf(error: unknown): Generator<Error> {
  for (let each: unknown = error; each instanceof Error; each = each.cause) yield each;
}

/** There was no answer. */
function isSilence(error: unknown): boolean {
  for (const each of causesOf(error)) {
    if (each instanceof ProviderDown) return true;
    const { code } = each as NodeJS.ErrnoException;
    if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true;
  }
  return false;
}

/** Errors that say nothing of the sign-in: there was no answer, or none of a working provider. */
function isOutage(error: unknown): boolean {
  if (isSilence(error)) return true;
  for (const { cause } of causesOf(error)) {
    if (cause instanceof Response && cause.status >= 500) return true;
  }
  return false;
}

const outageOf = (error: unknown) => (isSilence(error) ? 'silent' : 'failing');

/** What providers give for reasons (RFC 6749, 5.2; RFC 6750, 3.1). Any other word is a stranger's own. */
const refusals = z.enum([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_token',
  'insufficient_scope',
]);
const refusedBody = z.object({ error: refusals });

/** By which of its words a provider has refused. It stands in the body, also of an answer of which the library reads the challenge alone. */
async function readRefusal(client: Library, error: unknown): Promise<z.infer<typeof refusals> | undefined> {
  if (error instanceof client.ResponseBodyError) return refusals.safeParse(error.error).data;
  if (!(error instanceof client.WWWAuthenticateChallengeError)) return undefined;
  const body: unknown = await error.response.json().catch(() => undefined);
  const inHeader = error.cause.find(({ parameters }) => parameters.error !== undefined);
  return refusedBody.safeParse(body).data?.error ?? refusals.safeParse(inHeader?.parameters.error).data;
}

/** Of an error without what a stranger may have written into it. */
const reasonOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error instanceof Error ? error.name : 'unknown';
};

/**
 * Whether what the browser has come back with is as a provider sends it (RFC 6749, 4.1.2; RFC 9207): anybody may make up another, which
 * says nothing of the provider.
 */
function isSoundCallback({ searchParams }: URL, metadata: ServerMetadata): boolean {
  const issuers = searchParams.getAll('iss');
  const isIssuerRight =
    issuers.length === 0
      ? metadata.authorization_response_iss_parameter_supported !== true
      : issuers.length === 1 && issuers[0] === metadata.issuer;
  const isCode = searchParams.getAll('code').length === 1;
  return isIssuerRight && isCode && !notOfCode.some((name) => searchParams.has(name));
}

/**
 * OpenID Connect by the authorization code flow with PKCE. What a provider says of itself is read anew each time: keys may
 * be others by now, and people sign in rarely.
 */
export function createProviderClient(dependencies: {
  /** For that of the installation, whose address its operator has chosen. */
  fetchTrusted: FetchStranger;
  /** For those of organizations. */
  fetchStranger: FetchStranger;
  log: Logger;
}) {
  const { fetchTrusted, fetchStranger, log } = dependencies;

  async function discover(provider: Provider): Promise<Configuration> {
    const client = await loadLibrary();
    const issuer = new URL(provider.issuer);
    const fetch = provider.organizationId === undefined ? fetchTrusted : fetchStranger;
    const metadata = { client_secret: provider.clientSecret, [client.clockTolerance]: clockTolerance };
    return client.discovery(issuer, provider.clientId, metadata, chooseClientAuth(client, provider), {
      execute: [
        // The answer of a token endpoint is believed by its signature, not by its address alone.
        client.enableNonRepudiationChecks,
        ...(issuer.protocol === 'http:' && isOwnMachine(issuer.hostname)
          ? [client.allowInsecureRequests]
          : []),
      ],
      timeout: timeoutSeconds,
      async [client.customFetch](address, options) {
        try {
          return await fetch(address, options);
        } catch (cause) {
          throw new ProviderDown('no answer', { cause });
        }
      },
    });
  }

  /** RFC 6749, 2.3.1: by the header, unless the provider takes the body alone. */
  const chooseClientAuth =
    (client: Library, { clientSecret }: Provider): ClientAuth =>
    (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported;
      const isByBody = methods !== undefined && !methods.includes('client_secret_basic');
      const authenticate = isByBody ? client.ClientSecretPost : client.ClientSecretBasic;
      authenticate(clientSecret)(server, ...rest);
    };

  function note({ organizationId, issuer }: Provider, reason: string, message: string): void {
    log.warn({ provider: providerId(organizationId), issuer, reason }, message);
  }

  /** What is to be told to people: a provider that is down, or one that has not confirmed. */
  async function toRefusal(provider: Provider, error: unknown): Promise<DomainError> {
    const client = await loadLibrary();
    const refusal = await readRefusal(client, error);
    note(provider, refusal ?? reasonOf(error), 'sign-in by a provider failed');
    if (error instanceof client.AuthorizationResponseError && error.error === 'access_denied') {
      return new DomainError('sign_in_denied');
    }
    if (isOutage(error)) return new DomainError('provider_unavailable', outageOf(error));
    if (refusal === 'invalid_client' || refusal === 'unauthorized_client')
      return new DomainError('sign_in_refused', 'client_refused');
    return new DomainError(
      'sign_in_refused',
      refusal === 'invalid_grant' ? 'code_refused' : 'answer_refused',
    );
  }

  async function readUserInfo(
    configuration: Configuration,
    { access_token: accessToken }: { access_token: string },
    subject: string,
  ) {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined;
    const client = await loadLibrary();
    return client.fetchUserInfo(configuration, accessToken, subject);
  }

  return {
    /** Whether there is a provider that calls itself so. */
    async examine(provider: Provider): Promise<'found' | 'unreachable' | 'other_issuer'> {
      try {
        await discover(provider);
        return 'found';
      } catch (error) {
        const reason = reasonOf(error);
        note(provider, reason, 'identity provider not found');
        return reason === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' ? 'other_issuer' : 'unreachable';
      }
    },

    /** Throws `provider_unavailable`. */
    async begin(provider: Provider, redirectUri: string): Promise<SignInSecrets & { url: string }> {
      const client = await loadLibrary();
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      };
      try {
        const configuration = await discover(provider);
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: `openid ${provider.scopes}`.trim(),
          state: secrets.state,
          nonce: secrets.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
          code_challenge_method: 'S256',
        });
        // What a provider says of itself leads people somewhere: nowhere but to the web.
        if (!['https:', 'http:'].includes(url.protocol)) throw new Error('no web address');
        return { ...secrets, url: url.href };
      } catch (error) {
        note(provider, reasonOf(error), 'sign-in by a provider not begun');
        throw new DomainError('provider_unavailable', isOutage(error) ? outageOf(error) : 'not_understood');
      }
    },

    /**
     * Takes the code that a browser has come back with. Throws `sign_in_denied`, `sign_in_refused` or
     * `provider_unavailable`.
     */
    async finish(provider: Provider, callback: URL, secrets: SignInSecrets): Promise<ProviderAnswer> {
      const client = await loadLibrary();
      let isSound = false;
      try {
        const configuration = await discover(provider);
        isSound = isSoundCallback(callback, configuration.serverMetadata());
        const tokens = await client.authorizationCodeGrant(configuration, callback, {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.codeVerifier,
          idTokenExpected: true,
        });
        const idToken = tokens.claims();
        if (!idToken) throw new Error('no ID token');
        const userInfo = await readUserInfo(configuration, tokens, idToken.sub);
        return { claims: readClaims(provider, idToken, userInfo), refreshToken: refreshTokenOf(tokens) };
      } catch (error) {
        const refusal = await toRefusal(provider, error);
        const isOurs = isSound || refusal.code !== 'sign_in_refused';
        throw isOurs ? refusal : new DomainError('sign_in_refused', 'callback_refused');
      }
    },

    /**
     * Asks whether a sign-in still holds: with what the provider says now, undefined where it does not hold. Throws
     * `provider_unavailable` where there is no answer or none to this server, `sign_in_refused` where it says neither.
     */
    async check(
      provider: Provider,
      { refreshToken, issuer, subject }: { refreshToken: string; issuer: string; subject: string },
    ): Promise<CheckedSignIn | undefined> {
      const client = await loadLibrary();
      let hasTokens = false;
      try {
        const configuration = await discover(provider);
        const tokens = await client.refreshTokenGrant(configuration, refreshToken);
        hasTokens = true;
        const idToken = tokens.claims();
        if (idToken && (idToken.iss !== issuer || idToken.sub !== subject)) return undefined;
        const userInfo = await readUserInfo(configuration, tokens, subject);
        const isInformed = idToken !== undefined || userInfo !== undefined;
        return {
          claims: isInformed
            ? readClaims(provider, idToken ?? { iss: issuer, sub: subject }, userInfo)
            : undefined,
          // One that is not renewed stays good: RFC 6749, 6.
          refreshToken: refreshTokenOf(tokens) ?? refreshToken,
        };
      } catch (error) {
        const refusal = await readRefusal(client, error);
        note(provider, refusal ?? reasonOf(error), 'sign-in by a provider not confirmed again');
        // A 401 to the fresh token is about its user; one to the server's secret is about the server alone, and about nobody who signs in.
        const isOver = hasTokens
          ? error instanceof client.WWWAuthenticateChallengeError && error.status === 401
          : refusal === 'invalid_grant';
        if (isOver) return undefined;
        // Any other answer that fails may be about this one alone: the provider is there.
        if (isSilence(error)) throw new DomainError('provider_unavailable', 'silent');
        if (refusal === 'invalid_client') throw new DomainError('provider_unavailable', 'client_refused');
        throw new DomainError('sign_in_refused', 'answer_refused');
      }
    },
  };
}
export type ProviderClient = ReturnType<typeof createProviderClient>;
