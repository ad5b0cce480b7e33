import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { createByteSource, type HttpClient, hashByteSource, WebSocketMessages } from '@pult/testkit';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startLightSite } from './light-server.ts';
import { claim, openTunnel, openWebInterface, type Site } from './site.ts';

let site: Site;
let browser: HttpClient;
const url = (path: string) => site.tunnelUrl + path;

beforeAll(async () => {
  site = await startLightSite();
  await claim(site);
}, 120_000);
afterAll(() => site?.[Symbol.asyncDispose]());
beforeEach(async () => {
  browser = await openWebInterface(site);
});

test('a deep link keeps its path and query', async () => {
  const { tunnelRedirectUrl } = await openTunnel(site, 'http', '/headers?page=2&q=%D0%BF');
  const answer = await browser.request(tunnelRedirectUrl, { followRedirects: true });
  expect(answer.url).toBe(url('/headers?page=2&q=%D0%BF'));
  expect(await answer.json()).toMatchObject({ url: '/headers?page=2&q=%D0%BF' });
});

test('the ticket is taken out of the address at once', async () => {
  const { tunnelRedirectUrl, tunnelKey } = await openTunnel(site, 'http');
  expect(tunnelRedirectUrl).toContain(tunnelKey);
  const answer = await browser.request(tunnelRedirectUrl);
  expect(answer.status).toBeGreaterThanOrEqual(302);
  expect(answer.headers.location).not.toContain(tunnelKey);
  expect(answer.headers['referrer-policy']).toBe('no-referrer');
  expect(answer.headers['cache-control']).toContain('no-store');
  answer.body.resume();
});

test('an upload of 20 MB arrives whole, with and without a length', async () => {
  const bytes = 20_000_000;
  const expected = { method: 'POST', bytes, sha256: hashByteSource(bytes) };
  const lengths: Record<string, string>[] = [
    { 'content-length': String(bytes) },
    { 'transfer-encoding': 'chunked' },
  ];
  for (const headers of lengths) {
    const body = createByteSource(bytes);
    const answer = await browser.request(url('/echo'), { method: 'POST', headers, body });
    expect(await answer.json()).toEqual(expected);
  }
});

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s passes', async (method) => {
  const answer = await browser.request(url('/headers'), { method });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ method });
});

test('a body of any method passes, its absence too', async () => {
  const answer = await browser.request(url('/echo'), { method: 'DELETE', body: 'why' });
  const sha256 = createHash('sha256').update('why').digest('hex');
  expect(await answer.json()).toEqual({ method: 'DELETE', bytes: 3, sha256 });
});

test('a chunked download is whole', async () => {
  const answer = await browser.request(url('/download/5000000?chunked'));
  expect(await answer.hash()).toEqual({ bytes: 5_000_000, sha256: hashByteSource(5_000_000) });
});

test('server-sent events arrive one by one, as they happen', async () => {
  const answer = await browser.request(url('/events'));
  const events = answer.body.setEncoding('utf8')[Symbol.asyncIterator]();
  expect((await events.next()).value).toBe('data: hello\n\n');
  for (const event of ['pump on', 'pump off']) {
    site.web.sendEvent(event);
    expect((await events.next()).value).toBe(`data: ${event}\n\n`);
  }
  answer.body.destroy();
});

test('the first bytes of a slow answer arrive before its end', async () => {
  const answer = await browser.request(url('/slow'));
  const parts = answer.body.setEncoding('utf8')[Symbol.asyncIterator]();
  expect((await parts.next()).value).toBe('first part');
  answer.body.destroy();
});

test('WebSocket messages pass both ways, large, binary, many, and its close code', async () => {
  const socket = await browser.openWebSocket(url('/ws'), { headers: { origin: site.tunnelUrl } });
  const messages = new WebSocketMessages(socket);
  const large = Buffer.alloc(1_000_000, 7);
  socket.send(large);
  expect((await messages.next()).data.equals(large)).toBe(true);
  for (let number = 0; number < 500; number++) socket.send(String(number));
  for (let number = 0; number < 500; number++) {
    expect((await messages.next()).data.toString()).toBe(String(number));
  }
  socket.close(1000, 'done');
  expect(await messages.closed).toEqual({ code: 1000, reason: 'done' });
});

test('a WebSocket the device does not have is refused by the device', async () => {
  const refused = browser.openWebSocket(url('/landed'), { headers: { origin: site.tunnelUrl } });
  await expect(refused).rejects.toMatchObject({ name: 'WebSocketRefused', status: 400 });
});

test('a compressed answer stays as the device compressed it', async () => {
  const answer = await browser.request(url('/gzip'));
  expect(answer.headers['content-encoding']).toBe('gzip');
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe('compressed by the device');
});

test.each([204, 304, 404, 418, 500, 503])('status %i of the device is the answer', async (status) => {
  const answer = await browser.request(url(`/status/${status}`));
  expect(answer.status).toBe(status);
  answer.body.resume();
});

test('redirects to the device’s own address lead to the tunnel host, others stay', async () => {
  for (const path of ['/redirect/own-address', '/redirect/host', '/redirect/path']) {
    const answer = await browser.request(url(path), { followRedirects: true });
    expect(answer.url).toBe(url('/landed'));
    expect(await answer.text()).toBe('landed');
  }
  const elsewhere = await browser.request(url('/redirect/elsewhere'));
  expect(elsewhere.headers.location).toBe('https://example.com/docs');
});

test('the device cannot reach beyond its own host by headers', async () => {
  const answer = await browser.request(url('/takeover'));
  expect(answer.headers).toMatchObject({ 'x-device': 'kept' });
  expect(answer.headers).not.toHaveProperty('strict-transport-security');
  expect(answer.headers).not.toHaveProperty('clear-site-data');
  const cookies = await browser.request(url('/cookies'));
  for (const cookie of cookies.headers['set-cookie'] ?? []) expect(cookie).not.toMatch(/domain=/i);
  expect(cookies.headers['set-cookie']).toHaveLength(2);
});

test('the device sees its host and where the request came from, whatever the client claims', async () => {
  const forged = {
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  };
  const answer = await browser.request(url('/headers'), { headers: forged });
  const { rawHeaders } = (await answer.json()) as { rawHeaders: string[] };
  const values = (name: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
  const host = new URL(site.tunnelUrl).host;
  expect(values('host')).toEqual([host]);
  expect(values('x-forwarded-for')).toEqual(['127.0.0.1']);
  expect(values('x-forwarded-host')).toEqual([host]);
  expect(values('x-forwarded-proto')).toEqual(['http']);
});

test('an unread download does not run ahead of its reader', async () => {
  const before = site.web.downloadedBytes;
  const answer = await browser.request(url('/download/2000000000'));
  answer.body.pause();
  // What fits into the buffers on the way passes; a round trip beside it shows that nothing else is held up.
  for (let round = 0; round < 50; round++) await (await browser.request(url('/landed'))).text();
  const taken = site.web.downloadedBytes - before;
  answer.body.destroy();
  expect(taken).toBeLessThan(100_000_000);
});

test('200 requests at once all get their own answer', async () => {
  const pages = await Promise.all(
    Array.from({ length: 200 }, async (_, number) => {
      const answer = await browser.request(url(`/headers?number=${number}`));
      return ((await answer.json()) as { url: string }).url;
    }),
  );
  expect(pages).toEqual(Array.from({ length: 200 }, (_, number) => `/headers?number=${number}`));
});

test('a client that goes away is noticed by the device', async () => {
  const { host, port } = new URL(site.tunnelUrl);
  const cookie = browser.cookies.getHeader(new URL(site.tunnelUrl).hostname) ?? '';
  const call = request({ host: '127.0.0.1', port, path: '/events', headers: { host, cookie } }).end();
  await new Promise((resolve) => call.once('response', resolve));
  expect(site.web.openEventStreams).toBe(1);
  call.destroy();
  await expect.poll(() => site.web.openEventStreams).toBe(0);
});
