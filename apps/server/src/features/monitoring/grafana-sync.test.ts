import { createTestServer } from '@pult/testkit/in-process';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createGrafanaFixture, type GrafanaFixture } from './grafana.fixture.ts';

let fixture: GrafanaFixture;

beforeEach(async () => {
  fixture = await createGrafanaFixture();
});
afterEach(() => fixture.close());

/** Organizations beside Grafana's own first one, and who is in them beside the administrator. */
function read() {
  const { organizations, users } = fixture.grafana.state;
  return [...organizations]
    .filter(([id]) => id !== 1)
    .map(([id, { name, members }]) => ({
      id,
      name,
      members: [...members]
        .filter(([userId]) => userId !== 1)
        .map(([userId, role]) => ({ name: users.get(userId)?.name, role })),
    }));
}

// spec: 7.41
test('the address without a Grafana is the monitoring page of the console', async () => {
  await using plain = await createTestServer();
  const user = await plain.createUser();
  const organizationId = await plain.createOrganization(user);
  const answer = await plain.call('getGrafanaAccess', { as: user, params: { organizationId } });
  expect(answer.body).toEqual({
    grafanaUrl: `${plain.publicUrl}/organizations/${organizationId}/monitoring`,
  });
});

describe('grafana-access', () => {
  // spec: 7.41
  it('makes the organization, its data source and dashboard, and the member who asks', async () => {
    const { status, url } = await fixture.ask(fixture.owner);
    expect(status).toBe(200);
    const [made] = read();
    expect(made?.name).toBe(`Дом (${fixture.organization})`);
    expect(made?.members).toEqual([{ name: fixture.owner.email, role: 'Editor' }]);
    expect(url).toBe(`${fixture.origin}/d/pult-controllers/controllers?orgId=${made?.id}`);
    const { datasources, dashboards } = fixture.grafana.state;
    expect(datasources.get(`${made?.id} pult-metrics`)).toMatchObject({
      type: 'prometheus',
      access: 'proxy',
      url: `${fixture.server.publicUrl}/api-grafana`,
      basicAuthUser: fixture.organization,
    });
    expect(dashboards.get(`${made?.id} pult-controllers`)).toMatchObject({
      templating: { list: [{ name: 'controller' }] },
    });
  });

  it('takes a second call as it is, and makes nothing twice when twenty come at once', async () => {
    const viewer = await fixture.addUser('viewer');
    const asked = Array.from({ length: 20 }, (_, index) => fixture.ask(index % 2 ? viewer : fixture.owner));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status, url }) => `${status} ${url}`)).size).toBe(1);
    expect(read()).toHaveLength(1);
    expect(
      read()[0]
        ?.members.map(({ role }) => role)
        .sort(),
    ).toEqual(['Editor', 'Viewer']);
    expect(fixture.grafana.calls.filter((call) => call === 'POST /api/orgs')).toHaveLength(1);
  });

  it('finds what was made before a crash could be written down', async () => {
    await fixture.ask(fixture.owner);
    const before = read();
    await fixture.server.db.updateTable('grafana_members').set({ grafana_id: null, role: null }).execute();
    // As it was called before it was called after the organization.
    const [made] = before;
    fixture.grafana.state.organizations.set(made?.id ?? 0, {
      name: `Pult ${fixture.organization}`,
      members: fixture.grafana.state.organizations.get(made?.id ?? 0)?.members ?? new Map(),
    });
    await fixture.server.db
      .updateTable('grafana_organizations')
      .set({ grafana_id: null, name: null, revision: null })
      .execute();
    expect((await fixture.ask(fixture.owner)).status).toBe(200);
    expect(read()).toEqual(before);
  });

  it('makes all of it anew in a Grafana that has lost it', async () => {
    const first = await fixture.ask(fixture.owner);
    const { organizations, users, datasources } = fixture.grafana.state;
    for (const map of [organizations, users, datasources]) map.clear();
    users.set(1, { login: 'admin', name: '' });
    const second = await fixture.ask(fixture.owner);
    expect(second.status).toBe(200);
    expect(second.url).not.toBe(first.url);
    expect(read()).toMatchObject([{ members: [{ role: 'Editor' }] }]);
    expect(datasources.size).toBe(1);
  });

  it('answers 503 while Grafana is down, and the job makes up for it', async () => {
    fixture.grafana.isDown = true;
    const { status, code } = await fixture.ask(fixture.owner);
    expect([status, code]).toEqual([503, 'grafana_unavailable']);
    await fixture.sync();
    expect(read()).toEqual([]);
    fixture.grafana.isDown = false;
    await fixture.sync();
    expect(read()).toHaveLength(1);
    expect((await fixture.ask(fixture.owner)).status).toBe(200);
  });

  it('keeps organizations apart: each has its own, and its own token', async () => {
    const other = await fixture.server.createOrganization(fixture.owner, 'Other');
    await Promise.all([fixture.ask(fixture.owner), fixture.ask(fixture.owner, other)]);
    expect(read().map(({ members }) => members.length)).toEqual([1, 1]);
    const tokens = [...fixture.grafana.state.datasources.values()].map((datasource) =>
      JSON.stringify(datasource.secureJsonData),
    );
    expect(new Set(tokens).size).toBe(2);
    // Two users in Grafana for one person: neither is in both.
    expect(fixture.grafana.state.users.size).toBe(3);
  });
});

describe('the job', () => {
  it('follows roles, names and removals', async () => {
    const [viewer, admin] = [await fixture.addUser('viewer'), await fixture.addUser('admin')];
    for (const user of [viewer, admin]) await fixture.ask(user);
    const { db } = fixture.server;
    await db.deleteFrom('memberships').where('user_id', '=', viewer.id).execute();
    await db.updateTable('memberships').set({ role: 'member' }).where('user_id', '=', admin.id).execute();
    await db.updateTable('organizations').set({ name: 'Renamed' }).execute();
    await fixture.sync();
    expect(read()).toEqual([
      {
        id: expect.any(Number),
        name: `Renamed (${fixture.organization})`,
        members: [{ name: admin.email, role: 'Viewer' }],
      },
    ]);
    expect([...fixture.grafana.state.users.values()].map(({ name }) => name)).not.toContain(viewer.email);
  });

  it('deletes an organization that was deleted, with its users, also after a time without Grafana', async () => {
    await fixture.ask(fixture.owner);
    await fixture.server.db.deleteFrom('organizations').where('id', '=', fixture.organization).execute();
    fixture.grafana.isDown = true;
    await fixture.sync();
    expect(read()).toHaveLength(1);
    fixture.grafana.isDown = false;
    await fixture.sync();
    expect(read()).toEqual([]);
    expect(fixture.grafana.state.users.size).toBe(1);
  });

  it('calls nothing but a look when all is as it should be', async () => {
    await fixture.ask(fixture.owner);
    fixture.grafana.calls.length = 0;
    await fixture.sync();
    expect(fixture.grafana.calls).toEqual([expect.stringMatching(/^GET \/api\/orgs\/\d+$/)]);
  });
});
