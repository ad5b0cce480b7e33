import { limits } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '../../platform/ids.ts';
import { createPartFixture, type PartFixture } from './part.fixture.ts';

/** Giving and ending rights on parts of the tree. */

let server: TestServer;
let fixture: PartFixture;
let admin: TestUser;
let member: TestUser;
let partAdmin: TestUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  fixture = await createPartFixture(server);
  ({ admin, member, partAdmin } = await fixture.addPeople());
});

const forbidden = { status: 403, body: { code: 'role_forbidden' } };
const to = ({ id }: TestUser) => ({ subject: { type: 'user', id } });
const fieldsOf = (answer: { body: unknown }) => Object.keys(answer.body as object);

describe('giving rights', () => {
  it('answers the grant, records it and lists it', async () => {
    const until = new Date(Date.now() + 3600_000).toISOString();
    const answer = await fixture.create(admin, {
      ...to(member),
      scope: fixture.ofGroup('hall'),
      role: 'member',
      until,
    });
    expect(answer).toMatchObject({
      status: 201,
      body: {
        subject: { type: 'user', id: member.id, name: member.email },
        scope: { type: 'group', id: fixture.groups.hall, name: 'Hall', path: ['North', 'Plant'] },
        role: 'member',
        until,
        grantedBy: admin.email,
      },
    });
    expect(await fixture.list(admin, { subject: member.id })).toMatchObject([
      { id: null, role: 'viewer', scope: { type: 'organization' } },
      answer.body,
    ]);
    expect(await fixture.listEvents('grant')).toEqual([
      {
        action: 'grant.created',
        user_id: admin.id,
        subject: member.email,
        details: { role: 'member', place: 'Hall', expiresAt: until },
      },
    ]);
  });

  it('a right on a controller is by its serial number', async () => {
    const { serialNumber } = fixture.controllers.hall;
    const answer = await fixture.create(admin, {
      ...to(member),
      scope: { type: 'controller', id: serialNumber.toLowerCase() },
      role: 'admin',
    });
    expect(answer).toMatchObject({ status: 403 });
    const owned = await fixture.create(fixture.owner, {
      ...to(member),
      scope: { type: 'controller', id: serialNumber.toLowerCase() },
      role: 'admin',
    });
    expect(owned).toMatchObject({
      status: 201,
      body: {
        scope: { type: 'controller', id: serialNumber, path: ['North', 'Plant', 'Hall'] },
        role: 'admin',
      },
    });
  });

  it('takes the place of what the subject has at the same place', async () => {
    const give = (role: string) =>
      fixture.create(fixture.owner, { ...to(member), scope: fixture.ofGroup('south'), role });
    for (const role of ['viewer', 'admin', 'member']) expect((await give(role)).status).toBe(201);
    const own = await fixture.list(admin, { subject: member.id });
    expect(own.map(({ role }) => role)).toEqual(['viewer', 'member']);
    // An admin does not turn an admin's into less.
    await give('admin');
    expect(
      await fixture.create(admin, { ...to(member), scope: fixture.ofGroup('south'), role: 'viewer' }),
    ).toMatchObject(forbidden);
  });

  it('takes the place of one that is over, whoever gave that', async () => {
    const hall = { groupId: fixture.groups.hall };
    const over = await fixture.grant(member, 'admin', hall, new Date(Date.now() - 1000));
    const give = () =>
      fixture.create(admin, { ...to(member), scope: fixture.ofGroup('hall'), role: 'member' });
    expect((await give()).status).toBe(201);
    expect((await fixture.list(admin, { subject: member.id })).map(({ role }) => role)).toEqual([
      'viewer',
      'member',
    ]);
    const rows = server.db.selectFrom('grants').selectAll().where('id', '=', over);
    expect(await rows.execute()).toEqual([]);
  });

  it('what is over takes no room among the rights that somebody may have', async () => {
    const full = Array.from({ length: limits.grantsPerSubject }, () => ({
      id: createId(),
      organization_id: fixture.organizationId,
      subject_user_id: member.id,
      group_id: createId(),
      role: 'viewer' as const,
      ends_at: new Date(Date.now() - 1000),
      created_at: server.clock.now(),
    }));
    await server.db.insertInto('grants').values(full).execute();
    const body = { ...to(member), scope: fixture.ofGroup('hall'), role: 'viewer' };
    expect((await fixture.create(admin, body)).status).toBe(201);
  });

  it('the same right given many times at once leaves one at a place', async () => {
    const body = { ...to(member), scope: fixture.ofGroup('south'), role: 'member' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => fixture.create(fixture.owner, body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await fixture.list(admin, { subject: member.id })).toHaveLength(2);
  });

  it.each<[string, 'owner' | 'admin' | 'partAdmin' | 'member', string, string, number]>([
    ['an owner', 'owner', 'organization', 'admin', 201],
    ['an admin', 'admin', 'organization', 'member', 201],
    ['an admin', 'admin', 'organization', 'admin', 403],
    ['an admin', 'admin', 'plant', 'viewer', 201],
    ['an admin of the part', 'partAdmin', 'plant', 'member', 201],
    ['an admin of the part', 'partAdmin', 'hall', 'viewer', 201],
    ['an admin of the part', 'partAdmin', 'plant', 'admin', 403],
    ['an admin of the part', 'partAdmin', 'north', 'viewer', 403],
    ['an admin of the part', 'partAdmin', 'south', 'viewer', 403],
    ['an admin of the part', 'partAdmin', 'organization', 'viewer', 403],
    ['a member', 'member', 'hall', 'viewer', 403],
  ])('giving rights by %s (%s) at %s as %s answers %i', async (_, by, at, role, status) => {
    const person = await server.createUser();
    await fixture.grant(person, 'viewer', { groupId: fixture.groups.hall });
    const giver = { owner: fixture.owner, admin, partAdmin, member }[by];
    const scope =
      at === 'organization' ? fixture.ofOrganization() : fixture.ofGroup(at as keyof PartFixture['groups']);
    const answer = await fixture.create(giver, { ...to(person), scope, role });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer).toMatchObject(forbidden);
  });

  it('a right to oneself is refused, to whoever has rights above too', async () => {
    for (const user of [fixture.owner, admin, partAdmin]) {
      expect(
        await fixture.create(user, { ...to(user), scope: fixture.ofGroup('hall'), role: 'viewer' }),
      ).toMatchObject({ status: 403, body: { code: 'own_grant' } });
    }
  });

  it('a right to nobody of the organization is refused, and tells nothing of who they are', async () => {
    const stranger = await server.createUser();
    const body = { scope: fixture.ofGroup('hall'), role: 'viewer' };
    for (const [by, subject] of [
      [admin, to(stranger)],
      [admin, { subject: { type: 'user', id: createId() } }],
      [admin, { subject: { type: 'service', id: createId() } }],
      // A member, of whom an admin of a part does not know.
      [partAdmin, to(member)],
      [partAdmin, to(stranger)],
    ] as const) {
      const answer = await fixture.create(by, { ...subject, ...body });
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ['subject']]);
    }
  });

  it.each([
    [{ role: 'owner' }, 'role'],
    [{ role: 'boss' }, 'role'],
    [{ until: '2001-01-01T00:00:00Z' }, 'until'],
    [{ until: 'tomorrow' }, 'until'],
    [{ scope: { type: 'group', id: createId() } }, 'scope'],
    [{ scope: { type: 'controller', id: 'NOWHERE' } }, 'scope'],
    [{ scope: { type: 'organization', id: createId() } }, 'scope'],
  ])('refuses %j', async (change, field) => {
    const good = { ...to(member), scope: fixture.ofGroup('hall'), role: 'viewer' };
    const answer = await fixture.create(admin, { ...good, ...change });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  it('a right on a place of another organization is as on none', async () => {
    const other = await createPartFixture(server);
    for (const scope of [other.ofGroup('hall'), other.ofController('hall'), other.ofOrganization()]) {
      const answer = await fixture.create(admin, { ...to(member), scope, role: 'viewer' });
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ['scope']]);
      expect(await fixture.create(partAdmin, { ...to(member), scope, role: 'viewer' })).toMatchObject(
        forbidden,
      );
    }
  });
});

describe('seeing and ending rights', () => {
  it('the list tells who reaches a controller, and why', async () => {
    await fixture.grant(member, 'admin', { controllerId: fixture.controllers.hall.id });
    const reach = async (as: TestUser, query: Record<string, string>) =>
      (await fixture.list(as, query)).map(
        ({ subject, scope, role }) => `${subject.id} ${scope.type} ${role}`,
      );
    const whole = [
      `${fixture.owner.id} organization owner`,
      `${admin.id} organization admin`,
      `${member.id} organization viewer`,
    ];
    const inPart = [`${partAdmin.id} group admin`, `${member.id} controller admin`] as const;
    const { serialNumber: controller } = fixture.controllers.hall;
    expect((await reach(admin, { controller })).sort()).toEqual([...whole, ...inPart].sort());
    expect((await reach(partAdmin, { controller })).sort()).toEqual([...inPart].sort());
    const { serialNumber: south } = fixture.controllers.south;
    expect((await reach(admin, { controller: south })).sort()).toEqual(whole.sort());
    expect((await reach(admin, { group: fixture.groups.plant })).sort()).toEqual(
      [...whole, inPart[0]].sort(),
    );
  });

  it('the list of who reaches a place is refused where there is none that the caller may see', async () => {
    const other = await createPartFixture(server);
    const ask = (as: TestUser, query: Record<string, string>) =>
      server.call('listGrants', { as, params: { organizationId: fixture.organizationId }, query });
    const noController = { status: 404, body: { code: 'controller_not_found' } };
    const noGroup = { status: 404, body: { code: 'group_not_found' } };
    for (const controller of ['NOWHERE', other.controllers.hall.serialNumber]) {
      expect(await ask(fixture.owner, { controller })).toMatchObject(noController);
    }
    for (const group of [createId(), other.groups.hall]) {
      expect(await ask(fixture.owner, { group })).toMatchObject(noGroup);
    }
    expect(await ask(partAdmin, { controller: fixture.controllers.south.serialNumber })).toMatchObject(
      noController,
    );
    expect(await ask(partAdmin, { group: fixture.groups.south })).toMatchObject(noGroup);
    // What they may see, but not manage, has nothing to show them.
    await fixture.grant(partAdmin, 'viewer', { groupId: fixture.groups.south });
    expect(await fixture.list(partAdmin, { controller: fixture.controllers.south.serialNumber })).toEqual([]);
  });

  it('ends at once, is recorded, and is refused where the role is not below one’s own', async () => {
    const person = await server.createUser();
    const id = await fixture.grant(person, 'member', { groupId: fixture.groups.hall });
    expect(await fixture.listNames(person)).toEqual(['HALL']);
    expect(await fixture.end(member, id)).toMatchObject(forbidden);
    expect((await fixture.end(partAdmin, id)).status).toBe(204);
    expect(await fixture.listNames(person)).toEqual([]);
    expect(await fixture.end(partAdmin, id)).toMatchObject({
      status: 404,
      body: { code: 'grant_not_found' },
    });
    expect(await fixture.listEvents('grant')).toMatchObject([
      { action: 'grant.deleted', user_id: partAdmin.id, subject: person.email, details: { place: 'Hall' } },
    ]);
    const [own] = await fixture.list(partAdmin, { subject: partAdmin.id });
    expect(await fixture.end(partAdmin, own?.id ?? '')).toMatchObject(forbidden);
    expect(await fixture.end(admin, own?.id ?? '')).toMatchObject(forbidden);
    expect((await fixture.end(fixture.owner, own?.id ?? '')).status).toBe(204);
  });

  it('no grant is there outside the caller’s part', async () => {
    const outside = await fixture.grant(member, 'viewer', { groupId: fixture.groups.south });
    const whole = await fixture.grant(member, 'viewer');
    const other = await createPartFixture(server);
    const foreign = await other.grant(member, 'viewer', { groupId: other.groups.hall });
    for (const id of [outside, whole, foreign, createId(), 'x']) {
      expect(await fixture.end(partAdmin, id)).toMatchObject({
        status: 404,
        body: { code: 'grant_not_found' },
      });
    }
    expect(await fixture.end(admin, foreign)).toMatchObject({ status: 404 });
    expect(await other.list(other.owner, { subject: member.id })).toHaveLength(1);
  });
});
