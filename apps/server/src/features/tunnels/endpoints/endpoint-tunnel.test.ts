import type { IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { NamedEndpoint } from '@pult/contract';
import { HttpClient, listenOnLoopback, WebSocketMessages } from '@pult/testkit';
import { certificates, oldCertificate } from '@pult/testkit/certificates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnel.fixture.ts';

/** Tunnels to the named endpoints of a controller, over a real link. */

let fixture: TunnelFixture;
let web: WebUpstream;
let panel: WebUpstream;
let device: ClaimedDevice;
const html = { accept: 'text/html' };
/** Of the last request or upgrade that came to the panel. */
let told: IncomingHttpHeaders = {};

beforeAll(async () => {
  web = await startUpstream(({ url = '' }, response) => {
    if (url.startsWith('/to-port')) {
      const location = `http://192.168.0.10:${url.split('/')[2]}/login?next=1`;
      response.writeHead(302, { location }).end();
    } else response.end('the web interface');
  });
  panel = await startUpstream(({ url = '', headers }, response) => {
    told = headers;
    const [, to] = /^\/lead\?to=(.*)$/.exec(url) ?? [];
    if (to !== undefined) {
      response.setHeader('location', decodeURIComponent(to));
      response.setHeader('refresh', `0; url=${decodeURIComponent(to)}`);
      response.setHeader('set-cookie', 'seen=1; Domain=printer.example; Path=/');
      response.statusCode = 302;
    }
    if (url.startsWith('/secure')) {
      if (url === '/secure-once') response.setHeader('set-cookie', 'seen=1');
      response.writeHead(301, { location: `https://${headers.host}${url}` });
    }
    response.end(`${url} ${headers.cookie ?? ''}`);
  });
  const sockets = new WebSocketServer({ server: panel.server });
  sockets.on('connection', (socket, { headers }) => {
    told = headers;
    socket.on('message', (data) => socket.send(String(data)));
  });
  fixture = await createTunnelFixture();
  device = await fixture.addDevice('SVC-1', {
    endpoints: { http: web.port, 'port-1880': panel.port, 'port-8081': 1 },
  });
  for (const port of [1880, 8081, 9000]) await name(port);
});
afterAll(async () => {
  await fixture.close();
  web.close();
  panel.close();
});

const name = (port: number, scheme = 'http', serialNumber = 'SVC-1') =>
  fixture.server.call('createService', {
    as: fixture.owner,
    params: { serialNumber },
    body: { port, name: `No. ${port}`, scheme },
  });
const originOf = (port: number) => `http://svc-1--${port}.http.localhost:${fixture.server.port}`;

async function openEndpoint(port: number, as = fixture.owner): Promise<HttpClient> {
  const browser = new HttpClient();
  const { url } = await fixture.openTunnel(device, String(port), as);
  const answer = await browser.request(url);
  expect(answer.status).toBe(303);
  answer.body.resume();
  return browser;
}

describe('a named endpoint', () => {
  // spec: 7.25
  it('a named endpoint has a host and a cookie of its own', async () => {
    const browser = await openEndpoint(1880);
    const answer = await browser.request(`${originOf(1880)}/flows?a=1`);
    expect([answer.status, await answer.text()]).toEqual([200, '/flows?a=1 ']);
    expect(browser.cookies.getNames(`svc-1--1880.http.localhost`)).toEqual(['pult_tunnel']);
    expect(browser.cookies.getHeader(device.hostname)).toBeUndefined();

    const socket = await browser.openWebSocket(`${originOf(1880).replace('http', 'ws')}/comms`, {
      headers: { origin: originOf(1880) },
    });
    const messages = new WebSocketMessages(socket);
    socket.send('hello');
    expect(String((await messages.next()).data)).toBe('hello');
    socket.close();
  });

  it('a named endpoint is named in the answer', async () => {
    const params = { serialNumber: 'SVC-1', protocol: '1880' };
    const { body } = await fixture.server.call('openTunnel', { as: fixture.owner, params });
    expect(body).toMatchObject({
      tunnel: { protocol: '1880' },
      tunnelRedirectUrl: expect.stringMatching(new RegExp(`^${originOf(1880)}/\\.pult/open\\?`)),
    });
  });

  it('a named endpoint is opened neither by the tunnel of the web interface nor by that of another endpoint', async () => {
    const own = await fixture.openBrowser(device);
    const other = await openEndpoint(9000);
    for (const [client, host] of [
      [own, device.hostname],
      [other, 'svc-1--9000.http.localhost'],
    ] as const) {
      const cookie = client.cookies.getHeader(host) ?? '';
      expect(cookie).not.toBe('');
      const answer = await new HttpClient().request(`${originOf(1880)}/`, { headers: { cookie } });
      expect(answer.status).toBe(401);
    }
    const { key } = await fixture.openTunnel(device, 'http');
    const stolen = await new HttpClient().request(`${originOf(1880)}/.pult/open?ticket=${key}`);
    expect(stolen.status).toBe(400);
  });

  it('a named endpoint that nobody has named opens no tunnel, whatever the agent allows', async () => {
    for (const protocol of ['8082', '22', '080', '70000', '1880x']) {
      const params = { serialNumber: 'SVC-1', protocol };
      expect(await fixture.server.call('openTunnel', { as: fixture.owner, params })).toMatchObject({
        status: 400,
        body: { code: 'protocol_unsupported' },
      });
    }
  });

  it('leads through the console and comes back to its path, without a tunnel', async () => {
    const answer = await new HttpClient().request(`${originOf(1880)}/flows?a=1`, { headers: html });
    expect(answer).toMatchObject({
      status: 302,
      headers: {
        location: `${fixture.server.publicUrl}/connect/http/SVC-1/?port=1880&path=%2Fflows%3Fa%3D1`,
      },
    });
  });

  it.each(['svc-1--', 'svc-1--0', 'svc-1--70000', 'svc-1--1880--1', 'svc-1--x', '--1880'])(
    'a named endpoint is not what %s names',
    async (label) => {
      const address = `http://${label}.http.localhost:${fixture.server.port}/`;
      expect((await new HttpClient().request(address)).status).toBe(404);
    },
  );

  it('says in both languages that its port is closed, and tries again', async () => {
    const browser = await openEndpoint(8081);
    const answer = await browser.request(`${originOf(8081)}/`, { headers: html });
    expect([answer.status, answer.headers.refresh]).toEqual([502, '5']);
    expect(await answer.text()).toContain('Порт 8081 закрыт');
    const english = { ...html, 'accept-language': 'en' };
    const again = await browser.request(`${originOf(8081)}/`, { headers: english });
    expect(await again.text()).toContain('Port 8081 is closed');
  });

  it('says that the agent does not allow its port, and what to set', async () => {
    const browser = await openEndpoint(9000);
    const english = { ...html, 'accept-language': 'en' };
    const answer = await browser.request(`${originOf(9000)}/`, { headers: english });
    expect([answer.status, answer.headers.refresh]).toEqual([403, undefined]);
    const text = await answer.text();
    expect(text).toContain('The agent does not allow port 9000');
    expect(text).toContain('setting allow');
    const russian = await browser.request(`${originOf(9000)}/`, { headers: html });
    expect(await russian.text()).toContain('Агент не разрешает порт 9000');
  });

  it('a named endpoint is where a redirect of the web interface to its port leads', async () => {
    const browser = await fixture.openBrowser(device);
    const named = await browser.request(`${device.origin}/to-port/1880`);
    expect(named.headers.location).toBe(
      `${fixture.server.publicUrl}/connect/http/SVC-1/?port=1880&path=%2Flogin%3Fnext%3D1`,
    );
    const unnamed = await browser.request(`${device.origin}/to-port/4000`);
    expect(unnamed.headers.location).toBe(`${device.origin}/login?next=1`);
  });

  it('a named endpoint that leads from http to itself by https, for ever, is told apart, with what to set', async () => {
    const browser = await openEndpoint(1880);
    const english = { ...html, 'accept-language': 'en' };
    const looping = await browser.request(`${originOf(1880)}/secure`, { headers: english });
    expect([looping.status, looping.headers.location]).toEqual([502, undefined]);
    const text = await looping.text();
    expect(text).toContain('The service speaks HTTPS only');
    expect(text).toContain('port 1880');
    // With a cookie the next answer may be another one.
    const once = await browser.request(`${originOf(1880)}/secure-once`, { headers: english });
    expect([once.status, once.headers.location]).toEqual([301, `${originOf(1880)}/secure-once`]);
    const posted = await browser.request(`${originOf(1880)}/secure`, {
      method: 'POST',
      headers: { origin: originOf(1880) },
      body: 'x',
    });
    expect(posted.status).toBe(301);
  });

  it('a named endpoint is spoken to by TLS where it is set so, whoever signed its certificate', async () => {
    const tls = createTlsServer(certificates.one, (_, response) => response.end('inside TLS'));
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const address = tls.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await fixture.addDevice('SVC-2', { endpoints: { 'port-9443': port, 'port-9444': web.port } });
    for (const [endpointPort, expected] of [
      [9443, 200],
      [9444, 502],
    ] as const) {
      await name(endpointPort, 'https', 'SVC-2');
      const { url } = await fixture.openTunnel({ ...device, serialNumber: 'SVC-2' }, String(endpointPort));
      const answer = await new HttpClient().request(url, { followRedirects: true });
      expect([endpointPort, answer.status]).toEqual([endpointPort, expected]);
      const text = await answer.text();
      if (expected === 200) expect(text).toBe('inside TLS');
      else expect(text).toMatch(/HTTPS на нём не отвечает|does not speak HTTPS/);
    }
    tls.close();
    tls.closeAllConnections();
  });

  it('a named endpoint whose TLS is old opens, and the list of them says so', async () => {
    const options = { ...oldCertificate, ciphers: 'DEFAULT:@SECLEVEL=0', minVersion: 'TLSv1' } as const;
    const old = createTlsServer({ ...options, maxVersion: 'TLSv1' }, (_, response) => response.end('old'));
    const port = await listenOnLoopback(old);
    await fixture.addDevice('SVC-6', { endpoints: { 'port-9443': port } });
    await name(9443, 'https', 'SVC-6');
    const { url } = await fixture.openTunnel({ ...device, serialNumber: 'SVC-6' }, '9443');
    const answer = await new HttpClient().request(url, { followRedirects: true });
    expect([answer.status, await answer.text()]).toEqual([200, 'old']);
    const list = async () => {
      const { body } = await fixture.server.call('listServices', {
        as: fixture.owner,
        params: { serialNumber: 'SVC-6' },
      });
      return (body as NamedEndpoint[]).map(({ oldTls }) => oldTls);
    };
    await expect.poll(list).toEqual(['TLS 1.0, RSA 1024']);
    // By HTTP there is no TLS that could be old.
    const params = { serialNumber: 'SVC-6', port: '9443' };
    await fixture.server.call('updateService', { as: fixture.owner, params, body: { scheme: 'http' } });
    expect(await list()).toEqual([null]);
    old.close();
    old.closeAllConnections();
  });
});

describe('a named endpoint that answers to a name of its own only', () => {
  let browser: HttpClient;
  let origin = '';

  beforeAll(async () => {
    origin = originOf(1881).replace('svc-1', 'svc-4');
    await fixture.addDevice('SVC-4', { endpoints: { 'port-1881': panel.port, 'port-8080': 1 } });
    const params = { serialNumber: 'SVC-4' };
    for (const body of [
      { port: 1881, name: 'CUPS', hostHeader: 'printer.example:631' },
      { port: 8080, name: 'Panel' },
    ])
      await fixture.server.call('createService', { as: fixture.owner, params, body });
    browser = new HttpClient();
    const { url } = await fixture.openTunnel({ ...device, serialNumber: 'SVC-4' }, '1881');
    await (await browser.request(url)).text();
  });

  it('a service by its own name is told it as Host, and in what the browser says of where it is', async () => {
    const headers = { origin, referer: `${origin}/jobs?a=1` };
    expect((await browser.request(`${origin}/jobs`, { method: 'POST', headers })).status).toBe(200);
    expect(told).toMatchObject({
      host: 'printer.example:631',
      origin: 'http://printer.example:631',
      referer: 'http://printer.example:631/jobs?a=1',
      'x-forwarded-host': new URL(origin).host,
    });
    const elsewhere = { referer: `${origin}.example/x` };
    expect((await browser.request(`${origin}/jobs`, { headers: elsewhere })).status).toBe(200);
    expect(told.referer).toBe(`${origin}.example/x`);
  });

  it('a service by its own name is told it by a WebSocket too', async () => {
    const socket = await browser.openWebSocket(`${origin.replace('http', 'ws')}/`, { headers: { origin } });
    expect(told).toMatchObject({ host: 'printer.example:631', origin: 'http://printer.example:631' });
    socket.close();
  });

  it.each([
    ['http://printer.example:631/jobs?a=1', '/jobs?a=1'],
    ['https://printer.example/jobs', '/jobs'],
    ['//printer.example:631/jobs', '/jobs'],
    ['http://localhost/jobs', '/jobs'],
    ['http://printer.example:8080/jobs', 'console'],
    ['/jobs', 'as it is'],
    ['http://other.example/jobs', 'as it is'],
  ])(
    'a service by its own name leads the browser by Location and Refresh %s to %s, and its cookies stay there',
    async (to, place) => {
      const { headers, body } = await browser.request(`${origin}/lead?to=${encodeURIComponent(to)}`);
      body.resume();
      const expected = new Map([
        ['console', `${fixture.server.publicUrl}/connect/http/SVC-4/?port=8080&path=%2Fjobs`],
        ['as it is', to],
      ]).get(place);
      expect(headers.location).toBe(expected ?? origin + place);
      expect(headers.refresh).toBe(`0; url=${headers.location}`);
      expect(headers['set-cookie']).toEqual(['seen=1; Path=/']);
    },
  );

  it('a service by its own name is asked for by it in TLS, and by none where it is an address', async () => {
    const asked: unknown[] = [];
    const tls = createTlsServer(certificates.one, ({ socket, headers }, response) => {
      asked.push([(socket as TLSSocket & { servername?: string | false }).servername, headers.host]);
      response.end();
    });
    const port = await listenOnLoopback(tls);
    await fixture.addDevice('SVC-5', { endpoints: { 'port-1': port, 'port-2': port } });
    const params = { serialNumber: 'SVC-5' };
    for (const [index, hostHeader] of ['Printer.example:631', '[::1]:631'].entries()) {
      const body = { port: index + 1, name: hostHeader, scheme: 'https', hostHeader };
      await fixture.server.call('createService', { as: fixture.owner, params, body });
      const { url } = await fixture.openTunnel({ ...device, serialNumber: 'SVC-5' }, String(index + 1));
      const answer = await new HttpClient().request(url, { followRedirects: true });
      expect(answer.status).toBe(200);
      await answer.text();
    }
    expect(asked).toEqual([
      ['printer.example', 'printer.example:631'],
      [false, '[::1]:631'],
    ]);
    tls.close();
    tls.closeAllConnections();
  });
});

describe('access to a named endpoint', () => {
  it('ends with the endpoint, for a WebSocket too, and does not come back with its name', async () => {
    await fixture.addDevice('SVC-3', { endpoints: { 'port-1880': panel.port } });
    await name(1880, 'http', 'SVC-3');
    const target = { ...device, serialNumber: 'SVC-3' };
    const browser = new HttpClient();
    await (await browser.request((await fixture.openTunnel(target, '1880')).url)).text();
    const origin = originOf(1880).replace('svc-1', 'svc-3');
    expect((await browser.request(`${origin}/`)).status).toBe(200);
    const socket = await browser.openWebSocket(`${origin.replace('http', 'ws')}/`, { headers: { origin } });
    const closed = new Promise((resolve) => socket.once('close', resolve));

    fixture.server.clock.advance(1);
    const params = { serialNumber: 'SVC-3', port: '1880' };
    await fixture.server.call('deleteService', { as: fixture.owner, params });
    await closed;
    expect((await browser.request(`${origin}/`)).status).toBe(401);
    await name(1880, 'http', 'SVC-3');
    expect((await browser.request(`${origin}/`)).status).toBe(401);
  });

  it('takes the role that any tunnel takes, and ends with it', async () => {
    const member = await fixture.addUser('member');
    const browser = await openEndpoint(1880, member);
    expect((await browser.request(`${originOf(1880)}/`)).status).toBe(200);
    const params = { organizationId: fixture.organization, userId: member.id };
    const demoted = await fixture.server.call('updateMember', {
      as: fixture.owner,
      params,
      body: { role: 'viewer' },
    });
    expect(demoted.status).toBeLessThan(300);
    expect((await browser.request(`${originOf(1880)}/`)).status).toBe(401);
    const opened = await fixture.server.call('openTunnel', {
      as: member,
      params: { serialNumber: 'SVC-1', protocol: '1880' },
    });
    expect(opened.status).toBe(403);
  });
});
