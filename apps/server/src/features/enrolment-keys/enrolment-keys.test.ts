import type { ErrorCode } from '@pult/contract';
import { limits } from '@pult/contract';
import {
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId, hashToken } from '../../platform/ids.ts';
import { createKeyFixture, type KeyFixture } from './enrolment-key.fixture.ts';

let server: TestServer;
let owner: TestUser;
let organization: string;
let fixture: KeyFixture;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.createUser();
  organization = await server.createOrganization(owner, 'Heating');
  fixture = createKeyFixture(server, owner, organization);
});

const refusedAs = (code: ErrorCode, status: number) => ({ status, body: { code } });

describe('the keys of an organization', () => {
  it('shows a key once, and keeps no more of it than its hash and how it begins', async () => {
    const group = await fixture.createGroup('Boiler houses');
    const expiresAt = fixture.inDays(30);
    const { key, ...created } = await fixture.createKey({ name: ' Line 1 ', group, maxUses: 7, expiresAt });
    expect(key).toMatch(/^pek_[0-9a-f]{40}$/);
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Line 1',
      prefix: key.slice(0, 12),
      group: { id: group, name: 'Boiler houses' },
      uses: 0,
      maxUses: 7,
      expiresAt,
      state: 'active',
      createdBy: owner.email,
      createdAt: server.clock.now().toISOString(),
      lastUsedAt: null,
    });
    expect(await fixture.list()).toEqual([created]);
    const rows = await server.db.selectFrom('enrolment_keys').selectAll().execute();
    expect(rows.find(({ id }) => id === created.id)?.key_hash).toEqual(hashToken(key));
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(await fixture.listEvents()).toContainEqual({
      action: 'enrolment_key.created',
      user_id: owner.id,
      subject: 'Line 1',
      details: { maxUses: 7, expiresAt, group: 'Boiler houses' },
    });
    expect(JSON.stringify(await fixture.listEvents())).not.toContain(key);
  });

  it('newer keys come first', async () => {
    for (const name of ['First', 'Second']) {
      await fixture.createKey({ name });
      server.clock.advance(1000);
    }
    expect((await fixture.list()).map(({ name }) => name)).toEqual(['Second', 'First']);
  });

  it('a revoked key stays in the list, without its second revocation in the log', async () => {
    const { id } = await fixture.createKey();
    for (let round = 0; round < 2; round += 1) expect((await fixture.revoke(id)).status).toBe(204);
    expect(await fixture.list()).toMatchObject([{ id, state: 'revoked' }]);
    const revoked = (await fixture.listEvents()).filter(({ action }) => action === 'enrolment_key.revoked');
    expect(revoked).toEqual([
      { action: 'enrolment_key.revoked', user_id: owner.id, subject: 'Factory', details: { uses: 0 } },
    ]);
  });

  it.each<[string, () => object]>([
    ['name', () => ({ name: ' ' })],
    ['name', () => ({ name: 'x'.repeat(limits.enrolmentKeyNameLength + 1) })],
    ['maxUses', () => ({ maxUses: 0 })],
    ['maxUses', () => ({ maxUses: 1.5 })],
    ['maxUses', () => ({ maxUses: limits.enrolmentKeyUsesMax + 1 })],
    ['expiresAt', () => ({ expiresAt: 'tomorrow' })],
    ['expiresAt', () => ({ expiresAt: server.clock.now().toISOString() })],
    ['expiresAt', () => ({ expiresAt: fixture.inDays(5 * 365 + 2) })],
    ['group', () => ({ group: createId() })],
  ])('a bad %s is refused', async (field, request) => {
    expect(await fixture.create(request())).toMatchObject({
      status: 400,
      body: { [field]: [expect.any(String)] },
    });
    expect(await fixture.list()).toEqual([]);
  });

  it('a group of another organization is none of its own', async () => {
    const stranger = await server.createUser();
    const others = createKeyFixture(server, stranger, await server.createOrganization(stranger));
    const group = await others.createGroup('Theirs');
    expect(await fixture.create({ group })).toMatchObject({
      status: 400,
      body: { group: [expect.anything()] },
    });
  });

  it('the keys of another organization are neither shown nor revoked', async () => {
    const stranger = await server.createUser();
    const others = createKeyFixture(server, stranger, await server.createOrganization(stranger));
    const { id, key } = await others.createKey();
    expect(await fixture.list()).toEqual([]);
    expect(await fixture.revoke(id)).toMatchObject(refusedAs('enrolment_key_not_found', 404));
    expect(await others.revoke(id, owner)).toMatchObject(refusedAs('organization_not_found', 404));
    expect((await others.enrol(key)).body).toMatchObject({ activated: true });
  });

  it('members make and revoke none', async () => {
    const member = await server.createUser();
    await server.addMember(organization, member, 'member');
    const { id } = await fixture.createKey();
    expect(await fixture.create({}, member)).toMatchObject(refusedAs('role_forbidden', 403));
    expect(await fixture.revoke(id, member)).toMatchObject(refusedAs('role_forbidden', 403));
    expect(await fixture.list(member)).toMatchObject({ code: 'role_forbidden' });
  });

  it('their number is limited to those that can be used', async () => {
    const rows = Array.from({ length: limits.enrolmentKeysPerOrganization }, () => ({
      id: createId(),
      organization_id: organization,
      name: 'Many',
      prefix: 'pek_',
      key_hash: hashToken(createId()),
      group_id: null,
      max_uses: 1,
      expires_at: new Date(fixture.inDays(1)),
      created_by: null,
      created_at: server.clock.now(),
    }));
    await server.db.insertInto('enrolment_keys').values(rows).execute();
    expect(await fixture.create()).toMatchObject(refusedAs('enrolment_keys_limit_reached', 409));
    await fixture.revoke(rows[0]?.id ?? '');
    expect((await fixture.create()).status).toBe(201);
  });

  it('keys that are over are forgotten after 90 days', async () => {
    const kept = await fixture.createKey({ name: 'Kept', expiresAt: fixture.inDays(200) });
    const revoked = await fixture.createKey({ name: 'Revoked', expiresAt: fixture.inDays(200) });
    await fixture.createKey({ name: 'Expired', expiresAt: fixture.inDays(1) });
    await fixture.revoke(revoked.id);
    const forget = async () => {
      await server.server.jobs.find(({ name }) => name === 'delete-ended-enrolment-keys')?.run();
      return server.db
        .selectFrom('enrolment_keys')
        .select('name')
        .where('organization_id', '=', organization)
        .orderBy('name')
        .execute();
    };
    server.clock.advance(90 * 24 * 3600_000 - 1000);
    expect((await forget()).map(({ name }) => name)).toEqual(['Expired', 'Kept', 'Revoked']);
    server.clock.advance(2000);
    expect((await forget()).map(({ name }) => name)).toEqual(['Expired', 'Kept']);
    server.clock.advance(24 * 3600_000);
    expect(await forget()).toEqual([{ name: kept.name }]);
  });
});

describe('an enrolment without such a key', () => {
  it('shows its activation link and says nothing of keys', async () => {
    const answer = await enrolTestDevice(server, createTestDevice('NO-KEY'));
    expect(answer.body).toEqual({ activated: false, activationLink: expect.any(String) });
  });
});
