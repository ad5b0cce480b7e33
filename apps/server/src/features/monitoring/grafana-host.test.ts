import { once } from 'node:events';
import { connect } from 'node:net';
import { HttpClient } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGrafanaScene, type GrafanaScene } from './grafana-scene.fixture.ts';

let scene: GrafanaScene;
let url: string;
let browser: HttpClient;

beforeAll(async () => {
  scene = await createGrafanaScene();
  ({ url } = await scene.ask(scene.owner));
});
afterAll(() => scene.close());
beforeEach(async () => {
  browser = scene.createBrowser(scene.owner);
  await scene.visit(browser, url);
  scene.grafana.requests.length = 0;
});

const get = (path: string, headers: Record<string, string> = {}, client = browser) =>
  client.request(scene.origin + path, { headers });
const loginOf = (userId: string) => `pult-${userId}-${scene.organization}`;

describe('the way in', () => {
  it('leads a browser of the console to the very page, with no token in any address', async () => {
    const visitor = scene.createBrowser(scene.owner);
    const { status, body, path } = await scene.visit(visitor, `${url}&var-controller=ABC`);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ login: loginOf(scene.owner.id), role: 'Editor' });
    expect(path).toMatch(/^\/d\/pult-controllers\/controllers\?orgId=\d+&var-controller=ABC$/);
    const seen = scene.grafana.requests.map((request) => request.path).join(' ');
    expect(seen).not.toMatch(/ticket|token/);
  });

  it('asks who is not logged in to log in, and tells a stranger nothing', async () => {
    const anybody = await scene.visit(new HttpClient(), url);
    expect(anybody.path).toContain('/connect/grafana/');
    expect(anybody.status).toBe(302);
    const stranger = scene.createBrowser(await scene.server.createUser());
    expect((await scene.visit(stranger, url)).status).toBe(401);
    expect(scene.grafana.requests).toEqual([]);
  });

  it('takes a ticket once, from the console alone, and for a minute', async () => {
    const asked = await scene
      .createBrowser(scene.owner)
      .request(
        `${scene.server.publicUrl}/connect/grafana/?${new URLSearchParams({ path: url.slice(scene.origin.length) })}`,
      );
    expect(asked.headers['content-security-policy']).toContain(`form-action ${scene.origin}`);
    const ticket = /value="([^"]+)"/.exec(await asked.text())?.[1] ?? '';
    const redeem = async (origin: string) => {
      const answer = await new HttpClient().request(`${scene.origin}/.pult/open`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: `ticket=${ticket}`,
      });
      await answer.text();
      return answer.status;
    };
    expect(await redeem('http://evil.example')).toBe(403);
    const { publicUrl } = scene.server;
    expect((await Promise.all([redeem(publicUrl), redeem(publicUrl), redeem(publicUrl)])).sort()).toEqual([
      303, 400, 400,
    ]);
  });

  it('wants another cookie for another organization of the same person', async () => {
    const other = await scene.server.createOrganization(scene.owner, 'Other');
    const elsewhere = await scene.ask(scene.owner, other);
    const api = await get(`/api/x?${new URL(elsewhere.url).searchParams}`);
    expect(api.status).toBe(403);
    await api.text();
    const { status, body } = await scene.visit(browser, elsewhere.url);
    expect([status, JSON.parse(body).login]).toEqual([200, `pult-${scene.owner.id}-${other}`]);
  });
});

describe('what Grafana sees', () => {
  it('is the identity that we say, whatever the client says', async () => {
    const answer = await get('/api/user', {
      'x-webauth-user': 'admin',
      'X-WEBAUTH-ROLE': 'Admin',
      x_webauth_user: 'admin',
      authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
      'x-grafana-org-id': '1',
      'x-jwt-assertion': 'x',
      connection: 'x-webauth-user, x-grafana-org-id',
      'x-kept': 'yes',
    });
    expect(await answer.json()).toMatchObject({ login: loginOf(scene.owner.id), role: 'Editor' });
    const { headers } = scene.grafana.requests.at(-1) ?? {};
    expect(headers).toMatchObject({ 'x-webauth-user': loginOf(scene.owner.id), 'x-kept': 'yes' });
    expect(Object.keys(headers ?? {}).filter((name) => /role|jwt|^x_|^authorization/.test(name))).toEqual([]);
    expect(headers?.['x-forwarded-for']).toBe('127.0.0.1');
  });

  it('is no cookie of ours, and it sets none of a session of its own, nor for other hosts', async () => {
    browser.cookies.store('grafana.localhost', ['grafana_session=forged; Path=/', 'mine=1; Path=/']);
    const answer = await get('/');
    await answer.text();
    expect(scene.grafana.requests.at(-1)?.headers.cookie).toBe('theme=dark; mine=1');
    expect(answer.headers['set-cookie']).toEqual(['theme=dark; Path=/']);
  });

  it.each(['/login', '//login', '/%6cogin', '/public/../login', '/api/admin/users', '/api/orgs', '/metrics'])(
    'is never %s',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(403);
      await answer.text();
      expect(scene.grafana.requests).toEqual([]);
    },
  );

  it('is nothing that a page of a controller sends', async () => {
    const origin = `http://abc.http.localhost:${scene.server.port}`;
    const senders: Record<string, string>[] = [
      { origin },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    ];
    for (const headers of senders) {
      const answer = await get('/api/user', headers);
      expect(answer.status).toBe(403);
      await answer.text();
    }
    await expect(
      browser.openWebSocket(`${scene.origin}/api/live/ws`, { headers: { origin } }),
    ).rejects.toThrow('403');
    expect(scene.grafana.requests).toEqual([]);
  });
});

it('carries the WebSocket of Grafana Live', async () => {
  const socket = await browser.openWebSocket(`${scene.origin}/api/live/ws`, {
    headers: { origin: scene.origin },
  });
  socket.send('ping');
  const [data] = await once(socket, 'message');
  expect(String(data)).toBe('ping');
  expect(scene.grafana.requests.at(-1)?.headers['x-webauth-user']).toBe(loginOf(scene.owner.id));
  socket.close();
});

it('says in words that Grafana does not answer', async () => {
  scene.grafana.isDown = true;
  const answer = await get('/d/x', { accept: 'text/html', 'accept-language': 'ru' });
  scene.grafana.isDown = false;
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('Grafana не отвечает');
});

it('says in words that Grafana changed the protocol instead of an answer', async () => {
  const answer = await get('/switch');
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('Grafana')]);
});

it('takes no cookie that a page of a controller has put beside its own', async () => {
  // Under plain http a page on a sibling host can set one for all of the domain.
  const cookie = `${browser.cookies.getHeader('grafana.localhost')}; pult_grafana=of-somebody-else`;
  const answer = await get('/api/user', { cookie }, new HttpClient());
  expect(answer.status).toBe(401);
  await answer.text();
});

it('reads all headers of a request, so that none after a thousand smuggles an identity to Grafana', async () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: a\r\nx-webauth-user: admin\r\n\r\n';
  const socket = connect(scene.server.port, '127.0.0.1');
  socket.write(
    `GET /api/user HTTP/1.1\r\nhost: ${new URL(scene.origin).host}\r\n` +
      `cookie: ${browser.cookies.getHeader('grafana.localhost')}\r\n${'a:b\r\n'.repeat(1000)}` +
      `transfer-encoding: chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
  );
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain(' 200 ');
  // What is asked next may go over the same connection to Grafana.
  await (await get('/api/user')).text();
  socket.destroy();
  expect(scene.grafana.requests.map(({ path }) => path)).toEqual(['/api/user', '/api/user']);
});

describe('access ends within two seconds', () => {
  const endings: [string, (user: TestUser) => Promise<unknown>][] = [
    [
      'with the membership',
      ({ id: userId }) =>
        scene.server.call('removeMember', {
          as: scene.owner,
          params: { organizationId: scene.organization, userId },
        }),
    ],
    [
      'with the role, which Grafana has to be told first',
      ({ id: userId }) =>
        scene.server.call('updateMember', {
          as: scene.owner,
          params: { organizationId: scene.organization, userId },
          body: { role: 'viewer' },
        }),
    ],
    ['with the login', (user) => scene.server.call('logout', { as: user })],
  ];

  it.each(endings)('%s', async (_, end) => {
    const user = await scene.addUser('admin');
    const mine = scene.createBrowser(user);
    await scene.ask(user);
    expect((await scene.visit(mine, url)).status).toBe(200);
    const stream = await get('/stream', {}, mine);
    const socket = await mine.openWebSocket(`${scene.origin}/api/live/ws`, {
      headers: { origin: scene.origin },
    });
    const closed = once(socket, 'close');
    const cut = stream.text().then(
      () => 'whole',
      () => 'cut',
    );
    const since = performance.now();
    await end(user);
    await closed;
    expect(await cut).toBe('cut');
    expect(performance.now() - since).toBeLessThan(2_000);
    const after = await get('/api/user', {}, mine);
    expect(after.status).toBe(401);
    await after.text();
  });
});
