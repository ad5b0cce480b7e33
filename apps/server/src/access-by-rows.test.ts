import {
  type ErrorCode,
  errorCatalogue,
  isAllowed,
  isForPeople,
  type Permission,
  type Route,
  type RouteName,
  roles,
  routes,
  scopeOfCall,
} from '@pult/contract';
import type { IdentityProvider } from '@pult/testkit';
import type { CallOptions, TestServer, TestUser } from '@pult/testkit/in-process';
import Fastify, { type FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMatrixEntries } from './access-matrix.entries.fixture.ts';
import { createMatrixPeople } from './access-matrix.people.fixture.ts';
import { signInto } from './access-matrix.sign-in.fixture.ts';
import { createMatrixTokens, type MatrixTokens } from './access-matrix.tokens.fixture.ts';
import { createApiAlone } from './api-alone.fixture.ts';
import type { createAgentDirectory } from './features/agent-updates/agent-directory.fixture.ts';
import {
  type OrganizationCaller,
  type ScopedCaller,
  visibleControllers,
  visibleGroups,
  wholeOrganizations,
} from './platform/access/index.ts';
import { recordStatements } from './platform/db/record-statements.fixture.ts';
import { createId } from './platform/ids.ts';

/**
 * What the rows of the contract forbid by themselves: the platform with handlers that let everybody do anything. A call that this
 * lets through is the feature's own to refuse, which access-matrix.test.ts looks at.
 */

let server: TestServer;
let agent: Awaited<ReturnType<typeof createAgentDirectory>>;
let peer: IdentityProvider;
let app: FastifyInstance;
/** Who has come through to the handler of the last call. */
let admitted: (Partial<OrganizationCaller> & Pick<ScopedCaller, 'userId' | 'scope'>) | undefined;
let organization: string;
let elsewhere: string;
let members: Record<(typeof roles)[number], TestUser>;
let stranger: TestUser;
let former: TestUser;
let administrator: TestUser;
/** Of a group in which nothing is that is called about. */
let partAdmin: TestUser;
let tokens: MatrixTokens;

beforeAll(async () => {
  ({ agent, peer, server, organization, members, stranger, administrator, elsewhere, former } =
    await createMatrixPeople());
  partAdmin = await server.createUser();
  await grantPart(partAdmin);
  tokens = await createMatrixTokens(server, members.owner);
  app = Fastify();
  createApiAlone(app, server, (caller) => {
    admitted = caller as typeof admitted;
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await server.close();
  await agent.remove();
  await peer.close();
});

async function grantPart({ id: userId }: TestUser): Promise<void> {
  const [groupId, createdAt] = [createId(), server.clock.now()];
  const group = { id: groupId, organization_id: organization, parent_id: null, name: 'Part' };
  await server.db
    .insertInto('groups')
    .values({ ...group, created_at: createdAt })
    .execute();
  await server.db
    .insertInto('grants')
    .values({
      ...{ id: createId(), organization_id: organization, subject_user_id: userId, role: 'admin' },
      ...{ group_id: groupId, controller_id: null, ends_at: null, granted_by: null },
      created_at: createdAt,
    })
    .execute();
}

const entries = createMatrixEntries(() => ({
  server,
  organization,
  members,
  stranger,
  former,
  administrator,
  peer,
}));
const prepared = new Map<RouteName, Promise<CallOptions>>();

/** What the call is made with: once, since nobody changes anything. */
function prepare(name: RouteName): Promise<CallOptions> {
  const options = prepared.get(name) ?? entries[name].prepare();
  prepared.set(name, options);
  return options;
}

/** The code of the refusal; `admitted` for a call that its handler has got. */
async function call(
  name: RouteName,
  headers: Record<string, string>,
  isFiltered = true,
): Promise<ErrorCode | 'admitted'> {
  const route: Route = routes[name];
  const { params = {}, body, ...options } = await prepare(name);
  const query = isFiltered ? (options.query ?? {}) : {};
  const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) => params[key] ?? createId());
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([key, value]) =>
      [value].flat().map((each): [string, string] => [key, each]),
    ),
  );
  admitted = undefined;
  const answer = await app.inject({
    method: route.method,
    url: search.size > 0 ? `${path}?${search}` : path,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  if (admitted) return 'admitted';
  return answer.json<{ code: ErrorCode }>().code;
}

const byCookie = (cookie: string) => ({ cookie, origin: server.publicUrl });
const as = (user: TestUser) => byCookie(user.cookie);
const signedInto = async (user: TestUser, organizationId: string) =>
  byCookie(await signInto({ server }, { userId: user.id, organizationId }));

async function whileRequired<T>(
  what: 'totp_required' | 'sign_in_required',
  act: () => Promise<T>,
): Promise<T> {
  const require = (isRequired: boolean) =>
    server.db
      .updateTable('organizations')
      .set({ [what]: isRequired })
      .where('id', '=', organization)
      .execute();
  await require(true);
  try {
    return await act();
  } finally {
    await require(false);
  }
}

/** What an outsider is told: the first that is not there of what the row names. */
function missingOf({ errors = [] }: Route): ErrorCode | undefined {
  return errors.find((code) => errorCatalogue[code].status === 404);
}

const rows = Object.entries<Route>(routes) as [RouteName, Route][];
const hasPlace = ({ on }: Route) => on !== undefined && on !== 'handler' && on !== 'list';
const objectRows = rows.filter(
  (row): row is [RouteName, Route & { permission: Permission }] =>
    row[1].permission !== undefined && hasPlace(row[1]),
);
const listRows = rows.filter(
  (row): row is [RouteName, Route & { permission: Permission }] =>
    row[1].permission !== undefined && row[1].on === 'list',
);

describe.each(objectRows)('%s', (name, route) => {
  it.each(roles)('a call as %s comes to the handler where the table of permissions says so', async (role) => {
    const isFit = isAllowed(role, route.permission);
    expect(await call(name, as(members[role]))).toBe(isFit ? 'admitted' : 'role_forbidden');
    if (isFit) {
      expect(admitted?.organization?.id).toBe(organization);
      expect(admitted?.userId).toBe(members[role].id);
    }
  });

  it.each([
    ['a stranger', async () => as(stranger)],
    ['a former owner', async () => as(former)],
    ['an administrator of the installation', async () => as(administrator)],
    ['an owner by a sign-in at another organization’s provider', () => signedInto(members.owner, elsewhere)],
  ])('a call by %s finds nothing', async (_, headers) => {
    expect(await call(name, await headers())).toBe(missingOf(route));
  });

  it('who calls, and what they may there, is asked in one statement, and in two where the body says where', async () => {
    await prepare(name);
    const statements = await recordStatements(() => call(name, as(members.owner)));
    expect(statements).toHaveLength(name === 'createGroup' ? 2 : 1);
  });

  it('a call by an admin of another part finds nothing, or is refused, unless what it does keeps to a part', async () => {
    const { on, permission } = route;
    const isPart = typeof on === 'object' ? on.at === 'anywhere' : on === 'move' || on === 'deletedGroup';
    const isWhole = typeof on === 'object' && !isPart;
    const refused = isWhole || !isAllowed('admin', permission) ? 'role_forbidden' : 'admitted';
    expect(await call(name, as(partAdmin))).toBe(isPart || isWhole ? refused : missingOf(route));
  });

  it('a call by a sign-in at the organization’s own provider comes to the handler', async () => {
    expect(await call(name, await signedInto(members.owner, organization))).toBe('admitted');
  });

  it('a call by an owner is refused while the organization wants a second factor, or a sign-in, that is missing', async () => {
    const headers = as(members.owner);
    expect(await whileRequired('totp_required', () => call(name, headers))).toBe('totp_setup_required');
    expect(await whileRequired('sign_in_required', () => call(name, headers))).toBe('sign_in_required');
    expect(await call(name, headers)).toBe('admitted');
  });

  it('a call by a token of the owner needs its scope', async () => {
    const { body } = await prepare(name);
    const scope = scopeOfCall(route);
    const isRefused = isForPeople(route, body);
    const needed = scope === undefined || scope === 'any' ? 'alerts.read' : scope;
    expect(await call(name, tokens.alone[needed])).toBe(isRefused ? 'token_forbidden' : 'admitted');
    if (scope !== 'any') expect(await call(name, tokens.allBut[needed])).toBe('token_scope_missing');
  });
});

describe.each(listRows)('%s', (name, { permission }) => {
  /** Whether anything of the organization is in the scope that the handler got. */
  async function seesOrganization(headers: Record<string, string>): Promise<boolean> {
    expect(await call(name, headers, false)).toBe('admitted');
    if (!admitted) throw new Error('nobody was admitted');
    const { scope } = admitted;
    const { rows: touched } = await sql<{ organization_id: string }>`
      select organization_id from ${wholeOrganizations(scope)} as whole (organization_id)
      union select organization_id from groups where ${visibleGroups(scope, {})}`.execute(server.db);
    const controllers = await server.db
      .selectFrom('controllers')
      .select('organization_id')
      .where(visibleControllers(scope))
      .execute();
    const ids = new Set([...touched, ...controllers].map((row) => row.organization_id));
    return ids.has(organization);
  }

  it('a call by a member has the organization in its scope, as the table of permissions says', async () => {
    for (const role of roles) {
      expect([role, await seesOrganization(as(members[role]))]).toEqual([role, isAllowed(role, permission)]);
    }
  });

  it('a call by somebody who may not enter has nothing of the organization in its scope', async () => {
    for (const user of [stranger, former, administrator])
      expect(await seesOrganization(as(user))).toBe(false);
    expect(await seesOrganization(await signedInto(members.owner, elsewhere))).toBe(false);
    const owner = as(members.owner);
    expect(await whileRequired('totp_required', () => seesOrganization(owner))).toBe(false);
    expect(await whileRequired('sign_in_required', () => seesOrganization(owner))).toBe(false);
    expect(await seesOrganization(owner)).toBe(true);
  });

  it('a call with a filter by the organization says what is missing to enter it, to those who have something of it', async () => {
    const filtered = (user: TestUser) => call(name, as(user));
    expect((await prepare(name)).query?.organization_id).toBe(organization);
    expect(await whileRequired('totp_required', () => filtered(members.viewer))).toBe('totp_setup_required');
    expect(await whileRequired('sign_in_required', () => filtered(members.viewer))).toBe('sign_in_required');
    expect(await whileRequired('sign_in_required', () => filtered(stranger))).toBe('admitted');
  });
});

it('whoever has anything of an organization may leave it, and nobody else', async () => {
  expect(await call('leaveOrganization', as(stranger))).toBe('organization_not_found');
  const viewer = as(members.viewer);
  expect(await whileRequired('totp_required', () => call('leaveOrganization', viewer))).toBe('admitted');
});

it('all other rows are known by their names', () => {
  const asked = new Set<RouteName>([...objectRows, ...listRows].map(([name]) => name));
  const others: Partial<Record<string, RouteName[]>> = {};
  for (const [name, { access, on }] of rows) {
    if (asked.has(name)) continue;
    const kind = access === 'none' ? 'strangers' : typeof on === 'string' ? on : 'organization';
    others[kind] = [...(others[kind] ?? []), name].sort();
  }
  expect(others).toEqual({
    handler: ['activateController', 'detachControllers', 'removeMember', 'requestAgentUpdates'],
    installation: [
      'createBackup',
      'getDiagnosis',
      'getInstallation',
      'listEndingCertificates',
      'listInstallationNodes',
      'listInstallationOrganizations',
      'listLanAddresses',
      'resumeAgentUpdates',
      'retryJob',
    ],
    list: ['countAllControllers', 'listOrganizations', 'search'],
    organization: ['leaveOrganization'],
    secret: [
      'acceptInvite',
      'approveDeviceLogin',
      'denyDeviceLogin',
      'findDeviceLogin',
      'validateActivation',
    ],
    self: [
      'activateTotp',
      'addPasskey',
      'addSshKey',
      'certifySshKey',
      'changePassword',
      'createOrganization',
      'createPasskeyOptions',
      'createToken',
      'deleteIdentity',
      'deletePasskey',
      'deleteSshKey',
      'deleteToken',
      'disableTotp',
      'getCurrentUser',
      'listIdentities',
      'listPasskeys',
      'listSessions',
      'listSshKeys',
      'listTokens',
      'regenerateRecoveryCodes',
      'setUpTotp',
      'terminateSessions',
      'updateCurrentUser',
      'verifyTotp',
    ],
    strangers: [
      'beginSignIn',
      'completeSignIn',
      'confirmPasswordReset',
      'confirmSignUp',
      'createPasskeyChallenge',
      'enterAsGuest',
      'getEnvironments',
      'getOpenSignIn',
      'getSignInProvider',
      'logInByPasskey',
      'login',
      'logout',
      'openGuestTunnel',
      'pollDeviceLogin',
      'requestPasswordReset',
      'signUp',
      'startDeviceLogin',
      'validateInvite',
    ],
  });
});
