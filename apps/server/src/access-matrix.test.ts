import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ErrorCode,
  isAllowed,
  lifetimes,
  type Role,
  type Route,
  type RouteName,
  roles,
  routes,
} from '@pult/contract';
import { createTotpCode } from '@pult/testkit';
import {
  type CallOptions,
  createTestController,
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestAnswer,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiagnosticsEntries } from './access-matrix.diagnostics.fixture.ts';
import { createFleetEntries } from './access-matrix.fleet.fixture.ts';
import { createOrganizationEntries, type Entry, ownAffair } from './access-matrix.organizations.fixture.ts';
import { hashPassword } from './features/accounts/password.ts';
import { enableTotp, type TotpUser } from './features/accounts/totp-user.fixture.ts';
import { createId, createSecretToken, hashToken } from './platform/ids.ts';

/** Every call by every kind of caller. A new route without an entry here fails. */

let server: TestServer;
/** The organization that is called at, and its members by role. */
let organization: string;
const members = {} as Record<Role, TestUser>;
/** A user with an organization of their own. */
let stranger: TestUser;
/** Was an owner until a moment ago, and is still logged in. */
let former: TestUser;
/** Owners whose sessions have ended by themselves. */
let idle: TestUser;
let outlived: TestUser;

beforeAll(async () => {
  server = await createTestServer();
  organization = await server.createOrganization(await server.createUser(), 'Target');
  for (const role of roles) {
    members[role] = await server.createUser();
    await server.addMember(organization, members[role], role);
  }
  stranger = await server.createUser();
  await server.createOrganization(stranger);
  former = await server.createUser();
  await server.addMember(organization, former, 'owner');
  await server.db.deleteFrom('memberships').where('user_id', '=', former.id).execute();
  const now = server.clock.now();
  const idleSince = new Date(now.getTime() - lifetimes.sessionIdle * 1000);
  idle = await createExpired({ last_used_at: idleSince });
  outlived = await createExpired({ expires_at: now });
});
afterAll(() => server.close());

async function createExpired(times: { last_used_at: Date } | { expires_at: Date }): Promise<TestUser> {
  const user = await server.createUser();
  await server.addMember(organization, user, 'owner');
  await server.db.updateTable('sessions').set(times).where('user_id', '=', user.id).execute();
  return user;
}

const nothing = async (): Promise<CallOptions> => ({});

/** A controller whose device is linked, as far as anyone asks. */
async function prepareLinkedController() {
  const { serialNumber, enrolmentId } = await createTestController(server, { organizationId: organization });
  let end = () => {};
  const closed = new Promise<'shutdown'>((resolve) => {
    end = () => resolve('shutdown');
  });
  // Only that there is one is looked at.
  const link = { closed, close: end, goAway: end } as unknown as Parameters<
    typeof server.server.links.add
  >[1];
  server.server.links.add(enrolmentId, link);
  return { params: { serialNumber, protocol: 'ssh' } };
}

const prepareController = async () => {
  const { serialNumber } = await createTestController(server, { organizationId: organization });
  return { params: { serialNumber } };
};

/** The stream goes on for ever: once its head is there, the server says it will stop. */
async function callAndStop(options: CallOptions): Promise<TestAnswer> {
  let answer: TestAnswer | undefined;
  const calling = server.call('listenToEvents', options).then((value) => {
    answer = value;
  });
  while (answer === undefined) {
    server.server.events.publish('serverStopping', {});
    await nextTurn();
  }
  await calling;
  return answer;
}

const byCookie = (user: TestUser, origin = server.publicUrl) => ({ cookie: user.cookie, origin });

/**
 * Makes the call as another user who is what the caller is: the same role, or none, and the same kind of credential.
 * For what ends or changes the caller's own session, which the next call needs. Callers who are nobody stay as they are.
 */
async function callAsTwin(
  name: RouteName,
  { as, headers = {}, ...rest }: CallOptions,
  prepareTwin: (
    twin: TestUser,
  ) => Promise<{ twin: TestUser; body?: unknown; params?: Record<string, string> }>,
): Promise<TestAnswer> {
  const users = [...Object.values(members), stranger, former];
  const caller = as ?? users.find(({ cookie }) => cookie === headers.cookie);
  if (!caller) return server.call(name, { headers, ...rest });
  const plain = await server.createUser();
  const role = roles.find((each) => members[each] === caller);
  if (role) await server.addMember(organization, plain, role);
  const { twin, ...own } = await prepareTwin(plain);
  const options = {
    ...rest,
    ...(own.body === undefined ? {} : { body: own.body }),
    ...(own.params ? { params: own.params } : {}),
  };
  if (as) return server.call(name, { as: twin, headers, ...options });
  return server.call(name, { headers: { ...headers, cookie: twin.cookie }, ...options });
}

/** A call of one who has TOTP, and has confirmed what it asks for. */
function callWithTotp(name: RouteName, bodyOf: (twin: TotpUser) => unknown = () => undefined) {
  return (options: CallOptions) =>
    callAsTwin(name, options, async (plain) => {
      const twin = await enableTotp(server, plain);
      const { confirmation: scope }: Route = routes[name];
      if (scope) {
        const body = { scope, code: twin.code() };
        await server.call('verifyTotp', { headers: byCookie(twin), body });
      }
      return { twin, body: bodyOf(twin) };
    });
}

const newPassword = 'set by the matrix 1';
/** A key of each caller's own. */
let sshKeys = 0;
function createPublicKey(): string {
  sshKeys += 1;
  const parts = ['ssh-ed25519', Buffer.alloc(32, `key ${sshKeys}`)].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, Buffer.from(part)];
  });
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}`;
}

const addSshKey = (user: TestUser) =>
  server.call('addSshKey', { as: user, body: { name: 'Laptop', publicKey: createPublicKey() } });

let newcomers = 0;
const nextEmail = () => `newcomer${++newcomers}@example.com`;
const inAnHour = () => new Date(server.clock.now().getTime() + 3600_000);

/** A link to set a password, of a user whom no other call needs. */
async function prepareReset(): Promise<{ uid: string; token: string }> {
  const token = createSecretToken();
  const [uid, created_at] = [createId(), server.clock.now()];
  await server.db
    .insertInto('users')
    .values({ id: uid, email: nextEmail(), password_hash: '', locale: 'en', created_at })
    .execute();
  await server.db
    .insertInto('password_resets')
    .values({ id: uid, user_id: uid, token_hash: hashToken(token), created_at, expires_at: inAnHour() })
    .execute();
  return { uid, token };
}

/** Somebody who is invited to an organization that nothing else is about. */
async function prepareSignUp() {
  const [userEmail, token] = [nextEmail(), createSecretToken()];
  const [id, created_at] = [createId(), server.clock.now()];
  const organization_id = await server.createOrganization(members.owner, 'Elsewhere');
  await server.db
    .insertInto('invites')
    .values({
      id,
      organization_id,
      email: userEmail,
      role: 'viewer',
      token_hash: hashToken(token),
      invited_by: members.owner.id,
      created_at,
      expires_at: inAnHour(),
    })
    .execute();
  return { userEmail, userPassword: newPassword, organizationInviteToken: token };
}

async function preparePendingSignUp(): Promise<string> {
  const token = createSecretToken();
  const [id, created_at] = [createId(), server.clock.now()];
  const password_hash = await hashPassword('correct horse');
  const pending = { id, email: nextEmail(), password_hash, locale: 'en' } as const;
  await server.db
    .insertInto('pending_sign_ups')
    .values({ ...pending, token_hash: hashToken(token), created_at, expires_at: inAnHour() })
    .execute();
  return token;
}

/** A file that this very caller has asked for in a terminal of theirs. */
async function downloadOffered(options: CallOptions): Promise<TestAnswer> {
  const { as, headers = {}, params = {} } = options;
  const users = [...Object.values(members), stranger, former];
  const caller = as ?? users.find(({ cookie }) => cookie === headers.cookie);
  const session = caller
    ? await server.db.selectFrom('sessions').select('id').where('user_id', '=', caller.id).executeTakeFirst()
    : undefined;
  const transferId = server.server.fileDownloads.offer({
    sessionId: session?.id ?? createId(),
    serialNumber: params.serialNumber ?? '',
    name: 'syslog',
    size: 4,
    open: async () => Readable.from(Buffer.from('line')),
    onExpired: () => {},
  });
  return server.call('downloadTerminalFile', { ...options, params: { ...params, transferId } });
}

const entries: Record<RouteName, Entry> = {
  getEnvironments: { prepare: nothing, outsider: ownAffair },
  login: {
    prepare: async () => {
      const { email: username, password } = members.owner;
      return { body: { username, password } };
    },
    outsider: ownAffair,
  },
  logout: {
    prepare: nothing,
    outsider: ownAffair,
    call: (options) => callAsTwin('logout', options, async (twin) => ({ twin })),
  },
  requestPasswordReset: {
    prepare: async () => ({ body: { email: nextEmail() } }),
    outsider: ownAffair,
  },
  confirmPasswordReset: {
    prepare: async () => ({ body: { ...(await prepareReset()), newPassword } }),
    outsider: ownAffair,
  },
  changePassword: {
    prepare: async () => ({ body: { oldPassword: members.owner.password, newPassword } }),
    outsider: ownAffair,
    call: (options) => callAsTwin('changePassword', options, async (twin) => ({ twin })),
  },
  setUpTotp: { prepare: nothing, outsider: ownAffair },
  activateTotp: {
    prepare: async () => ({ body: { code: '000000' } }),
    outsider: ownAffair,
    call: (options) =>
      callAsTwin('activateTotp', options, async (twin) => {
        const { body } = await server.call('setUpTotp', { as: twin });
        const { secret } = body as { secret: string };
        return { twin, body: { code: createTotpCode(secret, server.clock.now()) } };
      }),
  },
  disableTotp: { prepare: nothing, outsider: ownAffair, call: callWithTotp('disableTotp') },
  verifyTotp: {
    prepare: async () => ({ body: { scope: 'change_password', code: '000000' } }),
    outsider: ownAffair,
    call: callWithTotp('verifyTotp', (twin) => ({ scope: 'change_password', code: twin.code() })),
  },
  regenerateRecoveryCodes: {
    prepare: nothing,
    outsider: ownAffair,
    call: callWithTotp('regenerateRecoveryCodes'),
  },
  listSessions: { prepare: nothing, outsider: ownAffair },
  // The id of another's session ends nothing, which the owner's next call would notice.
  terminateSessions: {
    prepare: async () => {
      const sessions = server.db.selectFrom('sessions').select('id').where('user_id', '=', members.owner.id);
      return { body: { sessions: (await sessions.execute()).map(({ id }) => id) } };
    },
    outsider: ownAffair,
    call: (options) => callAsTwin('terminateSessions', options, async (twin) => ({ twin })),
  },
  signUp: {
    prepare: async () => ({ body: await prepareSignUp() }),
    outsider: ownAffair,
  },
  confirmSignUp: {
    prepare: async () => ({ body: { token: await preparePendingSignUp(), password: 'correct horse' } }),
    outsider: ownAffair,
  },
  listSshKeys: {
    prepare: async () => {
      await addSshKey(members.owner);
      return {};
    },
    outsider: { shows: (body) => (body as unknown[]).length > 0 },
  },
  addSshKey: {
    prepare: async () => ({ body: { name: 'Laptop', publicKey: createPublicKey() } }),
    outsider: ownAffair,
    call: (options) => callAsTwin('addSshKey', options, async (twin) => ({ twin })),
  },
  // One's own is deleted by any role; another's is not there.
  deleteSshKey: {
    prepare: async () => ({ params: { keyId: createId() } }),
    outsider: ownAffair,
    call: (options) =>
      callAsTwin('deleteSshKey', options, async (twin) => {
        const { body } = await addSshKey(twin);
        const { id } = body as { id: string };
        return { twin, params: { keyId: id } };
      }),
  },
  getCurrentUser: { prepare: nothing, outsider: ownAffair },
  updateCurrentUser: { prepare: async () => ({ body: { locale: 'en' } }), outsider: ownAffair },
  listOrganizations: {
    prepare: nothing,
    outsider: { shows: (body) => JSON.stringify(body).includes(organization) },
  },
  createOrganization: { prepare: async () => ({ body: { name: 'New' } }), outsider: ownAffair },
  getOrganization: {
    prepare: async () => ({ params: { organizationId: organization } }),
    outsider: 'organization_not_found',
  },
  ...createOrganizationEntries(() => ({ server, organization, members })),
  ...createFleetEntries(() => ({ server, organization, members })),
  ...createDiagnosticsEntries(() => ({ server, organization, members })),
  listControllers: {
    prepare: async () => {
      await prepareController();
      return { query: { organization_id: organization } };
    },
    outsider: { shows: (body) => (body as { count: number }).count > 0 },
  },
  countControllers: {
    prepare: async () => {
      await prepareController();
      return { query: { organization_id: organization } };
    },
    outsider: { shows: (body) => (body as { count: number }).count > 0 },
  },
  // The installation's figure, which anyone logged in may know.
  countAllControllers: { prepare: nothing, outsider: ownAffair },
  getController: { prepare: prepareController, outsider: 'controller_not_found' },
  updateController: {
    prepare: async () => ({ ...(await prepareController()), body: { description: 'changed' } }),
    outsider: 'controller_not_found',
  },
  deleteController: { prepare: prepareController, outsider: 'controller_not_found' },
  listenToEvents: {
    prepare: async () => ({ query: { organization_id: organization } }),
    outsider: 'organization_not_found',
    call: callAndStop,
  },
  validateActivation: {
    // Whoever can read a device's screen may know its serial number, which is on that screen.
    prepare: async () => ({ body: { token: await enrol() } }),
    outsider: ownAffair,
  },
  activateController: {
    prepare: async () => ({ body: { token: await enrol(), organization } }),
    outsider: 'organization_not_found',
  },
  downloadTerminalFile: {
    prepare: prepareController,
    outsider: 'controller_not_found',
    call: downloadOffered,
  },
  openTunnel: { prepare: prepareLinkedController, outsider: 'controller_not_found' },
};

let devices = 0;
async function enrol(): Promise<string> {
  devices += 1;
  return tokenOf(await enrolTestDevice(server, createTestDevice(`MATRIX-${devices}`)));
}

async function call(name: RouteName, options: CallOptions): Promise<TestAnswer> {
  return callPrepared(name, { ...(await entries[name].prepare()), ...options });
}

async function callPrepared(name: RouteName, options: CallOptions): Promise<TestAnswer> {
  return entries[name].call?.(options) ?? server.call(name, options);
}

const setTotpRequired = (totp_required: boolean) =>
  server.db.updateTable('organizations').set({ totp_required }).where('id', '=', organization).execute();

function expectRefusal(answer: TestAnswer, status: number, code: ErrorCode): void {
  expect([answer.status, answer.body]).toEqual([status, { code, detail: expect.stringMatching(/\.$/) }]);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

it('has an entry for every route', () => {
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
  it.each(
    roles.flatMap((role): [Role, string, () => CallOptions][] => [
      [role, 'access token', () => ({ as: members[role] })],
      [role, 'cookie', () => ({ headers: byCookie(members[role]) })],
    ]),
  )('as %s by %s succeeds or is forbidden, as the table of permissions says', async (role, _, options) => {
    const answer = await call(name, options());
    if (route.permission && !isAllowed(role, route.permission)) {
      expectRefusal(answer, 403, 'role_forbidden');
    } else {
      expect(answer.status).toBe(route.status);
    }
  });

  it.each(anonymous)('by %s needs a login, or none', async (_, headers) => {
    const answer = await call(name, { headers: headers() });
    if (route.access === 'none') expect(answer.status).toBe(route.status);
    else expectRefusal(answer, 401, 'not_authenticated');
  });

  it.each([
    ['a stranger', () => stranger],
    ['a former member', () => former],
  ])('by %s shows and changes nothing of the organization', async (_, user) => {
    const { outsider } = entries[name];
    const answer = await call(name, { as: user() });
    if (typeof outsider === 'string') {
      expectRefusal(answer, 404, outsider);
    } else {
      expect(answer.status).toBe(route.status);
      expect(outsider.shows(answer.body)).toBe(false);
    }
  });

  it('by an owner without the second factor that the organization requires is refused, as far as it touches that', async () => {
    const options = { ...(await entries[name].prepare()), as: members.owner };
    await setTotpRequired(true);
    const answer = await callPrepared(name, options);
    await setTotpRequired(false);
    if (route.permission) expectRefusal(answer, 403, 'totp_setup_required');
    else expect(answer.status).toBe(route.status);
    if (route.permission) expect((await callPrepared(name, options)).status).toBe(route.status);
  });

  it('by a member’s cookie from another page is refused where it changes something, and not from ours', async () => {
    const headers = byCookie(members.owner, 'http://matrix-1.http.localhost:8080');
    const answer = await call(name, { headers });
    if (route.method === 'GET') expect(answer.status).toBe(route.status);
    else expectRefusal(answer, 400, 'origin_forbidden');
    const own = await call(name, { headers: { ...headers, origin: server.publicUrl } });
    expect(own.status).toBe(route.status);
  });
});
