import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ErrorCode,
  isAllowed,
  type Role,
  type Route,
  type RouteName,
  roles,
  routes,
} from '@pult/contract';
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

/** Every call by every kind of caller. A new route without an entry here fails. */

let server: TestServer;
/** The organization that is called at, and its members by role. */
let organization: string;
const members = {} as Record<Role, TestUser>;
/** A user with an organization of their own. */
let stranger: TestUser;
/** Was an owner until a moment ago, and is still logged in. */
let former: TestUser;

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
});
afterAll(() => server.close());

interface Entry {
  /** What a permitted caller succeeds with, made anew for each call. */
  prepare(): Promise<CallOptions>;
  /** What an outsider of the organization gets: an error, or a success that shows nothing of it. */
  outsider: ErrorCode | { shows: (body: unknown) => boolean };
  /** How the call is made where a plain one does not do. */
  call?: (options: CallOptions) => Promise<TestAnswer>;
}

const nothing = async (): Promise<CallOptions> => ({});
/** The call is about the caller and about no organization. */
const ownAffair = { shows: () => false };

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

/** Logs in anew, so that the session that ends is not the one that the next call needs. */
async function callInNewSession({ as, headers = {}, ...rest }: CallOptions): Promise<TestAnswer> {
  const isOwner = headers.cookie === members.owner.cookie;
  const user = as ?? (isOwner ? members.owner : undefined);
  if (user === undefined) return server.call('logout', { headers, ...rest });
  const body = { username: user.email, password: user.password };
  const login = await server.call('login', { body });
  const { access } = login.body as { access: string };
  const [cookie = ''] = String([login.headers['set-cookie']].flat()[0]).split(';');
  if (as) return server.call('logout', { as: { ...as, access }, headers, ...rest });
  return server.call('logout', { headers: { ...headers, cookie }, ...rest });
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
  logout: { prepare: nothing, outsider: ownAffair, call: callInNewSession },
  getCurrentUser: { prepare: nothing, outsider: ownAffair },
  listOrganizations: {
    prepare: nothing,
    outsider: { shows: (body) => JSON.stringify(body).includes(organization) },
  },
  createOrganization: { prepare: async () => ({ body: { name: 'New' } }), outsider: ownAffair },
  getOrganization: {
    prepare: async () => ({ params: { organizationId: organization } }),
    outsider: 'organization_not_found',
  },
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
  openTunnel: { prepare: prepareLinkedController, outsider: 'controller_not_found' },
};

let devices = 0;
async function enrol(): Promise<string> {
  devices += 1;
  return tokenOf(await enrolTestDevice(server, createTestDevice(`MATRIX-${devices}`)));
}

async function call(name: RouteName, options: CallOptions): Promise<TestAnswer> {
  const prepared = await entries[name].prepare();
  const all = { ...prepared, ...options };
  return entries[name].call?.(all) ?? server.call(name, all);
}

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
  ['a tunnel’s cookie', () => ({ cookie: `pult_tunnel=${'A'.repeat(43)}`, origin: server.publicUrl })],
];

describe.each(Object.entries<Route>(routes) as [RouteName, Route][])('%s', (name, route) => {
  it.each(roles)('as %s succeeds or is forbidden, as the table of permissions says', async (role) => {
    const answer = await call(name, { as: members[role] });
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

  it('by a member’s cookie from another page is refused where it changes something, and not from ours', async () => {
    const headers = { cookie: members.owner.cookie, origin: 'http://matrix-1.http.localhost:8080' };
    const answer = await call(name, { headers });
    if (route.method === 'GET') expect(answer.status).toBe(route.status);
    else expectRefusal(answer, 400, 'origin_forbidden');
    const own = await call(name, { headers: { ...headers, origin: server.publicUrl } });
    expect(own.status).toBe(route.status);
  });
});
