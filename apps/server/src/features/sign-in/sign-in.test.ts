import { type IdentityProvider, startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser, callbackOf, setProvider } from './sign-in.fixture.ts';

let server: TestServer;
let peer: IdentityProvider;
let owner: TestUser;
let organizationId: string;

beforeAll(async () => {
  const redirectUris: string[] = [];
  peer = await startIdentityProvider({
    redirectUris: ['http://localhost:8080/api/v1/auth/providers/installation/callback/'],
  });
  server = await createTestServer({
    environment: {
      OIDC_ISSUER: peer.issuer,
      OIDC_CLIENT_ID: peer.clientId,
      OIDC_CLIENT_SECRET: peer.clientSecret,
      OIDC_NAME: 'Example ID',
      OIDC_PRIVATE: 'true',
    },
  });
  void redirectUris;
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(async () => {
  owner = await server.createUser();
  organizationId = await server.createOrganization(owner);
});

describe('the installation’s provider', () => {
  it('makes an account for somebody new', async () => {
    peer.account = { subject: 'new-1', claims: { email: 'New.One@example.com', email_verified: true } };
    const browser = new Browser(server);
    const end = await browser.signIn('installation', peer, '/controllers?x=1');
    expect(end.pathname + end.search).toBe('/login/complete?done=1&to=%2Fcontrollers%3Fx%3D1');
    expect(await browser.getUser()).toMatchObject({ email: 'new.one@example.com' });
    void [owner, organizationId, callbackOf, setProvider];
  });
});
