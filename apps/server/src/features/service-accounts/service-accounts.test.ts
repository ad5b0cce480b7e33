import {
  type AccessToken,
  type AuditEvent,
  limits,
  type Permission,
  permissionNames,
  type RouteName,
  type ServiceAccount,
} from '@pult/contract';
import {
  type CallOptions,
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../platform/ids.ts';
import { bearer } from '../accounts/tokens/tokens.fixture.ts';
import { enableTotp } from '../accounts/totp-user.fixture.ts';
import { createServiceAccount, grantService } from './service-accounts.fixture.ts';

let server: TestServer;
let owner: TestUser;
let admin: TestUser;
let organizationId: string;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser();
  organizationId = await server.createOrganization(owner, 'Factory');
  admin = await server.createUser();
  await server.addMember(organizationId, admin, 'admin');
});
afterAll(() => server.close());

const addAccount = (name?: string, as = owner) => createServiceAccount(server, as, organizationId, name);
const give = (id: string, role: 'viewer' | 'member' | 'admin') =>
  grantService(server, id, { organizationId, role, grantedBy: owner.id });
const list = async (as = owner) =>
  (await server.call('listServiceAccounts', { as, params: { organizationId } })).body as ServiceAccount[];
const refused = (code: string) => ({ status: 403, body: { code } });

async function addProgram(
  scopes: readonly Permission[] = permissionNames,
  role: 'viewer' | 'member' | 'admin' = 'member',
) {
  const account = await addAccount();
  await give(account.id, role);
  const token = await account.addToken(scopes);
  const call = (name: RouteName, options: CallOptions = {}) =>
    server.call(name, { ...options, headers: bearer(token) });
  return { account, token, call };
}

describe('the account', () => {
  it('a service account is listed with its tokens, keys and rights, and has none of an account of a person', async () => {
    const account = await addAccount('Nightly report');
    await give(account.id, 'viewer');
    const { token, prefix } = await account.addToken(['controllers.read']);
    expect(token).toMatch(/^pult_svc_[0-9A-Za-z]{36}$/);
    expect(prefix).toBe(token.slice(0, 13));
    await server.call('getCurrentUser', { headers: bearer({ token }) });
    const now = server.clock.now().toISOString();
    expect((await list()).find(({ id }) => id === account.id)).toEqual({
      ...{ id: account.id, name: 'Nightly report', createdAt: now, createdBy: owner.email },
      ...{ tokens: 1, sshKeys: 0, grants: 1, lastUsedAt: now, isManageable: true },
    });
    const stored = await server.db
      .selectFrom('sessions')
      .select('token_hash')
      .where('user_id', '=', account.id)
      .executeTakeFirst();
    expect(stored?.token_hash).toEqual(hashToken(token));
    for (const username of ['nightly report', 'Nightly report']) {
      const login = await server.call('login', { body: { username, password: 'anything' } });
      expect(login).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    }
  });

  it('a service account has a name of its own in the organization, which is no email', async () => {
    await addAccount('Deploy');
    const create = async (name: string, as = owner) => {
      const answer = await server.call('createServiceAccount', {
        as,
        params: { organizationId },
        body: { name },
      });
      return [answer.status, answer.body];
    };
    expect(await create('deploy')).toEqual([400, { name: ['This name is taken here.'] }]);
    expect(await create('boss@example.com')).toEqual([
      400,
      { name: ['The name may not be an email address: leave out the @.'] },
    ]);
    const other = await server.createUser();
    const elsewhere = await server.createOrganization(other);
    expect((await createServiceAccount(server, other, elsewhere, 'Deploy')).name).toBe('Deploy');
  });

  it('a service account may do nothing without a right, and answers who it is and where it may go', async () => {
    const account = await addAccount('Bare');
    const headers = bearer(await account.addToken(permissionNames));
    const me = await server.call('getCurrentUser', { headers });
    expect(me).toMatchObject({
      status: 200,
      body: { id: account.id, email: 'Bare', serviceAccount: { organization: organizationId, name: 'Bare' } },
    });
    expect((await server.call('getEnvironments', { headers })).status).toBe(200);
    expect(await server.call('listOrganizations', { headers })).toMatchObject({ status: 200, body: [] });
    expect(await server.call('listGroups', { headers })).toMatchObject({ status: 200, body: [] });
    expect(await server.call('getOrganization', { headers, params: { organizationId } })).toMatchObject({
      status: 404,
      body: { code: 'organization_not_found' },
    });
    await give(account.id, 'viewer');
    expect((await server.call('listOrganizations', { headers })).body).toMatchObject([
      { id: organizationId, userRole: 'viewer' },
    ]);
  });

  it('a service account acts under its name in the audit log, and a reader sees that it is no person', async () => {
    const { account, token, call } = await addProgram(['controllers.update']);
    const { serialNumber } = await createTestController(server, { organizationId });
    const body = { description: 'By a robot' };
    expect((await call('updateController', { params: { serialNumber }, body })).status).toBe(200);
    const events = await server.call('listAuditEvents', {
      as: owner,
      params: { organizationId },
      query: { user: account.name, action: 'controller.updated' },
    });
    const [event] = (events.body as { results: AuditEvent[] }).results;
    expect(event).toMatchObject({
      user: { id: account.id, email: account.name, kind: 'service' },
      subject: serialNumber,
      details: { token: token.name },
    });
  });

  it('a service account needs no second factor where people do: nobody logs in as one', async () => {
    const { call } = await addProgram(['controllers.read']);
    const require = (totp_required: boolean) =>
      server.db
        .updateTable('organizations')
        .set({ totp_required })
        .where('id', '=', organizationId)
        .execute();
    await require(true);
    const answer = await call('listControllers', { query: { organization_id: organizationId } });
    const me = await call('getCurrentUser');
    await require(false);
    expect(answer.status).toBe(200);
    expect(me.body).toMatchObject({ hasTotpRequiredOrg: false });
  });

  it('a service account passes no confirmation but that of deleting a controller, by the scope of that name', async () => {
    const { call } = await addProgram(permissionNames, 'admin');
    const { serialNumber } = await createTestController(server, { organizationId });
    const body = { totpRequired: true };
    expect(await call('updateOrganization', { params: { organizationId }, body })).toMatchObject(
      refused('token_forbidden'),
    );
    expect((await call('deleteController', { params: { serialNumber } })).status).toBe(204);
  });

  it('a service account has neither tokens of a person nor their security', async () => {
    const { call } = await addProgram(permissionNames, 'admin');
    for (const name of ['listTokens', 'listSshKeys', 'listSessions', 'setUpTotp'] as const) {
      expect(await call(name)).toMatchObject(refused('token_forbidden'));
    }
    const made = await call('createToken', { body: { name: 'Other', scopes: ['controllers.read'] } });
    expect(made).toMatchObject(refused('token_forbidden'));
  });

  it('a service account is gone with all that it had, and its name stays in the log', async () => {
    const { account, call } = await addProgram(['controllers.update']);
    const { serialNumber } = await createTestController(server, { organizationId });
    await call('updateController', { params: { serialNumber }, body: { description: 'Last act' } });
    const gone = await server.call('deleteServiceAccount', { as: admin, params: account.params });
    expect(gone.status).toBe(204);
    expect((await call('getCurrentUser')).status).toBe(401);
    expect((await list()).map(({ id }) => id)).not.toContain(account.id);
    for (const name of ['listServiceAccountTokens', 'deleteServiceAccount'] as const) {
      expect(await server.call(name, { as: owner, params: account.params })).toMatchObject({
        status: 404,
        body: { code: 'service_account_not_found' },
      });
    }
    const grants = server.db.selectFrom('grants').selectAll().where('subject_user_id', '=', account.id);
    expect(await grants.execute()).toEqual([]);
    const log = await server.call('listAuditEvents', {
      as: owner,
      params: { organizationId },
      query: { user: account.name },
    });
    expect((log.body as { results: AuditEvent[] }).results).toMatchObject([{ action: 'controller.updated' }]);
    // The name is free again.
    expect((await addAccount(account.name)).id).not.toBe(account.id);
  });
});

describe('its tokens', () => {
  it('tokens of a service account are listed without themselves, and end at once when they are deleted', async () => {
    const account = await addAccount();
    const { token, ...shown } = await account.addToken(['controllers.read']);
    const listed = await server.call('listServiceAccountTokens', { as: admin, params: account.params });
    expect(listed.body as AccessToken[]).toEqual([shown]);
    const params = { ...account.params, tokenId: shown.id };
    expect((await server.call('deleteServiceAccountToken', { as: admin, params })).status).toBe(204);
    expect((await server.call('getCurrentUser', { headers: bearer({ token }) })).status).toBe(401);
    expect(await server.call('deleteServiceAccountToken', { as: admin, params })).toMatchObject({
      status: 404,
      body: { code: 'token_not_found' },
    });
  });

  it('tokens of a service account are reached through no other account, neither another service account nor a person', async () => {
    const [account, other] = [await addAccount(), await addAccount()];
    const { id: tokenId } = await account.addToken(['controllers.read']);
    const params = { ...other.params, tokenId };
    expect((await server.call('deleteServiceAccountToken', { as: owner, params })).status).toBe(404);
    expect((await server.call('deleteToken', { as: owner, params: { tokenId } })).status).toBe(404);
    const asPerson = { organizationId, accountId: admin.id };
    expect((await server.call('listServiceAccountTokens', { as: owner, params: asPerson })).status).toBe(404);
    expect((await server.call('deleteServiceAccount', { as: owner, params: asPerson })).status).toBe(404);
  });

  it('tokens of a service account are for those who could give each right of the account: an admin’s is the owner’s affair', async () => {
    const account = await addAccount();
    const { id: tokenId } = await account.addToken(['controllers.read']);
    await give(account.id, 'admin');
    const body = { name: 'Own', scopes: ['controllers.read'] };
    const params = account.params;
    for (const [name, options] of [
      ['createServiceAccountToken', { params, body }],
      ['deleteServiceAccountToken', { params: { ...params, tokenId } }],
      ['deleteServiceAccount', { params }],
    ] as const) {
      expect(await server.call(name, { as: admin, ...options })).toMatchObject(refused('role_forbidden'));
    }
    expect((await list(admin)).find(({ id }) => id === account.id)?.isManageable).toBe(false);
    expect((await server.call('createServiceAccountToken', { as: owner, params, body })).status).toBe(201);
  });

  it('tokens of a service account ask a person with a second factor for a code, and a token for the scope tokens.manage', async () => {
    const plain = await server.createUser();
    await server.addMember(organizationId, plain, 'admin');
    const account = await addAccount();
    const call = { params: account.params, body: { name: 'Script', scopes: ['controllers.read'] } };
    const user = await enableTotp(server, plain);
    expect(await server.call('createServiceAccountToken', { as: user, ...call })).toMatchObject(
      refused('totp_required'),
    );
    const weak = await addProgram(
      permissionNames.filter((name) => name !== 'tokens.manage'),
      'admin',
    );
    expect(await weak.call('createServiceAccountToken', call)).toMatchObject(refused('token_forbidden'));
    const strong = await addProgram(['tokens.manage', 'controllers.read'], 'admin');
    expect((await strong.call('createServiceAccountToken', call)).status).toBe(201);
    expect(
      await strong.call('createServiceAccountToken', {
        ...call,
        body: { name: 'More', scopes: ['controllers.read', 'controllers.update'] },
      }),
    ).toMatchObject(refused('token_forbidden'));
  });

  it('tokens of a service account are renewed by the program itself, which need not be able to give its own rights', async () => {
    const { account, token, call } = await addProgram(['tokens.manage', 'controllers.read'], 'admin');
    const body = { name: 'Next', scopes: ['tokens.manage', 'controllers.read'] };
    const next = await call('createServiceAccountToken', { params: account.params, body });
    expect(next).toMatchObject({ status: 201 });
    const headers = bearer(next.body as { token: string });
    const params = { ...account.params, tokenId: token.id };
    expect((await server.call('deleteServiceAccountToken', { headers, params })).status).toBe(204);
    expect((await call('getCurrentUser')).status).toBe(401);
    const key = { name: 'Key', publicKey: 'ssh-ed25519 AAAA' };
    expect(
      await server.call('addServiceAccountKey', { headers, params: account.params, body: key }),
    ).toMatchObject(refused('token_forbidden'));
  });
});

describe('its rights', () => {
  const grant = (as: TestUser, id: string, role: string) =>
    server.call('createGrant', {
      as,
      params: { organizationId },
      body: { subject: { type: 'service', id }, scope: { type: 'organization', id: organizationId }, role },
    });

  it('rights of a service account are given as those of people are, below the giver’s own, and not to itself', async () => {
    const account = await addAccount();
    expect(await grant(admin, account.id, 'member')).toMatchObject({
      status: 201,
      body: { subject: { type: 'service', id: account.id, name: account.name }, isUnbacked: false },
    });
    expect(await grant(admin, account.id, 'admin')).toMatchObject(refused('role_forbidden'));
    const { account: own, call } = await addProgram(['grants.manage'], 'admin');
    const body = {
      subject: { type: 'service', id: own.id },
      scope: { type: 'organization', id: organizationId },
      role: 'member',
    };
    expect(await call('createGrant', { params: { organizationId }, body })).toMatchObject(
      refused('own_grant'),
    );
  });

  it.each(['another organization’s account', 'a person’s id', 'a deleted account'])(
    'rights of a service account are not given to %s',
    async (what) => {
      const other = await server.createUser();
      const elsewhere = await server.createOrganization(other);
      const deleted = await addAccount();
      await server.call('deleteServiceAccount', { as: owner, params: deleted.params });
      const ids: Record<string, string> = {
        'a person’s id': admin.id,
        'a deleted account': deleted.id,
        'another organization’s account': (await createServiceAccount(server, other, elsewhere)).id,
      };
      expect(await grant(owner, ids[what] ?? '', 'viewer')).toMatchObject({
        status: 400,
        body: { subject: [expect.any(String)] },
      });
    },
  );

  it('rights of a service account stay when their giver loses the right to have given them, and are shown as such', async () => {
    const giver = await server.createUser();
    await server.addMember(organizationId, giver, 'admin');
    const account = await addAccount();
    await grant(giver, account.id, 'member');
    const own = async () => {
      const query = { subject: account.id };
      const { body } = await server.call('listGrants', { as: owner, params: { organizationId }, query });
      return (body as { isUnbacked: boolean; grantedBy: string }[])[0];
    };
    expect(await own()).toMatchObject({ isUnbacked: false, grantedBy: giver.email });
    const params = { organizationId, userId: giver.id };
    await server.call('updateMember', { as: owner, params, body: { role: 'member' } });
    expect(await own()).toMatchObject({ isUnbacked: true, grantedBy: giver.email });
    await server.call('removeMember', { as: owner, params });
    expect(await own()).toMatchObject({ isUnbacked: true });
    // Whoever gives it anew backs it.
    await grant(owner, account.id, 'member');
    expect(await own()).toMatchObject({ isUnbacked: false, grantedBy: owner.email });
  });
});

it('an organization has so many service accounts at most', async () => {
  const user = await server.createUser();
  const full = await server.createOrganization(user);
  const rows = Array.from({ length: limits.serviceAccountsPerOrganization }, (_, index) => ({
    id: crypto.randomUUID(),
    kind: 'service' as const,
    email: `robot ${index}`,
    belongs_to: full,
    ...{ password_hash: '', locale: 'en' as const, created_at: server.clock.now() },
  }));
  await server.db.insertInto('users').values(rows).execute();
  await expect(createServiceAccount(server, user, full)).rejects.toThrow('409');
});
