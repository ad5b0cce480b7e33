import {
  type GrantRole,
  grantRoles,
  isAllowed,
  isForPeople,
  type Route,
  type RouteName,
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
import { createAlertEntries } from './access-matrix.alerts.fixture.ts';
import { createDiagnosticsEntries } from './access-matrix.diagnostics.fixture.ts';
import { createFleetEntries } from './access-matrix.fleet.fixture.ts';
import { createGuestEntries, prepareLinkedController } from './access-matrix.guests.fixture.ts';
import { createOrganizationEntries, type Entry, type Matrix } from './access-matrix.organizations.fixture.ts';
import {
  createMatrixService,
  createServiceAccountEntries,
} from './access-matrix.service-accounts.fixture.ts';
import { createSignInSettingsEntries } from './access-matrix.sign-in.fixture.ts';
import { createTunnelEntries } from './access-matrix.tunnels.fixture.ts';
import { createAgentDirectory } from './features/agent-updates/agent-directory.fixture.ts';
import { createId } from './platform/ids.ts';

/**
 * Every call with a permission by people who have a part of the organization: what it is about is inside the part,
 * outside it, or has left it a moment ago.
 */

let server: TestServer;
let agent: Awaited<ReturnType<typeof createAgentDirectory>>;
let matrix: Matrix;
let organization: string;
/** The group that was granted. */
let part: string;
const people = {} as Record<GrantRole, TestUser>;
/** What they call by: their login, or the token of a service account. */
const callers = { person: {}, service: {} } as Record<'person' | 'service', Record<GrantRole, CallOptions>>;

beforeAll(async () => {
  agent = await createAgentDirectory('1.0.0');
  server = await createTestServer({ agentDirectory: agent.path });
  const owner = await server.createUser();
  organization = await server.createOrganization(owner, 'Target');
  const members = { owner } as Matrix['members'];
  for (const role of ['viewer', 'member', 'admin'] as const) {
    members[role] = await server.createUser();
    await server.addMember(organization, members[role], role);
  }
  matrix = { server, organization, members };
  part = await addGroup('Part');
  for (const role of grantRoles) {
    people[role] = await server.createUser();
    await grant(people[role].id, role);
    callers.person[role] = { as: people[role] };
    callers.service[role] = { headers: await createMatrixService(matrix, role, part) };
  }
});
afterAll(async () => {
  await server.close();
  await agent.remove();
});

async function addGroup(name: string): Promise<string> {
  const id = createId();
  const row = { id, organization_id: organization, parent_id: null, name, created_at: server.clock.now() };
  await server.db.insertInto('groups').values(row).execute();
  return id;
}

async function grant(userId: string, role: GrantRole): Promise<string> {
  const id = createId();
  await server.db
    .insertInto('grants')
    .values({
      ...{ id, organization_id: organization, subject_user_id: userId, role },
      ...{ group_id: part, controller_id: null, ends_at: null, granted_by: null },
      created_at: server.clock.now(),
    })
    .execute();
  return id;
}

const get = () => matrix;
const prepareController = async () => {
  const { serialNumber } = await createTestController(server, { organizationId: organization });
  return { params: { serialNumber } };
};
const withBody = (body: object) => async () => ({ ...(await prepareController()), body });
const ofController: Entry = { prepare: prepareController, outsider: 'controller_not_found' };
const inOrganization = async () => ({ query: { organization_id: organization } });
let devices = 0;

async function prepareService() {
  const prepared = await prepareController();
  const body = { port: 8080, name: 'Node-RED' };
  await server.call('createService', { as: matrix.members.owner, ...prepared, body });
  return { params: { ...prepared.params, port: '8080' } };
}

const shows = (body: unknown) => (body as { count: number }).count > 0;
const entries: Partial<Record<RouteName, Entry>> = {
  getOrganization: {
    prepare: async () => ({ params: { organizationId: organization } }),
    outsider: 'organization_not_found',
  },
  ...createOrganizationEntries(get),
  ...createServiceAccountEntries(get),
  ...createFleetEntries(get),
  ...createDiagnosticsEntries(get),
  ...createAlertEntries(get),
  ...createTunnelEntries(get),
  listControllers: { prepare: inOrganization, outsider: { shows } },
  countControllers: { prepare: inOrganization, outsider: { shows } },
  getController: ofController,
  updateController: { prepare: withBody({ description: 'changed' }), outsider: 'controller_not_found' },
  deleteController: ofController,
  activateController: {
    async prepare() {
      devices += 1;
      const token = tokenOf(await enrolTestDevice(server, createTestDevice(`PARTS-${devices}`)));
      return { body: { token, organization } };
    },
    outsider: 'organization_not_found',
  },
  ...createGuestEntries(get),
  openTunnel: { prepare: () => prepareLinkedController(matrix), outsider: 'controller_not_found' },
  forgetHostKey: ofController,
  listServices: ofController,
  getWebCache: ofController,
  updateWebCache: { prepare: withBody({ enabled: false }), outsider: 'controller_not_found' },
  createService: { prepare: withBody({ port: 8080, name: 'Node-RED' }), outsider: 'controller_not_found' },
  updateService: {
    prepare: async () => ({ ...(await prepareService()), body: { name: 'changed' } }),
    outsider: 'controller_not_found',
  },
  deleteService: { prepare: prepareService, outsider: 'controller_not_found' },
  ...createSignInSettingsEntries(() => organization),
};

/** Calls about the organization as a whole: whoever has a part of it is refused, whatever their role there. */
const ofTheWhole: ReadonlySet<RouteName> = new Set<RouteName>([
  'updateOrganization',
  'deleteOrganization',
  'listMembers',
  'updateMember',
  'removeMember',
  'getGrafanaAccess',
  'listEnrolmentKeys',
  'createEnrolmentKey',
  'revokeEnrolmentKey',
  'createAlertRule',
  'updateAlertRule',
  'deleteAlertRule',
  'testAlertRule',
  'listServiceAccounts',
  'createServiceAccount',
  'deleteServiceAccount',
  'listServiceAccountTokens',
  'createServiceAccountToken',
  'deleteServiceAccountToken',
  'listServiceAccountKeys',
  'addServiceAccountKey',
  'deleteServiceAccountKey',
  'getSignInSettings',
  'setIdentityProvider',
  'deleteIdentityProvider',
  'requireSignIn',
  'getGroupGrants',
  'previewGroupGrants',
  'setGroupGrants',
  'listWebhooks',
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'testWebhook',
  'listWebhookDeliveries',
  'getWebhookDelivery',
  'repeatWebhookDelivery',
]);
/** Tested by themselves: an event stream, and a file that is offered to its own session. */
const elsewhere: readonly RouteName[] = ['listenToEvents', 'downloadTerminalFile'];
/** What takes controllers out of all groups takes them out of the part. */
const neededInPart: Partial<Record<RouteName, 'groups.manage'>> = { detachControllers: 'groups.manage' };

const asked = (Object.entries<Route>(routes) as [RouteName, Route][]).filter(
  ([name, { permission }]) => permission !== undefined && !elsewhere.includes(name),
);

async function serialsOf({ params = {}, body }: CallOptions): Promise<string[]> {
  const { controllers = [] } = (body ?? {}) as { controllers?: string[] };
  const found = [...controllers, ...(params.serialNumber ? [params.serialNumber] : [])];
  if (params.id) {
    const rows = await server.db
      .selectFrom('diagnostics')
      .innerJoin('controllers', 'controllers.id', 'diagnostics.controller_id')
      .select('controllers.serial_number')
      .where('diagnostics.id', '=', params.id)
      .execute();
    found.push(...rows.map((row) => row.serial_number));
  }
  if (params.tunnelId) {
    const { rows } = { rows: server.server.liveTunnels.find(organization, params.tunnelId) };
    if (rows) found.push(rows.target.serialNumber);
  }
  return found;
}

/** Puts what a call is about into the part, or out of it. */
async function place(name: RouteName, options: CallOptions, groupId: string | null): Promise<CallOptions> {
  const { params = {}, body } = options;
  for (const serialNumber of await serialsOf(options)) {
    await server.db
      .updateTable('controllers')
      .set({ group_id: groupId })
      .where('serial_number', '=', serialNumber)
      .execute();
  }
  if (params.groupId) {
    await server.db
      .updateTable('groups')
      .set({ parent_id: groupId })
      .where('id', '=', params.groupId)
      .execute();
  }
  if (params.grantId) {
    await server.db
      .updateTable('grants')
      .set({ group_id: groupId })
      .where('id', '=', params.grantId)
      .execute();
  }
  if (params.inviteId) {
    // The column is written once: as an invite to the part is made.
    await server.db.deleteFrom('invites').where('id', '=', params.inviteId).execute();
    const scope = groupId === null ? {} : { scope: { type: 'group', id: groupId } };
    const made = await server.call('inviteUser', {
      as: matrix.members.owner,
      params: { organizationId: organization },
      body: { email: `${createId()}@example.com`, role: 'viewer', ...scope },
    });
    return { ...options, params: { ...params, inviteId: (made.body as { id: string }).id } };
  }
  if (name === 'createGroup') return { ...options, body: { ...(body as object), parent: groupId } };
  if (name === 'activateController' && groupId !== null) {
    return { ...options, body: { ...(body as object), group: groupId } };
  }
  const scope =
    groupId === null ? { type: 'organization', id: organization } : { type: 'group', id: groupId };
  if (name === 'createGrant') {
    const { subject } = body as { subject: { id: string } };
    if (groupId !== null) await grant(subject.id, 'viewer');
    return { ...options, body: { ...(body as object), scope } };
  }
  if (name === 'inviteUser') {
    return {
      ...options,
      body: { ...(body as object), role: 'viewer', ...(groupId === null ? {} : { scope }) },
    };
  }
  return options;
}

const entryOf = (name: RouteName): Entry => {
  const entry = entries[name];
  if (!entry) throw new Error(`no entry of ${name}`);
  return entry;
};

const refusal = (code: string) => ({ code, detail: expect.stringMatching(/\.$/) });

/** Those that are about one thing, which is in the part or not. Undoing is asked at the places that it is about: see moving.test.ts. */
const ofThings = asked.filter(([name]) => !['undoMove', 'restoreGroup'].includes(name));

describe.each(ofThings)('%s', (name, route) => {
  const allows = (role: GrantRole) =>
    !ofTheWhole.has(name) && isAllowed(role, neededInPart[name] ?? route.permission ?? 'organization.delete');
  const prepare = async () => entryOf(name).prepare();

  const kinds = ['person', 'service'] as const;

  it.each(kinds.flatMap((kind) => grantRoles.map((role) => [kind, role] as const)))(
    'a call by a %s as %s of the part succeeds or is forbidden, as the table of permissions says',
    async (kind, role) => {
      const options = await place(name, await prepare(), part);
      const answer = await server.call(name, { ...options, ...callers[kind][role] });
      if (kind === 'service' && isForPeople(route, options.body)) {
        expect([answer.status, answer.body]).toEqual([403, refusal('token_forbidden')]);
      } else if (allows(role)) expect([answer.status, answer.body]).toEqual([route.status, answer.body]);
      else expect([answer.status, answer.body]).toEqual([403, refusal('role_forbidden')]);
    },
  );

  it.each(kinds)(
    'a call by a %s about what is outside, or has left the part a moment ago, shows and changes nothing',
    async (kind) => {
      for (const hasBeenInside of [false, true]) {
        const prepared = await prepare();
        const moved = hasBeenInside ? await place(name, prepared, part) : prepared;
        const options = await place(name, { ...moved, body: prepared.body }, null);
        const answer = await server.call(name, { ...options, ...callers[kind].admin });
        if (kind === 'service' && isForPeople(route, options.body)) {
          expect([answer.status, answer.body]).toEqual([403, refusal('token_forbidden')]);
        } else expectOutside(name, route, answer);
      }
    },
  );
});

function expectOutside(name: RouteName, route: Route, answer: TestAnswer): void {
  const { outsider } = entryOf(name);
  if (typeof outsider !== 'string') {
    // Lists: nothing is in the part. Of the tree the granted group itself is there, and controllers of earlier calls.
    expect(answer.status).toBe(route.status);
    return;
  }
  const isAboutWhole = outsider === 'organization_not_found';
  if (!isAboutWhole) return void expect([answer.status, answer.body]).toEqual([404, refusal(outsider)]);
  if (name === 'endTunnel') return void expect(answer.body).toEqual(refusal('tunnel_not_found'));
  if (name === 'deleteGrant') return void expect(answer.body).toEqual(refusal('grant_not_found'));
  if (name === 'revokeInvite') return void expect(answer.body).toEqual(refusal('invite_not_found'));
  if (name === 'activateController') {
    return void expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, ['group']]);
  }
  const isOfPlace = ['createGroup', 'createGrant', 'inviteUser'].includes(name);
  if (ofTheWhole.has(name) || isOfPlace) {
    expect([answer.status, answer.body]).toEqual([403, refusal('role_forbidden')]);
  } else expect(answer.status).toBe(route.status);
}

it('every call with a permission is asked in a part, or named as tested elsewhere', () => {
  const missing = asked.map(([name]) => name).filter((name) => entries[name] === undefined);
  expect(missing).toEqual([]);
});
