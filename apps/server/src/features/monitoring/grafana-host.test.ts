import { once } from 'node:events';
import { connect } from 'node:net';
import { HttpClient, startStopwatch } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGrafanaFixture, type GrafanaFixture } from './grafana.fixture.ts';

let fixture: GrafanaFixture;
let url: string;
let browser: HttpClient;

beforeAll(async () => {
  fixture = await createGrafanaFixture();
  ({ url } = await fixture.ask(fixture.owner));
});
afterAll(() => fixture.close());
beforeEach(async () => {
  browser = fixture.createBrowser(fixture.owner);
  await fixture.visit(browser, url);
  fixture.grafana.requests.length = 0;
});

const get = (path: string, headers: Record<string, string> = {}, client = browser) =>
  client.request(fixture.origin + path, { headers });
const loginOf = (userId: string) => `pult-${userId}-${fixture.organization}`;

describe('the way in', () => {
  it('leads a browser of the console to the very page, with no token in any address', async () => {
    const visitor = fixture.createBrowser(fixture.owner);
    const { status, body, path } = await fixture.visit(visitor, `${url}&var-controller=ABC`);
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ login: loginOf(fixture.owner.id), role: 'Editor' });
    expect(path).toMatch(/^\/d\/pult-controllers\/controllers\?orgId=\d+&var-controller=ABC$/);
    const seen = fixture.grafana.requests.map((request) => request.path).join(' ');
    expect(seen).not.toMatch(/ticket|token/);
  });

  it('asks who is not logged in to log in, and tells a stranger nothing', async () => {
    const anybody = await fixture.visit(new HttpClient(), url);
    expect(anybody.path).toContain('/connect/grafana/');
    expect(anybody.status).toBe(302);
    const stranger = fixture.createBrowser(await fixture.server.createUser());
    expect((await fixture.visit(stranger, url)).status).toBe(401);
    expect(fixture.grafana.requests).toEqual([]);
  });

  it('takes a ticket once, from the console alone, and for a minute', async () => {
    const asked = await fixture
      .createBrowser(fixture.owner)
      .request(
        `${fixture.server.publicUrl}/connect/grafana/?${new URLSearchParams({ path: url.slice(fixture.origin.length) })}`,
      );
    expect(asked.headers['content-security-policy']).toContain(`form-action ${fixture.origin}`);
    const ticket = /value="([^"]+)"/.exec(await asked.text())?.[1] ?? '';
    const redeem = async (origin: string) => {
      const answer = await new HttpClient().request(`${fixture.origin}/.pult/open`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: `ticket=${ticket}`,
      });
      await answer.text();
      return answer.status;
    };
    expect(await redeem('http://evil.example')).toBe(403);
    const { publicUrl } = fixture.server;
    expect((await Promise.all([redeem(publicUrl), redeem(publicUrl), redeem(publicUrl)])).sort()).toEqual([
      303, 400, 400,
    ]);
  });

  it('wants another cookie for another organization of the same person', async () => {
    const other = await fixture.server.createOrganization(fixture.owner, 'Other');
    const elsewhere = await fixture.ask(fixture.owner, other);
    const api = await get(`/api/x?${new URL(elsewhere.url).searchParams}`);
    expect(api.status).toBe(403);
    await api.text();
    await expect(
      browser.openWebSocket(`${fixture.origin}/api/live/ws?${new URL(elsewhere.url).searchParams}`, {
        headers: { origin: fixture.origin },
      }),
    ).rejects.toThrow('403');
    const { status, body } = await fixture.visit(browser, elsewhere.url);
    expect([status, JSON.parse(body).login]).toEqual([200, `pult-${fixture.owner.id}-${other}`]);
  });
});

describe('what Grafana sees', () => {
  it('what Grafana sees is the identity that we say, whatever the client says', async () => {
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
    expect(await answer.json()).toMatchObject({ login: loginOf(fixture.owner.id), role: 'Editor' });
    const { headers } = fixture.grafana.requests.at(-1) ?? {};
    expect(headers).toMatchObject({ 'x-webauth-user': loginOf(fixture.owner.id), 'x-kept': 'yes' });
    expect(Object.keys(headers ?? {}).filter((name) => /role|jwt|^x_|^authorization/.test(name))).toEqual([]);
    expect(headers?.['x-forwarded-for']).toBe('127.0.0.1');
  });

  it('what Grafana sees is no cookie of ours, and it sets none of a session of its own, nor for other hosts', async () => {
    browser.cookies.store('grafana.localhost', ['grafana_session=forged; Path=/', 'mine=1; Path=/']);
    const answer = await get('/');
    await answer.text();
    expect(fixture.grafana.requests.at(-1)?.headers.cookie).toBe('theme=dark; mine=1');
    expect(answer.headers['set-cookie']).toEqual(['theme=dark; Path=/']);
  });

  it.each(['/login', '//login', '/%6cogin', '/public/../login', '/api/admin/users', '/api/orgs', '/metrics'])(
    'what Grafana sees is never %s',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(403);
      await answer.text();
      expect(fixture.grafana.requests).toEqual([]);
    },
  );

  it('what Grafana sees is nothing that a page of a controller sends', async () => {
    const origin = `http://abc.http.localhost:${fixture.server.port}`;
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
      browser.openWebSocket(`${fixture.origin}/api/live/ws`, { headers: { origin } }),
    ).rejects.toThrow('403');
    expect(fixture.grafana.requests).toEqual([]);
  });
});

it('carries the WebSocket of Grafana Live', async () => {
  const socket = await browser.openWebSocket(`${fixture.origin}/api/live/ws`, {
    headers: { origin: fixture.origin },
  });
  socket.send('ping');
  const [data] = await once(socket, 'message');
  expect(String(data)).toBe('ping');
  expect(fixture.grafana.requests.at(-1)?.headers['x-webauth-user']).toBe(loginOf(fixture.owner.id));
  socket.close();
});

it('says in words that Grafana does not answer', async () => {
  fixture.grafana.isDown = true;
  const answer = await get('/d/x', { accept: 'text/html', 'accept-language': 'ru' });
  fixture.grafana.isDown = false;
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
  const socket = connect(fixture.server.port, '127.0.0.1');
  socket.write(
    `POST /api/user HTTP/1.1\r\nhost: ${new URL(fixture.origin).host}\r\norigin: ${fixture.origin}\r\n` +
      `cookie: ${browser.cookies.getHeader('grafana.localhost')}\r\n${'a:b\r\n'.repeat(1000)}` +
      `transfer-encoding: chunked\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
  );
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toContain(' 200 ');
  await (await get('/api/user')).text();
  socket.destroy();
  expect(fixture.grafana.requests.map(({ path }) => path)).toEqual(['/api/user', '/api/user']);
});

describe('access ends within two seconds', () => {
  const endings: [string, (user: TestUser) => Promise<unknown>][] = [
    [
      'with the membership',
      ({ id: userId }) =>
        fixture.server.call('removeMember', {
          as: fixture.owner,
          params: { organizationId: fixture.organization, userId },
        }),
    ],
    [
      'with the role, which Grafana has to be told first',
      ({ id: userId }) =>
        fixture.server.call('updateMember', {
          as: fixture.owner,
          params: { organizationId: fixture.organization, userId },
          body: { role: 'viewer' },
        }),
    ],
    ['with the login', (user) => fixture.server.call('logout', { as: user })],
  ];

  it.each(endings)('%s', async (_, end) => {
    const user = await fixture.addUser('admin');
    const mine = fixture.createBrowser(user);
    await fixture.ask(user);
    expect((await fixture.visit(mine, url)).status).toBe(200);
    const stream = await get('/stream', {}, mine);
    const socket = await mine.openWebSocket(`${fixture.origin}/api/live/ws`, {
      headers: { origin: fixture.origin },
    });
    const closed = once(socket, 'close');
    const cut = stream.text().then(
      () => 'whole',
      () => 'cut',
    );
    const elapsed = startStopwatch();
    await end(user);
    await closed;
    expect(await cut).toBe('cut');
    expect(elapsed()).toBeLessThan(2_000);
    const after = await get('/api/user', {}, mine);
    expect(after.status).toBe(401);
    await after.text();
  });
});
