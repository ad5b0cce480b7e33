import { type IdentityProvider, startIdentityProvider } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Browser, installationCallback } from './sign-in.fixture.ts';

const open = '01890a5d-ac96-774b-bcce-b302099a8060';

let server: TestServer;
let peer: IdentityProvider;
let owner: TestUser;
let organizationId: string;

beforeAll(async () => {
  peer = await startIdentityProvider({ redirectUris: [installationCallback] });
  const { issuer, clientId, clientSecret } = peer;
  server = await createTestServer({
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_GROUPS_FOR: open,
    },
  });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});
beforeEach(async () => {
  owner = await server.createUser();
  organizationId = await server.createOrganization(owner, 'Plant');
});

const call = (name: 'setGroupGrants' | 'previewGroupGrants', groups: string[], id = organizationId) => {
  const rules = groups.map((group) => ({ group, scope: { type: 'organization', id }, role: 'viewer' }));
  return server.call(name, { as: owner, params: { organizationId: id }, body: { rules } });
};

/** Somebody of the company whose provider it is, as whom nobody has logged in by password. */
async function signIn(name: string, groups: string[]): Promise<{ browser: Browser; user: TestUser }> {
  const email = `${name}-${owner.id}@corp.example.com`;
  peer.account = { subject: email, claims: { email, email_verified: true, groups } };
  const browser = new Browser(server);
  expect((await browser.signIn('installation', peer)).searchParams.get('done')).toBe('1');
  const { id = '' } = (await browser.getUser()) ?? {};
  return { browser, user: { id, email, password: '', access: '', cookie: '' } };
}
const listOrganizations = async (browser: Browser) =>
  ((await browser.call('listOrganizations')).body as { id: string }[]).map(({ id }) => id);
const listSubjects = async (id = organizationId) => {
  const answer = await server.call('listGrants', { as: owner, params: { organizationId: id } });
  return (answer.body as { subject: { name: string }; isByProvider?: boolean }[])
    .filter(({ isByProvider }) => isByProvider)
    .map(({ subject }) => subject.name);
};

describe('groups of the installation’s provider', () => {
  it('groups are told to nobody in whose organization a person has nothing, and give nothing there', async () => {
    const { browser } = await signIn('employee', ['staff', 'payroll']);
    const preview = await call('previewGroupGrants', ['staff', 'nobody']);
    // A group that is there looks as one that is not.
    expect(preview.body).toEqual({ people: [], unknownGroups: ['staff', 'nobody'] });
    await call('setGroupGrants', ['staff']);
    expect(await listSubjects()).toEqual([]);
    const again = await signIn('employee', ['staff', 'payroll']);
    expect(await listSubjects()).toEqual([]);
    expect(await listOrganizations(browser)).toEqual([]);
    expect(await listOrganizations(again.browser)).toEqual([]);
    const log = server.db
      .selectFrom('audit_events')
      .select('subject')
      .where('organization_id', '=', organizationId)
      .where('action', 'like', 'grant.%');
    expect(await log.execute()).toEqual([]);
  });

  it('give a member rights, until they are none', async () => {
    const { user } = await signIn('member', ['staff']);
    await server.addMember(organizationId, user, 'viewer');
    expect((await call('previewGroupGrants', ['staff'])).body).toMatchObject({
      people: [{ email: user.email, grants: [{ change: 'added' }] }],
    });
    await call('setGroupGrants', ['staff']);
    expect(await listSubjects()).toEqual([user.email]);
    await server.call('removeMember', { as: owner, params: { organizationId, userId: user.id } });
    const { browser } = await signIn('member', ['staff']);
    expect(await listOrganizations(browser)).toEqual([]);
  });

  it('give rights to whom somebody gave some, and not on the strength of rights by groups', async () => {
    const { user } = await signIn('guest', ['staff']);
    const id = '01890a5d-ac96-774b-bcce-b302099a8061';
    const row = { organization_id: organizationId, subject_user_id: user.id, role: 'viewer' } as const;
    await server.db
      .insertInto('grants')
      .values({ ...row, id, created_at: new Date() })
      .execute();
    await call('setGroupGrants', ['staff']);
    expect(await listSubjects()).toEqual([user.email]);
    const ended = { ends_at: new Date(Date.now() - 1000) };
    await server.db.updateTable('grants').set(ended).where('id', '=', id).execute();
    expect((await call('previewGroupGrants', ['staff'])).body).toMatchObject({ unknownGroups: ['staff'] });
    await signIn('guest', ['staff']);
    expect(await listSubjects()).toEqual([]);
  });

  it('give rights to anybody in an organization that is set up for it', async () => {
    await server.db
      .insertInto('organizations')
      .values({ id: open, name: 'Company', created_at: server.clock.now() })
      .execute();
    await server.addMember(open, owner, 'owner');
    const before = await signIn('first', ['technicians']);
    expect((await call('previewGroupGrants', ['technicians', 'nobody'], open)).body).toMatchObject({
      people: [{ email: before.user.email, groups: ['technicians'] }],
      unknownGroups: ['nobody'],
    });
    await call('setGroupGrants', ['technicians'], open);
    const after = await signIn('second', ['technicians']);
    await signIn('third', ['accounts']);
    expect(await listSubjects(open)).toEqual([before.user.email, after.user.email]);
    expect(await listOrganizations(after.browser)).toEqual([open]);
  });
});

it('a sign-in gives nothing in an organization that somebody is being taken out of', async () => {
  const { user } = await signIn('member', ['staff']);
  await server.addMember(organizationId, user, 'viewer');
  await call('setGroupGrants', ['nobody', 'staff']);
  let going: Promise<unknown> = Promise.resolve();
  await server.db.transaction().execute(async (transaction) => {
    await sql`select from organizations where id = ${organizationId} for no key update`.execute(transaction);
    for (const table of ['grants', 'memberships'] as const) {
      await transaction.deleteFrom(table).where('organization_id', '=', organizationId).execute();
    }
    let isOver = false;
    going = signIn('member', ['staff']).finally(() => {
      isOver = true;
    });
    await expect.poll(async () => isOver || (await server.isWaitingForLock())).toBe(true);
  });
  await going;
  const left = server.db.selectFrom('grants').select('role').where('organization_id', '=', organizationId);
  expect(await left.execute()).toEqual([]);
});

it('a preview names no other groups of a person than those of its rules', async () => {
  const { user } = await signIn('member', ['staff', 'payroll', 'secret-project']);
  await server.addMember(organizationId, user, 'viewer');
  await call('setGroupGrants', ['payroll']);
  expect((await call('previewGroupGrants', ['staff'])).body).toMatchObject({
    people: [{ email: user.email, groups: ['staff'] }],
  });
});
