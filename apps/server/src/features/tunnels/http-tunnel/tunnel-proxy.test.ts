import { connect } from 'node:net';
import { freePort, HttpClient, WebSocketMessages, whenClosed } from '@pult/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: WebUpstream;
let device: ClaimedDevice;
let browser: HttpClient;
const requests: string[] = [];

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    response.end('the device');
  });
  const sockets = new WebSocketServer({ noServer: true });
  upstream.server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => {});
    requests.push(`UPGRADE ${incoming.url}`);
    if (incoming.url === '/login') {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 9\r\nx-kept: 1\r\n\r\nlog in...');
      return;
    }
    if (incoming.url === '/silent') return;
    sockets.handleUpgrade(incoming, socket, head, (webSocket) => {
      webSocket.on('message', (data, binary) => webSocket.send(data, { binary }));
      webSocket.on('close', (code, reason) => requests.push(`CLOSE ${code} ${reason}`));
      if (incoming.url === '/greet') webSocket.send('hello at once');
      if (incoming.url === '/leave') webSocket.close(4321, 'device left');
    });
  });
  fixture = await createTunnelFixture();
  device = await fixture.addDevice('HOST-1', { endpoints: { http: upstream.port } });
  browser = await fixture.openBrowser(device);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});
beforeEach(() => {
  requests.length = 0;
});

const html = { accept: 'text/html' };
const page = async (path: string, headers: Record<string, string> = {}, client = browser) => {
  const answer = await client.request(device.origin + path, { headers });
  await answer.text();
  return answer;
};

describe('without a cookie', () => {
  it('a page load goes through the console and comes back to its path', async () => {
    const answer = await page('/deep/link?tab=1', html, new HttpClient());
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe(
      `${fixture.server.publicUrl}/connect/http/HOST-1/?path=%2Fdeep%2Flink%3Ftab%3D1`,
    );
    const start = await page('/', html, new HttpClient());
    expect(start.headers.location).toBe(`${fixture.server.publicUrl}/connect/http/HOST-1/`);
  });

  it.each([`/${'a'.repeat(2100)}`, '//evil.example/x', '/\\evil.example'])(
    'a path the console cannot ask for is left out (%#)',
    async (path) => {
      const answer = await sendRaw(`GET ${path} HTTP/1.1\r\nhost: ${hostOf()}\r\naccept: text/html\r\n\r\n`);
      expect(answer).toContain(`location: ${fixture.server.publicUrl}/connect/http/HOST-1/\r\n`);
    },
  );

  it('anything else is 401, in the language of the browser', async () => {
    const client = new HttpClient();
    const answer = await client.request(`${device.origin}/api`, { headers: { 'accept-language': 'en' } });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain('Open the web interface from the console');
    const russian = await client.request(`${device.origin}/api`, { headers: { 'accept-language': 'ru' } });
    expect(await russian.text()).toContain('Откройте веб-интерфейс из консоли');
    expect(requests).toEqual([]);
  });
});

describe('the way back to the console', () => {
  it.each(['/.pult', '/.pult/', '/.pult?from=here'])('%s leads to the controller’s page', async (path) => {
    const back = { status: 302, headers: { location: `${fixture.server.publicUrl}/controllers/HOST-1` } };
    expect(await page(path, html)).toMatchObject(back);
    expect(await page(path, html, new HttpClient())).toMatchObject(back);
    expect(requests).toEqual([]);
  });

  it('what is below it, and what a script of the device asks for, is the device’s', async () => {
    await page('/.pult/style.css', html);
    await page('/.pult');
    expect(requests).toHaveLength(2);
  });

  it('the page of a failure leads there, where a new tunnel would end at the same page', async () => {
    const closed = await fixture.addDevice('BACK-1', { endpoints: { http: await freePort() } });
    const answer = await (await fixture.openBrowser(closed)).request(`${closed.origin}/`, { headers: html });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain(`href="${fixture.server.publicUrl}/controllers/BACK-1"`);
  });

  it('a link that is used up leads to a new tunnel', async () => {
    const answer = await new HttpClient().request(`${device.origin}/.pult/open?ticket=used`, {
      headers: html,
    });
    expect(await answer.text()).toContain(`href="${fixture.server.publicUrl}/connect/http/HOST-1/"`);
  });
});

describe('a host that is no controller’s', () => {
  it.each(['a.b', 'x--y', '-x', 'кот', '_', 'a'.repeat(37)])('%s answers 404', async (label) => {
    const answer = await sendRaw(
      `GET / HTTP/1.1\r\nhost: ${label}.http.localhost:${fixture.server.port}\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('a host that is no controller’s of a serial number nobody has tells no more than one without a tunnel', async () => {
    const unknown = `http://nobody.http.localhost:${fixture.server.port}/`;
    const answer = await new HttpClient().request(unknown);
    expect(answer.status).toBe(401);
    answer.body.resume();
  });
});

describe('another site', () => {
  const fetched = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  it.each<[string, Record<string, string>]>([
    ['a script of a sibling tunnel host', { ...fetched, origin: 'http://evil.http.localhost:8080' }],
    ['an image of a sibling', { ...fetched, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['a frame of a sibling', { ...fetched, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['a form of another site', { origin: 'https://evil.example', 'sec-fetch-mode': 'navigate' }],
    ['a page without an origin', { origin: 'null', 'sec-fetch-mode': 'navigate' }],
    ['the console itself by script', { ...fetched, origin: 'http://localhost:8080' }],
  ])('another site is refused as %s', async (_, headers) => {
    const answer = await page('/relay/on', headers);
    expect(answer.status).toBe(403);
    expect(requests).toEqual([]);
  });

  it('another site may link to it', async () => {
    const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await page('/', { ...html, ...navigation, 'sec-fetch-site': 'cross-site' })).status).toBe(200);
    expect((await page('/', { ...html, ...navigation, 'sec-fetch-site': 'none' })).status).toBe(200);
  });

  it.each(['cross-site', 'same-site'])(
    'another site’s link to a path (%s) is asked about in the console, and the device hears nothing of it',
    async (site) => {
      const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
      const answer = await page('/relay/on?now', { ...html, ...navigation, 'sec-fetch-site': site });
      expect(answer).toMatchObject({
        status: 302,
        headers: {
          location: `${fixture.server.publicUrl}/connect/http/HOST-1/?path=%2Frelay%2Fon%3Fnow`,
        },
      });
      await page('/?on', { ...html, ...navigation, 'sec-fetch-site': site });
      expect(requests).toEqual([]);
      const typed = { ...html, ...navigation, 'sec-fetch-site': 'none' };
      expect((await page('/relay/on', typed)).status).toBe(200);
    },
  );

  it('another site does not hinder the device’s own pages', async () => {
    const own = { ...fetched, 'sec-fetch-site': 'same-origin', origin: device.origin };
    expect((await page('/', own)).status).toBe(200);
    // A form of a page with `Referrer-Policy: no-referrer`.
    const form = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', origin: 'null' };
    expect((await page('/', form)).status).toBe(200);
    expect((await page('/', { ...form, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });
});

describe('a WebSocket', () => {
  const open = (path: string, headers: Record<string, string> = { origin: device.origin }) =>
    browser.openWebSocket(`${device.origin.replace('http:', 'ws:')}${path}`, { headers });

  it('passes both ways, text and binary, with close codes of either side', async () => {
    const socket = await open('/echo');
    const messages = new WebSocketMessages(socket);
    socket.send('text');
    socket.send(Buffer.from([0, 255]));
    expect(await messages.next()).toMatchObject({ data: Buffer.from('text'), isBinary: false });
    expect(await messages.next()).toMatchObject({ data: Buffer.from([0, 255]), isBinary: true });
    socket.close(4001, 'browser left');
    await expect.poll(() => requests).toContain('CLOSE 4001 browser left');
    const left = new WebSocketMessages(await open('/leave'));
    expect(await left.closed).toEqual({ code: 4321, reason: 'device left' });
  });

  it('loses no frame that comes with the answer', async () => {
    const url = new URL(device.origin);
    const socket = connect(fixture.server.port, '127.0.0.1');
    socket.write(
      `GET /greet HTTP/1.1\r\nhost: ${url.host}\r\norigin: ${device.origin}\r\nconnection: Upgrade\r\n` +
        'upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
        `cookie: ${browser.cookies.getHeader(device.hostname)}\r\n\r\n`,
      'latin1',
    );
    // An early frame of the client's: "hi", masked with zeros.
    socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    await expect.poll(() => text).toMatch(/^HTTP\/1\.1 101 [\s\S]*hello at once[\s\S]*hi$/);
    socket.destroy();
  });

  it('needs the very origin of the tunnel, and the cookie', async () => {
    const foreign = [
      'http://evil.http.localhost:8080',
      fixture.server.publicUrl,
      'null',
      'https://evil.example',
    ];
    for (const origin of foreign) {
      await expect(open('/echo', { origin })).rejects.toMatchObject({ status: 403 });
    }
    await expect(open('/echo', {})).rejects.toMatchObject({ status: 403 });
    const stranger = new HttpClient().openWebSocket(`${device.origin.replace('http:', 'ws:')}/echo`, {
      headers: { origin: device.origin },
    });
    await expect(stranger).rejects.toMatchObject({ status: 401 });
    expect(requests.filter((line) => line.startsWith('UPGRADE'))).toEqual([]);
  });

  it('a WebSocket that the device refuses brings the device’s answer', async () => {
    const answer = await sendRaw(upgradeOf('/login'));
    expect(answer).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(answer).toContain('x-kept: 1');
    expect(answer.endsWith('\r\n\r\nlog in...')).toBe(true);
  });

  it('a WebSocket that the device never answers is given up with 504, and frees the device', async () => {
    const before = device.linked.connections.size;
    expect(await sendRaw(upgradeOf('/silent'))).toMatch(/^HTTP\/1\.1 504 /);
    await expect.poll(() => device.linked.connections.size).toBeLessThanOrEqual(before);
  });

  it('ends at the device when the browser is gone', async () => {
    const socket = await open('/echo');
    const before = device.linked.connections.size;
    socket.terminate();
    await expect.poll(() => device.linked.connections.size).toBe(before - 1);
  });
});

describe('requests that two readers could read differently', () => {
  it.each([
    ['two hosts', `GET / HTTP/1.1\r\nhost: ${'{host}'}\r\nhost: localhost\r\n`],
    ['an absolute address', 'GET http://localhost/api/v1/users/me/ HTTP/1.1\r\nhost: {host}\r\n'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nhost: {host}\r\n'],
    [
      'a length and a coding',
      'POST / HTTP/1.1\r\nhost: {host}\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n',
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: {host}\r\ncontent-length: 3\r\ncontent-length: 30\r\n'],
    ['a list of lengths', 'POST / HTTP/1.1\r\nhost: {host}\r\ncontent-length: 3, 3\r\n'],
    ['a signed length', 'POST / HTTP/1.1\r\nhost: {host}\r\ncontent-length: +3\r\n'],
    ['an unknown coding', 'POST / HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: xchunked\r\n'],
    [
      'two codings',
      'POST / HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: chunked\r\ntransfer-encoding: identity\r\n',
    ],
    ['a space before a colon', 'POST / HTTP/1.1\r\nhost: {host}\r\ncontent-length : 3\r\n'],
    [
      'a space before the coding’s colon',
      'POST / HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding : chunked\r\n',
    ],
    [
      'a coding behind a control character',
      'POST / HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: \u000bchunked\r\n',
    ],
    [
      'a coding in the middle of a list',
      'POST / HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: chunked, identity\r\n',
    ],
    ['a length in hexadecimal', 'POST / HTTP/1.1\r\nhost: {host}\r\ncontent-length: 0x3\r\n'],
    ['an endless length', 'POST / HTTP/1.1\r\nhost: {host}\r\ncontent-length: 99999999999999999999999\r\n'],
    [
      'a bare carriage return in a header',
      'GET / HTTP/1.1\r\nhost: {host}\r\nx-a: b\rcontent-length: 30\r\n',
    ],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: {host}\r\nx-a: b\u0000c\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nhost: {host}\r\n: b\r\n'],
    ['a space before the first header', 'GET / HTTP/1.1\r\n host: {host}\r\n'],
    ['headers beyond all measure', `GET / HTTP/1.1\r\nhost: {host}\r\nx-a: ${'a'.repeat(70_000)}\r\n`],
    ['no host', 'GET / HTTP/1.1\r\n'],
    [
      'an upgrade with a body',
      'GET /echo HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nconnection: upgrade\r\nupgrade: websocket\r\ncontent-length: 3\r\n',
    ],
  ])('%s is refused', async (_, head) => {
    const text = head.replace('{host}', hostOf()).replace('{origin}', device.origin);
    const cookie = `cookie: ${browser.cookies.getHeader(device.hostname)}\r\n`;
    expect(await sendRaw(`${text}${cookie}\r\nabc`)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(requests).toEqual([]);
  });

  it.each([
    ['a chunk size that is no number', 'zz\r\nabc\r\n0\r\n\r\n'],
    ['a signed chunk size', '+3\r\nabc\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', '3\r\nabcd\r\n0\r\n\r\n'],
    ['a chunk extension beyond all measure', `3;${'a'.repeat(70_000)}\r\nabc\r\n0\r\n\r\n`],
    ['a chunk that ends by a bare line feed', '3\nabc\n0\n\n'],
  ])('a body with %s never becomes a second request', async (_, body) => {
    const cookie = `cookie: ${browser.cookies.getHeader(device.hostname)}\r\n`;
    const head = `POST /one HTTP/1.1\r\nhost: ${hostOf()}\r\n${cookie}transfer-encoding: chunked\r\n\r\n`;
    const second = `GET /smuggled HTTP/1.1\r\nhost: ${hostOf()}\r\n${cookie}connection: close\r\n\r\n`;
    await sendRaw(head + body + second);
    expect(requests).not.toContain('GET /smuggled');
  });

  it('a folded header stays one header', async () => {
    const cookie = `cookie: ${browser.cookies.getHeader(device.hostname)}\r\n`;
    const answer = await sendRaw(
      `GET /one HTTP/1.1\r\nhost: ${hostOf()}\r\n${cookie}x-folded: a\r\n content-length: 50\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it('a path with two slashes is the device’s path', async () => {
    const cookie = `cookie: ${browser.cookies.getHeader(device.hostname)}\r\n`;
    await sendRaw(`GET //evil.example/x HTTP/1.1\r\nhost: ${hostOf()}\r\n${cookie}connection: close\r\n\r\n`);
    expect(requests).toEqual(['GET //evil.example/x']);
  });
});

const hostOf = () => new URL(device.origin).host;

const upgradeOf = (path: string) =>
  `GET ${path} HTTP/1.1\r\nhost: ${hostOf()}\r\norigin: ${device.origin}\r\nconnection: Upgrade\r\n` +
  'upgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
  `cookie: ${browser.cookies.getHeader(device.hostname)}\r\n\r\n`;

/** Writes bytes as they are and reads until the server has closed. */
async function sendRaw(text: string): Promise<string> {
  const socket = connect(fixture.server.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(text);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
    // A connection that stays open has said what it has to say with its head and body.
    if (/^content-length: 0\r\n/im.test(answer) && answer.includes('\r\n\r\n')) socket.end();
  });
  await whenClosed(socket);
  return answer;
}
