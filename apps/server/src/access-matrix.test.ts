import {
  type ErrorCode,
  type GrantRole,
  grantRoles,
  isAllowed,
  isForPeople,
  lifetimes,
  needsOwnLogin,
  permissionNames,
  type Role,
  type Route,
  type RouteName,
  roles,
  routes,
  scopeOfCall,
} from '@pult/contract';
import type { IdentityProvider } from '@pult/testkit';
import type { CallOptions, TestAnswer, TestServer, TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMatrixEntries } from './access-matrix.entries.fixture.ts';
import { createMatrixPeople } from './access-matrix.people.fixture.ts';
import { createMatrixService } from './access-matrix.service-accounts.fixture.ts';
import { signInto } from './access-matrix.sign-in.fixture.ts';
import { createMatrixTokens, type MatrixTokens } from './access-matrix.tokens.fixture.ts';
import { addToken, bearer } from './features/accounts/tokens/tokens.fixture.ts';
import type { createAgentDirectory } from './features/agent-updates/agent-directory.fixture.ts';

/** Every call by every kind of caller. A new route without an entry here fails. */

let server: TestServer;
/** The organization that is called at, and its members by role. */
let organization: string;
let members: Record<Role, TestUser>;
/** What the server hands out. */
let agent: Awaited<ReturnType<typeof createAgentDirectory>>;
let peer: IdentityProvider;
/** Another organization of the owner. */
let elsewhere: string;
/** A user with an organization of their own. */
let stranger: TestUser;
/** Of the installation, without an organization. */
let administrator: TestUser;
/** Was an owner until a moment ago, and is still logged in. */
let former: TestUser;
/** Owners whose sessions have ended by themselves. */
let idle: TestUser;
let outlived: TestUser;
/** Of the owner, and others of all scopes. */
let tokens: MatrixTokens;
let viewersToken: Record<string, string>;
let administratorsToken: Record<string, string>;
/** Of service accounts with a role in the organization, and of one of another. */
const services = {} as Record<GrantRole, Record<string, string>>;
let foreignService: Record<string, string>;

beforeAll(async () => {
  ({ agent, peer, server, organization, members, stranger, administrator, elsewhere, former } =
    await createMatrixPeople());
  const now = server.clock.now();
  const idleSince = new Date(now.getTime() - lifetimes.sessionIdle * 1000);
  idle = await createExpired({ last_used_at: idleSince });
  outlived = await createExpired({ expires_at: now });
  tokens = await createMatrixTokens(server, members.owner);
  viewersToken = bearer(await addToken(server, members.viewer, permissionNames));
  administratorsToken = bearer(await addToken(server, administrator, permissionNames));
  const matrix = { server, organization, members };
  for (const role of grantRoles) services[role] = await createMatrixService(matrix, role);
  const foreign = await server.createOrganization(stranger, 'Foreign');
  const ofStranger = { ...matrix, organization: foreign, members: { ...members, owner: stranger } };
  foreignService = await createMatrixService(ofStranger, 'admin');
});
afterAll(async () => {
  await server.close();
  await agent.remove();
  await peer.close();
});

async function createExpired(times: { last_used_at: Date } | { expires_at: Date }): Promise<TestUser> {
  const user = await server.createUser();
  await server.addMember(organization, user, 'owner');
  await server.db.updateTable('sessions').set(times).where('user_id', '=', user.id).execute();
  return user;
}

const byCookie = (user: TestUser, origin = server.publicUrl) => ({ cookie: user.cookie, origin });

const entries = createMatrixEntries(() => ({
  server,
  organization,
  members,
  stranger,
  former,
  administrator,
  peer,
}));

async function call(name: RouteName, options: CallOptions): Promise<TestAnswer> {
  return callPrepared(name, { ...(await entries[name].prepare()), ...options });
}

async function callPrepared(name: RouteName, options: CallOptions): Promise<TestAnswer> {
  return entries[name].call?.(options) ?? server.call(name, options);
}

/** Refused to service accounts, whatever their tokens may: each has its own way to what is its own. */
const ofPeopleAlone: ReadonlySet<RouteName> = new Set<RouteName>([
  'listTokens',
  'createToken',
  'deleteToken',
]);

/** Made as somebody who is what the caller is by another login: sign-in.test.ts makes them. */
const needsTwin: ReadonlySet<RouteName> = new Set<RouteName>([
  'verifyTotp',
  'deleteOrganization',
  'leaveOrganization',
  'downloadTerminalFile',
]);

const setTotpRequired = (totp_required: boolean) =>
  server.db.updateTable('organizations').set({ totp_required }).where('id', '=', organization).execute();

const setSignInRequired = (sign_in_required: boolean) =>
  server.db.updateTable('organizations').set({ sign_in_required }).where('id', '=', organization).execute();

function expectRefusal(answer: TestAnswer, status: number, code: ErrorCode): void {
  expect([answer.status, answer.body]).toEqual([status, { code, detail: expect.stringMatching(/\.$/) }]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

it('the access matrix has an entry for every route', () => {
  expect(Object.keys(entries).sort()).toEqual(Object.keys(routes).sort());
});

const anonymous: [string, () => Record<string, string>][] = [
  ['nobody', () => ({})],
  ['a forged token', () => ({ authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' })],
  ['a dead cookie', () => ({ cookie: `pult_session=${'A'.repeat(43)}`, origin: server.publicUrl })],
  ['a device', () => ({ authorization: `Pult MATRIX-1.${'A'.repeat(46)}.${'A'.repeat(86)}` })],
  ['the cookie of a session unused for 30 days', () => byCookie(idle)],
  ['the token of a session unused for 30 days', () => ({ authorization: `Bearer ${idle.access}` })],
  ['the cookie of a session of 90 days', () => byCookie(outlived)],
  ['the token of a session of 90 days', () => ({ authorization: `Bearer ${outlived.access}` })],
  ['a tunnel’s cookie', () => ({ cookie: `pult_tunnel=${'A'.repeat(43)}`, origin: server.publicUrl })],
];

describe.each(Object.entries<Route>(routes) as [RouteName, Route][])('%s', (name, route) => {
  // What strangers may do so often, this does more often.
  beforeEach(async () => {
    await server.db.deleteFrom('rate_limits').execute();
  });

  const permitted = () => (route.access === 'administrator' ? administrator : members.owner);

  /** What the call needs, made once for all who are refused because of who they are: they change nothing of it. */
  let untouched: Promise<CallOptions> | undefined;
  const prepareOnce = () => {
    untouched ??= entries[name].prepare();
    return untouched;
  };
  const callInVain = async (options: CallOptions) =>
    callPrepared(name, { ...(await prepareOnce()), ...options });

  it.each(
    roles.flatMap((role): [Role, string, () => CallOptions][] => [
      [role, 'access token', () => ({ as: members[role] })],
      [role, 'cookie', () => ({ headers: byCookie(members[role]) })],
    ]),
  )(
    'a call as %s by %s succeeds or is forbidden, as the table of permissions says',
    async (role, _, options) => {
      if (route.access === 'administrator') {
        expectRefusal(await callInVain(options()), 403, 'administrator_required');
      } else if (route.permission && !isAllowed(role, route.permission)) {
        expectRefusal(await callInVain(options()), 403, 'role_forbidden');
      } else {
        expect((await call(name, options())).status).toBe(route.status);
      }
    },
  );

  it.each(anonymous)('a call by %s needs a login, or none', async (_, headers) => {
    if (route.access === 'none') {
      expect((await call(name, { headers: headers() })).status).toBe(route.status);
    } else expectRefusal(await callInVain({ headers: headers() }), 401, 'not_authenticated');
  });

  it.each([
    ['a stranger', () => stranger],
    ['a former member', () => former],
  ])('a call by %s shows and changes nothing of the organization', async (_, user) => {
    const { outsider } = entries[name];
    const answer = await call(name, { as: user() });
    if (typeof outsider === 'string') {
      expectRefusal(answer, route.access === 'administrator' ? 403 : 404, outsider);
    } else {
      expect(answer.status).toBe(route.status);
      expect(outsider.shows(answer.body)).toBe(false);
    }
  });

  it('a call by an administrator of the installation has no right in an organization, and all of the installation', async () => {
    const { outsider } = entries[name];
    const answer = await call(name, { as: administrator });
    if (route.access !== 'administrator' && typeof outsider === 'string') {
      expectRefusal(answer, 404, outsider);
    } else {
      expect(answer.status).toBe(route.status);
      if (typeof outsider !== 'string') expect(outsider.shows(answer.body)).toBe(false);
    }
  });

  it('a call by an owner without the second factor that the organization requires is refused, as far as it touches that', async () => {
    const options = { ...(await entries[name].prepare()), as: permitted() };
    await setTotpRequired(true);
    const answer = await callPrepared(name, options);
    await setTotpRequired(false);
    if (route.permission) expectRefusal(answer, 403, 'totp_setup_required');
    // Guests have none.
    else if (name === 'enterAsGuest') expectRefusal(answer, 404, 'guest_link_invalid');
    else expect(answer.status).toBe(route.status);
    if (route.permission) expect((await callPrepared(name, options)).status).toBe(route.status);
  });

  it('a call by a member’s cookie from another page is refused where it changes something, and not from ours', async () => {
    const headers = byCookie(permitted(), 'http://matrix-1.http.localhost:8080');
    if (route.method === 'GET') expect((await call(name, { headers })).status).toBe(route.status);
    else expectRefusal(await callInVain({ headers }), 400, 'origin_forbidden');
    const own = await call(name, { headers: { ...headers, origin: server.publicUrl } });
    expect(own.status).toBe(route.status);
  });

  it('a call by a sign-in at the organization’s provider does what the role may there, and nothing of the account', async () => {
    if (needsTwin.has(name)) return;
    const cookie = await signInto({ server }, { userId: permitted().id, organizationId: organization });
    const headers = { cookie, origin: server.publicUrl };
    if (needsOwnLogin(route)) expectRefusal(await callInVain({ headers }), 403, 'own_login_required');
    else expect((await call(name, { headers })).status).toBe(route.status);
  });

  it('a call by an owner who has signed in at another organization’s provider shows and changes nothing', async () => {
    if (needsTwin.has(name)) return;
    const { outsider } = entries[name];
    const { id: userId } = members.owner;
    const cookie = await signInto({ server }, { userId, organizationId: elsewhere });
    const answer = await call(name, { headers: { cookie, origin: server.publicUrl } });
    if (needsOwnLogin(route)) expectRefusal(answer, 403, 'own_login_required');
    else if (typeof outsider === 'string') expectRefusal(answer, 404, outsider);
    else {
      expect(answer.status).toBe(route.status);
      expect(outsider.shows(answer.body)).toBe(false);
    }
  });

  it('a call by an owner’s own login is refused where the organization requires a sign-in by its provider, as far as it touches that', async () => {
    const options = { ...(await entries[name].prepare()), as: permitted() };
    await setSignInRequired(true);
    const answer = await callPrepared(name, options);
    await setSignInRequired(false);
    if (route.permission) expectRefusal(answer, 403, 'sign_in_required');
    else expect(answer.status).toBe(route.status);
  });

  const scope = scopeOfCall(route);
  const isRefusedToTokens = (body: unknown) =>
    name === 'logout' || scope === undefined || isForPeople(route, body);

  it('a call by a token goes by its scope alone, and is refused with all others', async () => {
    const { body } = await prepareOnce();
    const [known, other] =
      scope === undefined || scope === 'any' ? (['alerts.read', 'any'] as const) : ([scope, scope] as const);
    if (isRefusedToTokens(body)) {
      for (const headers of [tokens.alone[known], administratorsToken])
        expectRefusal(await callInVain({ headers }), 403, 'token_forbidden');
      return;
    }
    expect((await call(name, { headers: tokens.alone[known] })).status).toBe(route.status);
    if (other === 'any') return;
    const { status, body: refusal } = await callInVain({ headers: tokens.allBut[other] });
    expect([status, (refusal as { code: string }).code]).toEqual([403, 'token_forbidden']);
  });

  it.each(grantRoles)(
    'a call by a service account with the role %s does what the role may, and no more',
    async (role) => {
      const headers = services[role];
      if (isRefusedToTokens((await prepareOnce()).body) || ofPeopleAlone.has(name)) {
        expectRefusal(await callInVain({ headers }), 403, 'token_forbidden');
      } else if (!route.permission || isAllowed(role, route.permission)) {
        const answer = await call(name, { headers });
        expect([answer.status, answer.body]).toEqual([route.status, answer.body]);
      } else expectRefusal(await callInVain({ headers }), 403, 'role_forbidden');
    },
  );

  it('a call by a service account of another organization shows and changes nothing of this one', async () => {
    const options = { ...(await entries[name].prepare()), headers: foreignService };
    const answer = await callPrepared(name, options);
    const { outsider } = entries[name];
    if (isRefusedToTokens(options.body) || ofPeopleAlone.has(name)) {
      expectRefusal(answer, 403, 'token_forbidden');
    } else if (typeof outsider === 'string') expectRefusal(answer, 404, outsider);
    else expect([answer.status, outsider.shows(answer.body)]).toEqual([route.status, false]);
  });

  it('a call by a viewer’s token of all scopes does what the viewer may, and no more', async () => {
    const headers = viewersToken;
    if (isRefusedToTokens((await prepareOnce()).body)) {
      expectRefusal(await callInVain({ headers }), 403, 'token_forbidden');
    } else if (!route.permission || isAllowed('viewer', route.permission)) {
      expect((await call(name, { headers })).status).toBe(route.status);
    } else expectRefusal(await callInVain({ headers }), 403, 'role_forbidden');
  });
});
