import { createServer } from 'node:http';
import { listenOnLoopback } from '@pult/testkit';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Browser, callbackOf } from './sign-in.fixture.ts';

export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body?: object;
}

/** A provider that answers whatever it likes, on the loopback address. */
export class HostileProvider implements AsyncDisposable {
  issuer = '';
  readonly clientId = 'pult';
  readonly clientSecret = 'secret';
  subject = 'nobody';
  /** Of the ID token, besides what it needs. */
  claims: Record<string, unknown> = {};
  refreshToken: string | undefined;
  /** A refresh is answered with an ID token too. */
  repeatsIdToken = true;
  refreshes: string[] = [];
  /** What its endpoints say to everything; there is user info to be asked for only where it refuses that. */
  refusals: { token?: Refusal; userInfo?: Refusal } = {};
  private nonce = '';
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', async () => {
      const path = request.url ?? '';
      const answer = await this.answer(path, new URLSearchParams(Buffer.concat(parts).toString()));
      const { token, userInfo } = this.refusals;
      const refused: Record<string, Refusal | undefined> = { '/token': token, '/userinfo': userInfo };
      const refusal = refused[path];
      const headers = { 'content-type': 'application/json', ...refusal?.headers };
      response
        .writeHead(refusal?.status ?? 200, headers)
        .end(JSON.stringify(refusal ? (refusal.body ?? {}) : answer));
    });
  });
  private keys = generateKeyPair('RS256', { extractable: true });

  static async start(): Promise<HostileProvider> {
    const provider = new HostileProvider();
    provider.issuer = `http://127.0.0.1:${await listenOnLoopback(provider.server)}`;
    return provider;
  }

  private async answer(path: string, body: URLSearchParams): Promise<unknown> {
    const { issuer } = this;
    const { publicKey, privateKey } = await this.keys;
    if (path === '/.well-known/openid-configuration') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...(this.refusals.userInfo ? { userinfo_endpoint: `${issuer}/userinfo` } : {}),
        id_token_signing_alg_values_supported: ['RS256'],
      };
    }
    if (path === '/keys') return { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256' }] };
    const refreshToken = body.get('refresh_token');
    if (refreshToken !== null) this.refreshes.push(refreshToken);
    const isRefresh = refreshToken !== null;
    const idToken = await new SignJWT({ ...this.claims, ...(isRefresh ? {} : { nonce: this.nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer(issuer)
      .setSubject(this.subject)
      .setAudience(this.clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey);
    return {
      access_token: 'a',
      token_type: 'Bearer',
      ...(isRefresh && !this.repeatsIdToken ? {} : { id_token: idToken }),
      ...(this.refreshToken === undefined ? {} : { refresh_token: this.refreshToken }),
    };
  }

  /** Where the server leads the browser in the end. */
  async signIn(browser: Browser, organizationId: string): Promise<URL> {
    const { url } = (await browser.begin(organizationId)).body as { url: string };
    const asked = new URL(url).searchParams;
    this.nonce = asked.get('nonce') ?? '';
    return browser.comeBack(
      new URL(`${callbackOf(organizationId)}?code=c&state=${asked.get('state') ?? ''}`),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
  }
}
