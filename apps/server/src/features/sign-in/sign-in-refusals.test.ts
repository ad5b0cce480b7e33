import { type IdentityProvider, startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Browser, createSignInOrganization, setProvider } from './sign-in.fixture.ts';

let server: TestServer;
let peer: IdentityProvider;
let owner: TestUser;
let organizationId: string;
let lines: string[] = [];

beforeAll(async () => {
  peer = await startIdentityProvider({ redirectUris: ['http://localhost:8080/'] });
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void lines.push(line) });
  server = await createTestServer({ environment: { OIDC_PRIVATE: 'true' }, log });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(async () => {
  ({ owner, organizationId } = await createSignInOrganization(server, peer));
  peer.account = { subject: owner.id, claims: {} };
  lines = [];
});

const requests = () =>
  lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request');
const refusals = () => requests().filter(({ code }) => code !== undefined);
const organization = () => ({ organization: organizationId });
async function begin(browser: Browser): Promise<string> {
  return ((await browser.begin(organizationId)).body as { url: string }).url;
}
const failures = () =>
  server.db
    .selectFrom('audit_events')
    .select(['subject', 'details', 'address'])
    .where('organization_id', '=', organizationId)
    .where('action', '=', 'sign_in.provider_failed')
    .execute();

it('the log says how a sign-in ended, and keeps its code out', async () => {
  const browser = new Browser(server);
  const way = await peer.visit(await begin(browser));
  await new Browser(server).comeBack(way);
  await browser.comeBack(new URL(way.href.split('?')[0] ?? ''));
  await browser.comeBack(way);
  await browser.comeBack(way);
  const replaced = new Browser(server);
  await replaced.comeBack(await peer.visit(await begin(replaced)));
  await server.call('deleteIdentityProvider', { as: owner, params: { organizationId } });
  const body = { username: owner.email, password: owner.password };
  await replaced.call('completeSignIn', { body });
  await new Browser(server).call('completeSignIn', { body });
  expect(refusals()).toMatchObject([
    { status: 303, code: 'sign_in_expired', reason: 'no_cookie', ...organization() },
    { status: 303, code: 'sign_in_expired', reason: 'no_state', ...organization() },
    { status: 303, code: 'sign_in_expired', reason: 'unknown', ...organization() },
    { status: 409, code: 'sign_in_expired', reason: 'provider_changed' },
    { status: 409, code: 'sign_in_expired', reason: 'no_cookie' },
  ]);
  expect(lines.join('')).not.toContain(way.searchParams.get('code'));
  expect(await failures()).toEqual([]);
});

it('an organization learns once an hour that its provider refuses the server, or does not answer', async () => {
  const ask = async () => {
    const browser = new Browser(server);
    await browser.comeBack(await peer.visit(await begin(browser)));
  };
  await setProvider(server, owner, organizationId, peer, { clientSecret: 'not-the-secret' });
  await ask();
  await ask();
  const refused = { issuer: peer.issuer, reason: 'client_refused' };
  expect(await failures()).toEqual([{ subject: 'Corp', address: '127.0.0.1', details: refused }]);
  const gone = await startIdentityProvider({ redirectUris: ['http://localhost:8080/'] });
  await setProvider(server, owner, organizationId, gone);
  await gone.close();
  const tries = [new Browser(server), new Browser(server)];
  for (const browser of tries)
    expect((await browser.begin(organizationId)).body).toMatchObject({ code: 'provider_unavailable' });
  expect(refusals().at(-1)).toMatchObject({ code: 'provider_unavailable', reason: 'silent' });
  const details = { issuer: gone.issuer, reason: 'silent' };
  expect(await failures()).toMatchObject([{ details: refused }, { details }]);
  server.clock.advance(3600_000);
  await new Browser(server).begin(organizationId);
  expect(await failures()).toHaveLength(3);
});

it('anybody may come back with a code of their own, of which no organization is told', async () => {
  const browser = new Browser(server);
  const way = await peer.visit(await begin(browser));
  way.searchParams.set('code', 'made-up');
  await browser.comeBack(way);
  expect(refusals()).toMatchObject([{ code: 'sign_in_refused', reason: 'code_refused' }]);
  expect(lines.join('')).not.toContain('made-up');
  expect(await failures()).toEqual([]);
});

it.each([
  ['an error', (query: URLSearchParams) => query.set('error', 'server_error')],
  ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://elsewhere.example')],
  ['no code', (query: URLSearchParams) => query.delete('code')],
  ['two codes', (query: URLSearchParams) => query.append('code', 'another')],
])('anybody may come back with %s, of which no organization is told', async (_, change) => {
  const browser = new Browser(server);
  const way = await peer.visit(await begin(browser));
  change(way.searchParams);
  await browser.comeBack(way);
  expect(refusals()).toMatchObject([{ code: 'sign_in_refused', reason: 'callback_refused' }]);
  expect(await failures()).toEqual([]);
});
