import { createApiClient, HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { addUser, claim, logIn, openTunnel, openWebInterface, type Site } from './site.ts';
import { TerminalClient } from './terminal-client.ts';

let site: Site;
const host = () => new URL(site.tunnelUrl).hostname;

beforeAll(async () => {
  site = await startLightSite();
  await claim(site);
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());

// spec: 7.25
test('a ticket works once', async () => {
  const { tunnelRedirectUrl } = await openTunnel(site, 'http');
  const first = await new HttpClient().request(tunnelRedirectUrl);
  expect(first.headers['set-cookie']).toHaveLength(1);
  first.body.resume();
  const replayed = await new HttpClient().request(tunnelRedirectUrl);
  expect(replayed.headers).not.toHaveProperty('set-cookie');
  expect(replayed.status).toBe(400);
  expect(await replayed.text()).toContain('Ссылка на туннель действует один раз');
});

test('one of twenty simultaneous uses of a ticket succeeds', async () => {
  const { tunnelRedirectUrl } = await openTunnel(site, 'http');
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await new HttpClient().request(tunnelRedirectUrl);
      answer.body.resume();
      return answer.headers['set-cookie'] !== undefined;
    }),
  );
  expect(answers.filter(Boolean)).toHaveLength(1);
});

test('a ticket is for its own controller’s host alone', async () => {
  const { tunnelRedirectUrl } = await openTunnel(site, 'http');
  const elsewhere = new URL(tunnelRedirectUrl);
  elsewhere.hostname = 'x1.http.localhost';
  const answer = await new HttpClient().request(elsewhere.href);
  expect(answer.headers).not.toHaveProperty('set-cookie');
  expect(answer.status).toBeGreaterThanOrEqual(400);
  answer.body.resume();
});

test('an ssh ticket opens no web interface', async () => {
  const [web, ssh] = [await openTunnel(site, 'http'), await openTunnel(site, 'ssh')];
  const swapped = web.tunnelRedirectUrl.replace(web.tunnelKey, ssh.tunnelKey);
  expect(swapped).not.toBe(web.tunnelRedirectUrl);
  const answer = await new HttpClient().request(swapped);
  expect(answer.headers).not.toHaveProperty('set-cookie');
  answer.body.resume();
});

test('the device sees nothing of a request without a cookie', async () => {
  const before = site.web.requests.length;
  const answer = await new HttpClient().request(`${site.tunnelUrl}/landed`);
  expect(answer.status).not.toBe(200);
  expect(await answer.text()).not.toContain('landed');
  const socket = new HttpClient().openWebSocket(`${site.tunnelUrl.replace('http:', 'ws:')}/ws`, {
    headers: { origin: site.tunnelUrl },
  });
  await expect(socket).rejects.toMatchObject({ name: 'WebSocketRefused' });
  expect(site.web.requests.length).toBe(before);
});

test('the device never sees a cookie or header of ours, the console never one of the device’s', async () => {
  const browser = await openWebInterface(site);
  await (await browser.request(`${site.tunnelUrl}/cookies`)).text();
  const ours = browser.cookies.getNames(host()).filter((name) => !name.startsWith('device_'));
  expect(ours).toHaveLength(1);
  const before = site.web.requests.length;
  await (
    await browser.request(`${site.tunnelUrl}/headers`, {
      headers: { authorization: 'Basic ZGV2aWNlOm93bg==', referer: `${site.tunnelUrl}/` },
    })
  ).text();
  const headers = site.web.requests[before]?.rawHeaders ?? [];
  const joined = headers.join('\n');
  expect(joined).not.toContain('pult');
  expect(joined).not.toContain(ours[0]);
  // The device's own cookies and login pass.
  expect(joined).toContain('device_session=secret-of-the-device');
  expect(headers).toContain('Basic ZGV2aWNlOm93bg==');
});

test('a WebSocket carries no cookie of ours to the device either', async () => {
  const browser = await openWebInterface(site);
  const before = site.web.requests.length;
  const socket = await browser.openWebSocket(`${site.tunnelUrl}/ws`, { headers: { origin: site.tunnelUrl } });
  socket.close();
  expect(site.web.requests[before]?.rawHeaders.join('\n')).not.toMatch(/pult|cookie/i);
});

test('the console’s cookie opens no tunnel host and the tunnel’s cookie no API', async () => {
  const browser = await logIn(site);
  const session = browser.cookies.getHeader('localhost') ?? '';
  expect(session).toContain('=');
  const tunnel = await new HttpClient().request(`${site.tunnelUrl}/landed`, { headers: { cookie: session } });
  expect(await tunnel.text()).not.toContain('landed');

  const insider = await openWebInterface(site);
  const cookie = insider.cookies.getHeader(host()) ?? '';
  const [name, value] = cookie.split('=');
  const [sessionName] = session.split('=');
  for (const forged of [cookie, `${sessionName}=${value}`, `${name}=${value}; ${sessionName}=${value}`]) {
    const api = await new HttpClient().request(`${site.server.url}/api/v1/users/me/`, {
      headers: { cookie: forged },
    });
    expect(api.status).toBe(401);
    api.body.resume();
  }
});

test('the API does not answer on a tunnel host', async () => {
  const browser = await openWebInterface(site);
  const answer = await browser.request(`${site.tunnelUrl}/api/v1/environments/`);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toBe('no such page'); // the device's own
});

test.each([
  ['another site', 'http://evil.example'],
  ['the console', undefined],
  ['a null origin', 'null'],
])('a WebSocket of the device opened from %s is refused', async (_name, origin) => {
  const browser = await openWebInterface(site);
  const before = site.web.requests.length;
  const socket = browser.openWebSocket(`${site.tunnelUrl}/ws`, {
    headers: { origin: origin ?? site.server.url },
  });
  await expect(socket).rejects.toMatchObject({ name: 'WebSocketRefused' });
  expect(site.web.requests.length).toBe(before);
});

test('a state-changing call with the cookie from a tunnel host is refused', async () => {
  const browser = await logIn(site);
  const answer = await browser.request(`${site.server.url}/api/v1/organizations/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: site.tunnelUrl },
    body: JSON.stringify({ name: 'forged' }),
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'origin_forbidden' });
});

test('someone of another organization gets no tunnel, and no controller either', async () => {
  const stranger = await addUser(site, 'stranger@pult.example');
  await stranger.call('createOrganization', { body: { name: 'Чужая организация' } });
  const { serialNumber } = site;
  for (const protocol of ['http', 'ssh']) {
    await expect(stranger.call('openTunnel', { params: { serialNumber, protocol } })).rejects.toMatchObject({
      status: 404,
      code: 'controller_not_found',
    });
  }
  await expect(stranger.call('getController', { params: { serialNumber } })).rejects.toMatchObject({
    status: 404,
  });
  expect(await stranger.call('listControllers')).toMatchObject({ count: 0, results: [] });
});

test('the ssh key of one user opens nothing for another', async () => {
  const { tunnelKey } = await openTunnel(site, 'ssh');
  const thief = { ...site, api: await addUser(site, 'thief@pult.example') };
  const terminal = await TerminalClient.open(thief);
  terminal.send({
    type: 'start',
    tunnelKey,
    username: site.ssh.user,
    credential: { method: 'private_key', privateKey: site.ssh.clientKey.privateKey },
    columns: 80,
    rows: 24,
  });
  expect(await terminal.nextMessage()).toMatchObject({ type: 'failed', code: 'tunnel_ticket_invalid' });
});

// spec: 7.05
test('logging out ends the tunnels of that session', async () => {
  const { adminEmail, adminPassword, url } = site.server;
  const api = await createApiClient({ baseUrl: url, username: adminEmail, password: adminPassword });
  const session = { ...site, api };
  const browser = await openWebInterface(session);
  const stream = await browser.request(`${site.tunnelUrl}/events`);
  const socket = await browser.openWebSocket(`${site.tunnelUrl}/ws`, { headers: { origin: site.tunnelUrl } });
  const socketClosed = new Promise((resolve) => socket.once('close', resolve));
  const streamEnded = stream.text().catch(() => {});
  await api.call('logout');
  await Promise.all([socketClosed, streamEnded]);
  const answer = await browser.request(`${site.tunnelUrl}/landed`);
  expect(await answer.text()).not.toContain('landed');
  // Other sessions of the same user go on.
  await openWebInterface(site);
});

// spec: 5.03, 7.25
test.each(['ftp', 'HTTP', '22', 'http%2f..', '%00'])('the protocol %s is unsupported', async (protocol) => {
  const answer = await new HttpClient().request(
    `${site.server.url}/api/v1/controllers/${site.serialNumber}/tcp-tunnels/${protocol}/`,
    { method: 'POST', headers: { authorization: `Bearer ${site.api.access}` } },
  );
  expect(answer.status).toBe(400);
  answer.body.resume();
});

test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)', ''])(
  'a tunnel path that leaves the controller is refused: %s',
  async (path) => {
    await expect(openTunnel(site, 'http', path)).rejects.toMatchObject({ status: 400 });
  },
);
