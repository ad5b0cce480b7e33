import { AsyncLocalStorage } from 'node:async_hooks';
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Configuration, JWK } from 'oidc-provider';
import { CookieJar } from './cookie-jar.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';

/** Who sits before the browser, as the provider knows them. */
export interface ProviderAccount {
  subject: string;
  /** `email`, `email_verified`, `groups`. */
  claims?: Record<string, unknown>;
  /** How they have logged in: RFC 8176. */
  amr?: string[];
}

export interface IdentityProviderOptions {
  /** Where the client's browsers may come back to. */
  redirectUris: string[];
  /** Refresh tokens are given. */
  isRefreshing?: boolean;
  /** Seconds that an ID token is good for. */
  idTokenSeconds?: number;
  /** How far its clock is behind, in seconds. */
  slowBy?: number;
  authMethod?: 'client_secret_basic' | 'client_secret_post';
  /** Instead of a free one. */
  port?: number;
}

/** A real provider of OpenID Connect on the loopback address (`oidc-provider`), with one client. */
export interface IdentityProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who logs in from now on; undefined for somebody who gives up. */
  account: ProviderAccount | undefined;
  /** What is known of a subject, for userinfo and refresh; without claims the subject is gone. */
  setClaims(subject: string, claims: Record<string, unknown> | undefined): void;
  /** Where the client's browsers may come back to besides. */
  addRedirectUri(uri: string): void;
  /** From now on it signs by a key that nobody has seen. */
  rotateKeys(): void;
  /** Follows an authorization request as a browser does, to the address of the client it ends at. */
  visit(url: string): Promise<URL>;
  close(): Promise<void>;
}

/** The clock of the process, and by how much that of whoever answers now is behind it. */
const clock = Date.now;
const behind = new AsyncLocalStorage<number>();

function createKey(): JWK {
  // As a text between: Node.js 20 may stop for ever over the JWK of a private key just generated (see host-key.ts of the server).
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  // Of a private key, as `format` says.
  return {
    ...createPrivateKey(privateKey).export({ format: 'jwk' }),
    kid: randomBytes(6).toString('hex'),
    use: 'sig',
  } as JWK;
}

export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const {
    isRefreshing = false,
    idTokenSeconds = 3600,
    slowBy = 0,
    authMethod = 'client_secret_basic',
  } = options;
  // Loaded by the few tests that want it.
  const { default: OidcProvider } = await import('oidc-provider');
  const redirectUris = [...options.redirectUris];
  const clientId = 'pult';
  const clientSecret = randomBytes(24).toString('hex');
  const known = new Map<string, Record<string, unknown>>();
  const cookieKey = randomBytes(16).toString('hex');
  let provider: Provider;

  const configure = (): Configuration => ({
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        token_endpoint_auth_method: authMethod,
        grant_types: ['authorization_code', ...(isRefreshing ? ['refresh_token'] : [])],
      },
    ],
    claims: { openid: ['sub', 'groups', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
    clientAuthMethods: [authMethod],
    cookies: { keys: [cookieKey] },
    features: { devInteractions: { enabled: false }, userinfo: { enabled: true } },
    findAccount: (_context, subject) => {
      const claims = known.get(subject);
      return claims && { accountId: subject, claims: () => ({ sub: subject, ...claims }) };
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    issueRefreshToken: () => isRefreshing,
    jwks: { keys: [createKey()] },
    // Nobody is asked whether the client may know them.
    async loadExistingGrant(context) {
      const { client, session, params } = context.oidc;
      const grant = new context.oidc.provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope(String(params?.scope ?? 'openid'));
      await grant.save();
      return grant;
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 86_400,
      IdToken: idTokenSeconds,
      RefreshToken: 86_400,
      Session: 600,
      Interaction: 600,
    },
  });

  const logIn = async (request: IncomingMessage, response: ServerResponse) => {
    const { account } = self;
    if (account) known.set(account.subject, { ...known.get(account.subject), ...account.claims });
    const result = account
      ? {
          login: {
            accountId: account.subject,
            remember: false,
            ...(account.amr ? { amr: account.amr } : {}),
          },
        }
      : { error: 'access_denied', error_description: 'gave up' };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response);
    logIn(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  };
  const server = createServer((request, response) => behind.run(slowBy, answer, request, response));
  if (slowBy !== 0) Date.now = () => clock() - 1000 * (behind.getStore() ?? 0);
  if (options.port !== undefined)
    await new Promise<void>((resolve) => server.listen(options.port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${options.port ?? (await listenOnLoopback(server))}`;
  provider = new OidcProvider(issuer, configure());

  const self: IdentityProvider = {
    issuer,
    clientId,
    clientSecret,
    account: undefined,
    setClaims(subject, claims) {
      if (claims) known.set(subject, claims);
      else known.delete(subject);
    },
    addRedirectUri(uri) {
      redirectUris.push(uri);
      provider = new OidcProvider(issuer, configure());
    },
    rotateKeys() {
      provider = new OidcProvider(issuer, configure());
    },
    async visit(address) {
      const jar = new CookieJar();
      let url = new URL(address);
      while (url.origin === issuer) {
        const cookie = jar.getHeader(url.host);
        const answer = await fetch(url, { redirect: 'manual', ...(cookie ? { headers: { cookie } } : {}) });
        jar.store(url.host, answer.headers.getSetCookie());
        const location = answer.headers.get('location');
        if (location === null)
          throw new Error(`${url.href} answered ${answer.status}: ${await answer.text()}`);
        url = new URL(location, url);
      }
      return url;
    },
    async close() {
      Date.now = clock;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: () => self.close(),
  };
  return self;
}
