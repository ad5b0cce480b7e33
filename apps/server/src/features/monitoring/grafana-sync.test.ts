import { createTestServer } from '@pult/testkit/in-process';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createGrafanaScene, type GrafanaScene } from './grafana-scene.fixture.ts';

let scene: GrafanaScene;

beforeEach(async () => {
  scene = await createGrafanaScene();
});
afterEach(() => scene.close());

/** Organizations beside Grafana's own first one, and who is in them beside the administrator. */
function read() {
  const { organizations, users } = scene.grafana.state;
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

test('without a Grafana the address is the monitoring page of the console', async () => {
  await using plain = await createTestServer();
  const user = await plain.createUser();
  const organizationId = await plain.createOrganization(user);
  const answer = await plain.call('getGrafanaAccess', { as: user, params: { organizationId } });
  expect(answer.body).toEqual({
    grafanaUrl: `${plain.publicUrl}/organizations/${organizationId}/monitoring`,
  });
});

describe('grafana-access', () => {
  it('makes the organization, its data source and dashboard, and the member who asks', async () => {
    const { status, url } = await scene.ask(scene.owner);
    expect(status).toBe(200);
    const [made] = read();
    expect(made?.name).toBe(`Дом (${scene.organization})`);
    expect(made?.members).toEqual([{ name: scene.owner.email, role: 'Editor' }]);
    expect(url).toBe(`${scene.origin}/d/pult-controllers/controllers?orgId=${made?.id}`);
    const { datasources, dashboards } = scene.grafana.state;
    expect(datasources.get(`${made?.id} pult-metrics`)).toMatchObject({
      type: 'prometheus',
      access: 'proxy',
      url: `${scene.server.publicUrl}/api-grafana`,
      basicAuthUser: scene.organization,
    });
    expect(dashboards.get(`${made?.id} pult-controllers`)).toMatchObject({
      templating: { list: [{ name: 'controller' }] },
    });
  });

  it('takes a second call as it is, and makes nothing twice when twenty come at once', async () => {
    const viewer = await scene.addUser('viewer');
    const asked = Array.from({ length: 20 }, (_, index) => scene.ask(index % 2 ? viewer : scene.owner));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status, url }) => `${status} ${url}`)).size).toBe(1);
    expect(read()).toHaveLength(1);
    expect(
      read()[0]
        ?.members.map(({ role }) => role)
        .sort(),
    ).toEqual(['Editor', 'Viewer']);
    expect(scene.grafana.calls.filter((call) => call === 'POST /api/orgs')).toHaveLength(1);
  });

  it('finds what was made before a crash could be written down', async () => {
    await scene.ask(scene.owner);
    const before = read();
    await scene.server.db.updateTable('grafana_members').set({ grafana_id: null, role: null }).execute();
    // As it was called before it was called after the organization.
    const [made] = before;
    scene.grafana.state.organizations.set(made?.id ?? 0, {
      name: `Pult ${scene.organization}`,
      members: scene.grafana.state.organizations.get(made?.id ?? 0)?.members ?? new Map(),
    });
    await scene.server.db
      .updateTable('grafana_organizations')
      .set({ grafana_id: null, name: null, revision: null })
      .execute();
    expect((await scene.ask(scene.owner)).status).toBe(200);
    expect(read()).toEqual(before);
  });

  it('makes all of it anew in a Grafana that has lost it', async () => {
    const first = await scene.ask(scene.owner);
    const { organizations, users, datasources } = scene.grafana.state;
    for (const map of [organizations, users, datasources]) map.clear();
    users.set(1, { login: 'admin', name: '' });
    const second = await scene.ask(scene.owner);
    expect(second.status).toBe(200);
    expect(second.url).not.toBe(first.url);
    expect(read()).toMatchObject([{ members: [{ role: 'Editor' }] }]);
    expect(datasources.size).toBe(1);
  });

  it('answers 503 while Grafana is down, and the job makes up for it', async () => {
    scene.grafana.isDown = true;
    const { status, code } = await scene.ask(scene.owner);
    expect([status, code]).toEqual([503, 'grafana_unavailable']);
    await scene.sync();
    expect(read()).toEqual([]);
    scene.grafana.isDown = false;
    await scene.sync();
    expect(read()).toHaveLength(1);
    expect((await scene.ask(scene.owner)).status).toBe(200);
  });

  it('keeps organizations apart: each has its own, and its own token', async () => {
    const other = await scene.server.createOrganization(scene.owner, 'Other');
    await Promise.all([scene.ask(scene.owner), scene.ask(scene.owner, other)]);
    expect(read().map(({ members }) => members.length)).toEqual([1, 1]);
    const tokens = [...scene.grafana.state.datasources.values()].map((datasource) =>
      JSON.stringify(datasource.secureJsonData),
    );
    expect(new Set(tokens).size).toBe(2);
    // Two users in Grafana for one person: neither is in both.
    expect(scene.grafana.state.users.size).toBe(3);
  });
});

describe('the job', () => {
  it('follows roles, names and removals', async () => {
    const [viewer, admin] = [await scene.addUser('viewer'), await scene.addUser('admin')];
    for (const user of [viewer, admin]) await scene.ask(user);
    const { db } = scene.server;
    await db.deleteFrom('memberships').where('user_id', '=', viewer.id).execute();
    await db.updateTable('memberships').set({ role: 'member' }).where('user_id', '=', admin.id).execute();
    await db.updateTable('organizations').set({ name: 'Renamed' }).execute();
    await scene.sync();
    expect(read()).toEqual([
      {
        id: expect.any(Number),
        name: `Renamed (${scene.organization})`,
        members: [{ name: admin.email, role: 'Viewer' }],
      },
    ]);
    expect([...scene.grafana.state.users.values()].map(({ name }) => name)).not.toContain(viewer.email);
  });

  it('deletes an organization that was deleted, with its users, also after a time without Grafana', async () => {
    await scene.ask(scene.owner);
    await scene.server.db.deleteFrom('organizations').where('id', '=', scene.organization).execute();
    scene.grafana.isDown = true;
    await scene.sync();
    expect(read()).toHaveLength(1);
    scene.grafana.isDown = false;
    await scene.sync();
    expect(read()).toEqual([]);
    expect(scene.grafana.state.users.size).toBe(1);
  });

  it('calls nothing but a look when all is as it should be', async () => {
    await scene.ask(scene.owner);
    scene.grafana.calls.length = 0;
    await scene.sync();
    expect(scene.grafana.calls).toEqual([expect.stringMatching(/^GET \/api\/orgs\/\d+$/)]);
  });
});
