import { limits } from '@pult/contract';
import { type IdentityProvider, startIdentityProvider } from '@pult/testkit';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { Browser, callbackOf, setProvider } from './sign-in.fixture.ts';

let server: TestServer;
let peer: IdentityProvider;
let owner: TestUser;
let technician: TestUser;
let organizationId: string;
let north: string;
let south: string;

beforeAll(async () => {
  peer = await startIdentityProvider({ redirectUris: ['http://localhost:8080/'], isRefreshing: true });
  server = await createTestServer({ environment: { OIDC_PRIVATE: 'true' } });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(async () => {
  [owner, technician] = [await server.createUser(), await server.createUser()];
  organizationId = await server.createOrganization(owner, 'Plant');
  const addGroup = async (name: string) => {
    const answer = await server.call('createGroup', {
      as: owner,
      body: { name, organization: organizationId },
    });
    return (answer.body as { id: string }).id;
  };
  [north, south] = [await addGroup('North'), await addGroup('South')];
  peer.addRedirectUri(callbackOf(organizationId));
  await setProvider(server, owner, organizationId, peer);
});

const at = (id: string) => ({ type: 'group' as const, id });
interface Rule {
  group: string;
  scope: { type: string; id: string };
  role: string;
}
const call = (name: 'setGroupGrants' | 'previewGroupGrants', rules: Rule[], as = owner) =>
  server.call(name, { as, params: { organizationId }, body: { rules } });

async function signIn(groups: unknown, user = technician): Promise<Browser> {
  const claims = { email: user.email, groups };
  peer.setClaims(user.id, claims);
  peer.account = { subject: user.id, claims };
  const browser = new Browser(server);
  const end = await browser.signIn(organizationId, peer);
  if (!end.searchParams.has('done')) {
    const body = { username: user.email, password: user.password };
    await browser.call('completeSignIn', { body });
  }
  return browser;
}
async function listGrants(user = technician): Promise<unknown[]> {
  const answer = await server.call('listGrants', {
    as: owner,
    params: { organizationId },
    query: { subject: user.id },
  });
  return (answer.body as { scope: { name: string }; role: string; isByProvider?: boolean }[]).map(
    ({ scope, role, isByProvider }) => [scope.name, role, isByProvider],
  );
}
const listGroups = async (browser: Browser) => {
  const answer = await browser.call('listGroups', { query: { organization_id: organizationId } });
  return (answer.body as { name: string }[]).map(({ name }) => name);
};
/** The job, half an hour later. */
async function checkAgain(): Promise<void> {
  server.clock.advance(31 * 60_000);
  await server.server.jobs.find(({ name }) => name === 'check-sign-ins')?.run();
}

describe('a table of groups and rights', () => {
  it('gives those who sign in what is said of their groups, and no more', async () => {
    const rules = [
      { group: 'north-team', scope: at(north), role: 'member' },
      { group: 'south-team', scope: at(south), role: 'viewer' },
    ];
    const set = await call('setGroupGrants', rules);
    expect(set.body).toMatchObject({
      rules: [
        { group: 'north-team', scope: { name: 'North', type: 'group' }, role: 'member' },
        { group: 'south-team', scope: { name: 'South' }, role: 'viewer' },
      ],
    });
    const browser = await signIn(['north-team', 'other']);
    expect(await listGroups(browser)).toEqual(['North']);
    expect(await listGrants()).toEqual([['North', 'member', true]]);
    const log = await server.db
      .selectFrom('audit_events')
      .select(['action', 'subject', 'details'])
      .where('organization_id', '=', organizationId)
      .where('action', 'like', 'grant.%')
      .execute();
    expect(log).toEqual([
      {
        action: 'grant.created',
        subject: technician.email,
        details: { role: 'member', place: 'North', provider: 'Corp' },
      },
    ]);
  });

  it('the strongest of several rules for one place counts', async () => {
    await call('setGroupGrants', [
      { group: 'a', scope: at(north), role: 'viewer' },
      { group: 'b', scope: at(north), role: 'admin' },
      { group: 'c', scope: at(north), role: 'member' },
    ]);
    await signIn(['a', 'b', 'c']);
    expect(await listGrants()).toEqual([['North', 'admin', true]]);
  });

  it('stands beside what somebody gave, which stays', async () => {
    await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'member' }]);
    const given = await server.call('createGrant', {
      as: owner,
      params: { organizationId },
      body: { subject: { type: 'user', id: technician.id }, scope: at(north), role: 'viewer' },
    });
    expect(given.status).toBe(400); // nobody knows them here yet
    await signIn(['a']);
    const body = { subject: { type: 'user', id: technician.id }, scope: at(north), role: 'viewer' };
    expect((await server.call('createGrant', { as: owner, params: { organizationId }, body })).status).toBe(
      201,
    );
    expect((await listGrants()).sort()).toEqual([
      ['North', 'member', true],
      ['North', 'viewer', undefined],
    ]);
    await signIn([]);
    expect(await listGrants()).toEqual([['North', 'viewer', undefined]]);
  });

  it.each([
    ['one person', limits.grantsPerSubject, () => technician.id],
    ['the organization', limits.grantsPerOrganization, () => owner.id],
  ])(
    'gives no more rights than %s may have, and those that are there go on',
    async (_, limit, getSubject) => {
      const rules = [
        { group: 'a', scope: at(north), role: 'viewer' },
        { group: 'b', scope: at(south), role: 'viewer' },
      ];
      await call('setGroupGrants', rules);
      await sql`insert into grants (id, organization_id, subject_user_id, group_id, role, created_at)
      select gen_random_uuid(), ${organizationId}, ${getSubject()}, gen_random_uuid(), 'viewer', now()
      from generate_series(2, ${limit})`.execute(server.db);
      await signIn(['a']);
      expect(await listGrants()).toEqual([['North', 'viewer', true]]);
      const browser = await signIn(['a', 'b']);
      expect(await listGrants()).toEqual([['North', 'viewer', true]]);
      expect(await browser.getUser()).toBeDefined();
      const stronger = { group: 'b', scope: at(south), role: 'member' };
      expect((await call('previewGroupGrants', [...rules, stronger])).body).toMatchObject({
        people: [
          {
            grants: [
              { scope: { name: 'North' }, role: 'viewer', change: 'kept' },
              { scope: { name: 'South' }, role: 'member', change: 'left_out' },
            ],
          },
        ],
      });
      await signIn(['b']);
      expect(await listGrants()).toEqual([['South', 'viewer', true]]);
      expect((await call('previewGroupGrants', rules)).body).toMatchObject({
        people: [{ grants: [{ scope: { name: 'South' }, change: 'kept' }] }],
      });
    },
  );

  it('what is over takes no room from what groups give', async () => {
    await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'viewer' }]);
    await sql`insert into grants (id, organization_id, subject_user_id, group_id, role, created_at, ends_at)
      select gen_random_uuid(), ${organizationId}, ${technician.id}, gen_random_uuid(), 'viewer', now(), now()
      from generate_series(1, ${limits.grantsPerSubject})`.execute(server.db);
    await signIn(['a']);
    expect(await listGrants()).toEqual([['North', 'viewer', true]]);
  });

  it('what a group gives is not undone by hand', async () => {
    await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'member' }]);
    await signIn(['a']);
    const [grant] = (
      await server.call('listGrants', {
        as: owner,
        params: { organizationId },
        query: { subject: technician.id },
      })
    ).body as { id: string }[];
    const params = { organizationId, grantId: grant?.id ?? '' };
    expect(await server.call('deleteGrant', { as: owner, params })).toMatchObject({
      status: 409,
      body: { code: 'grant_by_provider' },
    });
  });

  it('takes at the next look what a group no longer gives, and the session with the last of it', async () => {
    await call('setGroupGrants', [
      { group: 'a', scope: at(north), role: 'member' },
      { group: 'b', scope: at(south), role: 'member' },
    ]);
    const browser = await signIn(['a', 'b']);
    expect(await listGroups(browser)).toEqual(['North', 'South']);
    peer.setClaims(technician.id, { groups: ['b'] });
    await checkAgain();
    expect(await listGroups(browser)).toEqual(['South']);
    peer.setClaims(technician.id, undefined);
    await checkAgain();
    expect(await browser.getUser()).toBeUndefined();
  });

  it('counts at once for those who are signed in when it changes', async () => {
    const rules = [{ group: 'a', scope: at(north), role: 'member' }];
    await call('setGroupGrants', rules);
    const browser = await signIn(['a']);
    await call('setGroupGrants', [{ group: 'a', scope: at(south), role: 'viewer' }]);
    expect(await listGroups(browser)).toEqual(['South']);
    await call('setGroupGrants', []);
    expect(await listGrants()).toEqual([]);
  });

  it('gives what it says for an hour after the provider has said so', async () => {
    await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'member' }]);
    await signIn(['a']);
    await server.db
      .updateTable('identities')
      .set({ checked_at: new Date(Date.now() - 3_600_000) })
      .where('user_id', '=', technician.id)
      .execute();
    await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'member' }]);
    expect(await listGrants()).toEqual([]);
    const { ends_at } = await (async () => {
      await signIn(['a']);
      return server.db
        .selectFrom('grants')
        .select('ends_at')
        .where('subject_user_id', '=', technician.id)
        .executeTakeFirstOrThrow();
    })();
    expect(Math.abs((ends_at?.getTime() ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  it.each([
    ['text', 'a', ['a']],
    ['numbers and objects among texts', ['a', 5, { b: 1 }, '', 'x'.repeat(300)], ['a']],
    ['an object', { a: true }, []],
    ['nothing', undefined, []],
  ])('understands a claim that is %s', async (_, groups, known) => {
    await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'viewer' }]);
    await server.addMember(organizationId, technician, 'viewer');
    await signIn(groups);
    const row = await server.db
      .selectFrom('identities')
      .select('groups')
      .where('user_id', '=', technician.id)
      .executeTakeFirstOrThrow();
    expect(row.groups).toEqual(known);
  });

  it('knows no place of another organization, and none that is gone', async () => {
    const other = await server.createOrganization(technician, 'Other');
    const { serialNumber } = await createTestController(server, { organizationId: other });
    for (const scope of [
      { type: 'organization', id: other },
      { type: 'controller', id: serialNumber },
      at('00000000-0000-4000-8000-000000000000'),
    ]) {
      const answer = await call('setGroupGrants', [{ group: 'a', scope, role: 'member' }]);
      expect(answer).toMatchObject({ status: 400, body: { rules: [expect.any(String)] } });
    }
    const owning = await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'owner' }]);
    expect(owning.status).toBe(400);
  });
});

/** What somebody does who holds the organization, while `waiting` goes on as far as it gets. */
async function changeBeside(
  waiting: () => Promise<unknown>,
  change: (transaction: DatabaseTransaction) => Promise<unknown>,
): Promise<void> {
  let going: Promise<unknown> = Promise.resolve();
  await server.db.transaction().execute(async (transaction) => {
    await sql`select from organizations where id = ${organizationId} for no key update`.execute(transaction);
    let isOver = false;
    going = waiting().finally(() => {
      isOver = true;
    });
    await expect.poll(async () => isOver || (await server.isWaitingForLock())).toBe(true);
    await change(transaction);
  });
  await going;
}
const listByGroups = () =>
  server.db
    .selectFrom('grants')
    .select('role')
    .where('organization_id', '=', organizationId)
    .where('identity_id', 'is not', null)
    .execute();

describe('beside a change of the organization', () => {
  it.each(['a sign-in', 'a look'])('%s gives nothing by a rule that is being removed', async (way) => {
    await server.addMember(organizationId, technician, 'viewer');
    await signIn(['a']);
    await call('setGroupGrants', [{ group: 'b', scope: at(north), role: 'admin' }]);
    peer.setClaims(technician.id, { groups: ['b'] });
    await changeBeside(
      () => (way === 'a look' ? checkAgain() : signIn(['b'])),
      (transaction) =>
        transaction.deleteFrom('group_grants').where('organization_id', '=', organizationId).execute(),
    );
    expect(await listByGroups()).toEqual([]);
  });

  it.each(['a sign-in', 'a look'])('%s holds nothing that a change of the provider needs', async (way) => {
    await server.addMember(organizationId, technician, 'viewer');
    await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'admin' }]);
    await signIn(['a']);
    await changeBeside(
      () => (way === 'a look' ? checkAgain() : signIn(['a'])),
      (transaction) =>
        transaction.deleteFrom('identities').where('organization_id', '=', organizationId).execute(),
    );
    expect(await server.isWaitingForLock()).toBe(false);
  });
});

it('a link is deleted before a change of the organization or after it, and takes its rights along', async () => {
  await server.addMember(organizationId, technician, 'viewer');
  await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'admin' }]);
  await signIn(['a']);
  const [identity] = (await server.call('listIdentities', { as: technician })).body as { id: string }[];
  const identityId = identity?.id ?? '';
  await changeBeside(
    () => server.call('deleteIdentity', { as: technician, params: { identityId } }),
    async (transaction) => {
      const left = await transaction
        .selectFrom('identities')
        .select('id')
        .where('id', '=', identityId)
        .execute();
      expect(left).toHaveLength(1);
    },
  );
  expect(await listByGroups()).toEqual([]);
});

describe('a preview', () => {
  it('shows who would get and lose what, and changes nothing', async () => {
    await call('setGroupGrants', [{ group: 'a', scope: at(north), role: 'member' }]);
    const second = await server.createUser();
    await signIn(['a', 'b']);
    await server.addMember(organizationId, second, 'viewer');
    await signIn(['c'], second);
    const before = await server.db.selectFrom('grants').selectAll().execute();
    const answer = await call('previewGroupGrants', [
      { group: 'b', scope: at(south), role: 'viewer' },
      { group: 'c', scope: { type: 'organization', id: organizationId }, role: 'admin' },
      { group: 'nobody', scope: at(south), role: 'viewer' },
    ]);
    const { people, unknownGroups } = answer.body as { people: unknown[]; unknownGroups: string[] };
    expect(unknownGroups).toEqual(['nobody']);
    expect(people).toHaveLength(2);
    expect(people).toEqual(
      expect.arrayContaining([
        {
          email: technician.email,
          groups: ['b'],
          grants: [
            { scope: expect.objectContaining({ name: 'South' }), role: 'viewer', change: 'added' },
            { scope: expect.objectContaining({ name: 'North' }), role: 'member', change: 'removed' },
          ],
        },
        {
          email: second.email,
          groups: ['c'],
          grants: [{ scope: expect.objectContaining({ name: 'Plant' }), role: 'admin', change: 'added' }],
        },
      ]),
    );
    expect(await server.db.selectFrom('grants').selectAll().execute()).toEqual(before);
    const kept = await server.call('getGroupGrants', { as: owner, params: { organizationId } });
    expect(kept.body).toMatchObject({ rules: [{ group: 'a' }] });
  });

  it('a preview is made thirty times a minute, whoever asks', async () => {
    await server.addMember(organizationId, technician, 'owner');
    const answers: number[] = [];
    for (let time = 0; time < 31; time += 1) {
      const { status } = await call('previewGroupGrants', [], time % 2 === 0 ? owner : technician);
      answers.push(status);
    }
    expect(answers).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    server.clock.advance(60_000);
    expect((await call('previewGroupGrants', [])).status).toBe(200);
  });

  it('a preview is the owner’s alone', async () => {
    await server.addMember(organizationId, technician, 'admin');
    expect((await call('previewGroupGrants', [], technician)).status).toBe(403);
  });
});
