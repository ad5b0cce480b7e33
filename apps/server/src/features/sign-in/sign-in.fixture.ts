import type { RouteName } from '@pult/contract';
import { CookieJar, type IdentityProvider } from '@pult/testkit';
import type { CallOptions, TestAnswer, TestServer, TestUser } from '@pult/testkit/in-process';

/** A browser that signs in at a test server. */
export class Browser {
  readonly jar = new CookieJar();
  private readonly server: TestServer;

  constructor(server: TestServer) {
    this.server = server;
  }

  private get host(): string {
    return new URL(this.server.publicUrl).host;
  }

  private get headers(): Record<string, string> {
    const cookie = this.jar.getHeader(this.host);
    return { origin: this.server.publicUrl, ...(cookie ? { cookie } : {}) };
  }

  private keep(answer: TestAnswer): TestAnswer {
    this.jar.store(this.host, [answer.headers['set-cookie'] ?? []].flat().map(String));
    return answer;
  }

  async call(name: RouteName, options: CallOptions = {}): Promise<TestAnswer> {
    return this.keep(
      await this.server.call(name, { ...options, headers: { ...this.headers, ...options.headers } }),
    );
  }

  begin(provider: string, returnTo?: string): Promise<TestAnswer> {
    return this.call('beginSignIn', {
      params: { provider },
      body: returnTo === undefined ? {} : { returnTo },
    });
  }

  /** Comes back from the provider; where the server leads it. */
  async comeBack(url: URL): Promise<URL> {
    const answer = this.keep(
      await this.server.request('GET', url.pathname + url.search, {
        headers: { ...this.headers, 'accept-language': 'en' },
      }),
    );
    if (answer.status !== 303) throw new Error(`the callback answered ${answer.status}`);
    return new URL(String(answer.headers.location));
  }

  /** All of it, to where the server leads in the end. */
  async signIn(provider: string, peer: IdentityProvider, returnTo?: string): Promise<URL> {
    const begun = await this.begin(provider, returnTo);
    if (begun.status !== 200) throw new Error(`begin answered ${begun.status} ${JSON.stringify(begun.body)}`);
    return this.comeBack(await peer.visit((begun.body as { url: string }).url));
  }

  /** Whose session it has; undefined for nobody's. */
  async getUser(): Promise<{ id: string; email: string; signedInto?: string } | undefined> {
    const answer = await this.call('getCurrentUser');
    return answer.status === 200
      ? (answer.body as { id: string; email: string; signedInto?: string })
      : undefined;
  }
}

/** An organization with its own sign-in, and two who may come by it. */
export async function createSignInOrganization(server: TestServer, peer: IdentityProvider) {
  const [owner, member] = [await server.createUser(), await server.createUser()];
  const organizationId = await server.createOrganization(owner, 'Plant');
  await server.addMember(organizationId, member, 'member');
  peer.addRedirectUri(callbackOf(organizationId));
  const { status } = await setProvider(server, owner, organizationId, peer);
  if (status !== 200) throw new Error(`setting the provider answered ${status}`);
  return { owner, member, organizationId };
}

/** Gives an organization the peer as its provider, as its owner does. */
export async function setProvider(
  server: TestServer,
  owner: TestUser,
  organizationId: string,
  peer: Pick<IdentityProvider, 'issuer' | 'clientId' | 'clientSecret'>,
  changes: Record<string, unknown> = {},
): Promise<TestAnswer> {
  return server.call('setIdentityProvider', {
    as: owner,
    params: { organizationId },
    body: {
      name: 'Corp',
      issuer: peer.issuer,
      clientId: peer.clientId,
      clientSecret: peer.clientSecret,
      ...changes,
    },
  });
}

export const callbackOf = (provider: string, publicUrl = 'http://localhost:8080'): string =>
  `${publicUrl}/api/v1/auth/providers/${provider}/callback/`;
export const installationCallback = callbackOf('installation');
