import type { IncomingMessage, RequestListener } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { HttpClient } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnel.fixture.ts';
import { type CacheFixture, createCacheFixture, type Headers } from './web-cache.fixture.ts';

let cache: CacheFixture;
let fixture: TunnelFixture;
let get: CacheFixture['get'];
let upstream: WebUpstream;
let device: ClaimedDevice;
let other: TestUser;
let first: HttpClient;
let second: HttpClient;
/** What the device does; each test sets its own. */
let serve: RequestListener = () => {};
/** Requests that came to the device. */
let asked: IncomingMessage[] = [];
let path = '';

beforeAll(async () => {
  upstream = await startUpstream((request, response) => {
    asked.push(request);
    serve(request, response);
  });
  cache = await createCacheFixture('CACHE-1', upstream.port);
  ({ tunnels: fixture, device, first, second, other, get } = cache);
});
afterAll(async () => {
  await cache.close();
  upstream.close();
});
beforeEach(() => {
  asked = [];
  path = cache.turnPage();
});

/** A web server that says the same headers with each answer, and compares entity tags as it should. */
function serveAs(headers: Headers, body: string | Buffer = 'the body'): void {
  serve = (request, response) => {
    if (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end();
    } else {
      response
        .writeHead(200, { 'content-length': Buffer.byteLength(body), ...headers })
        .end(Buffer.from(body));
    }
  };
}

const conditions = () => asked.map(({ headers }) => headers['if-none-match']);
const script = { 'content-type': 'text/javascript', etag: '"1"' };

describe('an answer that is kept', () => {
  it.each(['public, max-age=60', 'max-age=60, immutable', 'Public, Max-Age=60'])(
    'an answer with %s is given to the next person without asking, with its age, until it is stale',
    async (control) => {
      serveAs({ 'cache-control': control, 'content-type': 'text/html', 'x-name': 'caf\xe9' });
      expect((await get(first)).text).toBe('the body');
      fixture.server.clock.advance(30_000);
      const answer = await get(second, { 'accept-language': 'en' });
      expect(answer).toMatchObject({
        status: 200,
        text: 'the body',
        headers: { age: '30', 'content-length': '8', 'cache-control': control, 'x-name': 'caf\xe9' },
      });
      expect(asked).toHaveLength(1);
      const head = await get(second, {}, { method: 'HEAD' });
      expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '8' } });
      expect(asked).toHaveLength(1);
      fixture.server.clock.advance(31_000);
      await get(second);
      expect(asked).toHaveLength(2);
    },
  );

  it('an answer with an entity tag alone is given once the device has said to this person that it still holds', async () => {
    serveAs(script);
    await get(first);
    const answer = await get(second, { cookie: `${second.cookies.getHeader(device.hostname)}; own=2` });
    expect(answer).toMatchObject({ status: 200, text: 'the body', headers: script });
    expect(conditions()).toEqual([undefined, '"1"']);
    // By the person who asks, and nobody else.
    expect(asked[1]?.headers.cookie).toBe('own=2');
  });

  it('an answer that is kept has the headers that the device says with its word that it still holds', async () => {
    serve = ({ headers }, response) => {
      if (headers['if-none-match'] === undefined) {
        response.writeHead(200, { ...script, 'content-length': 3, 'x-run': '1', 'x-old': '1' }).end('one');
      } else {
        response.writeHead(304, { 'x-run': '2', 'set-cookie': 'mine=1', 'content-type': 'text/html' }).end();
      }
    };
    await get(first);
    const answer = await get(second);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript',
      'x-run': '2',
      'x-old': '1',
      'set-cookie': ['mine=1'],
    });
    expect(answer.text).toBe('one');
  });

  it('an answer that is kept stays compressed as the device has sent it, for whoever takes that coding', async () => {
    serve = ({ headers }, response) => {
      const isGzip = headers['accept-encoding']?.includes('gzip');
      const body = isGzip ? gzipSync('words '.repeat(100)) : 'plain';
      response
        .writeHead(200, {
          'cache-control': 'public, max-age=60',
          vary: 'Accept-Encoding',
          ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
        })
        .end(body);
    };
    await get(first, { 'accept-encoding': 'gzip, deflate' });
    const answer = await second.request(device.origin + path, {
      headers: { 'accept-encoding': 'deflate,gzip' },
    });
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    expect(gunzipSync(Buffer.concat(chunks)).toString()).toBe('words '.repeat(100));
    expect(asked).toHaveLength(1);
    expect((await get(second)).text).toBe('plain');
    expect((await get(second, { 'accept-encoding': 'gzip;q=0' })).text).toBe('plain');
    expect(asked).toHaveLength(2);
  });

  it('an answer that is kept does not depend on what browsers and proxies before the server add to each request', async () => {
    serveAs({ 'cache-control': 'public, max-age=60' });
    const added = (id: string) => ({
      'sec-fetch-mode': 'navigate',
      'sec-ch-ua': id,
      via: `1.1 ${id}`,
      'x-request-id': id,
      'x-real-ip': '192.0.2.1',
      'cf-ray': id,
    });
    await get(first, added('one'));
    await get(second, added('two'));
    expect(asked).toHaveLength(1);
  });

  it('an answer that is kept is asked for anew by whoever reloads all, and the new one is kept', async () => {
    serveAs({ 'cache-control': 'public, max-age=60', etag: '"1"' }, 'old');
    await get(first);
    serveAs({ 'cache-control': 'public, max-age=60', etag: '"1"' }, 'new');
    expect((await get(second, { 'cache-control': 'no-cache' })).text).toBe('new');
    expect(conditions()).toEqual([undefined, undefined]);
    expect((await get(first)).text).toBe('new');
    expect(asked).toHaveLength(2);
  });

  it('an answer that is kept is forgotten when something is sent to its address, or it is there no more', async () => {
    serveAs({ 'cache-control': 'public, max-age=60' });
    await get(first);
    const origin = device.origin;
    await (await first.request(origin + path, { method: 'POST', body: 'x', headers: { origin } })).text();
    await get(second);
    expect(asked).toHaveLength(3);
    serve = (_, response) => response.writeHead(404).end();
    await get(second, { 'cache-control': 'no-cache' });
    expect((await get(first)).status).toBe(404);
  });

  it('an answer larger than a piece comes whole, and is counted as saved', async () => {
    const body = Buffer.alloc(300_000, 'large ');
    const params = { serialNumber: device.serialNumber };
    const read = async () => {
      const { body: settings } = await fixture.server.call('getWebCache', { as: other, params });
      return (settings as { savedBytes: number }).savedBytes;
    };
    const before = await read();
    serveAs(script, body);
    await get(first);
    expect((await get(second)).text).toBe(body.toString());
    await expect.poll(read).toBe(before + body.length);
  });
});

describe('an answer that is not kept', () => {
  const fresh = 'public, max-age=60';
  it.each<[string, Headers]>([
    ['no-store', { 'cache-control': 'max-age=60, public, no-store', etag: '"1"' }],
    ['No-Store in capitals', { 'cache-control': 'Public, Max-Age=60, No-Store', etag: '"1"' }],
    ['private', { 'cache-control': 'public, private, max-age=60', etag: '"1"' }],
    ['private with fields', { 'cache-control': 'public, max-age=60, private="x-a"', etag: '"1"' }],
    ['a cookie', { 'cache-control': fresh, 'set-cookie': 'session=1', etag: '"1"' }],
    ['Vary: *', { 'cache-control': fresh, vary: '*', etag: '"1"' }],
    ['an age alone', { 'cache-control': 'max-age=60' }],
    ['the word public alone', { 'cache-control': 'public' }],
    ['two ages', { 'cache-control': 'public, max-age=60, max-age=0' }],
    ['an age for shared caches', { 'cache-control': 'public, max-age=0, s-maxage=60' }],
    ['Expires alone', { 'cache-control': 'public', expires: 'Fri, 01 Jan 2100 00:00:00 GMT' }],
    ['an age that is over', { 'cache-control': fresh, age: '61' }],
    ['Vary: Cookie', { 'cache-control': fresh, vary: 'Accept-Encoding, Cookie' }],
    ['no-cache', { 'cache-control': 'public, max-age=60, no-cache' }],
    ['must-revalidate', { 'cache-control': 'public, max-age=60, must-revalidate' }],
    ['an entity tag without quotes', { etag: '1' }],
    ['events', { 'content-type': 'text/event-stream', 'cache-control': fresh, etag: '"1"' }],
  ])('an answer with %s is asked for by each person, without a condition', async (_, headers) => {
    serveAs(headers);
    await get(first);
    expect((await get(second)).text).toBe('the body');
    expect(conditions()).toEqual([undefined, undefined]);
  });

  it.each([201, 203, 206, 301, 302, 404, 410, 500])(
    'an answer with status %i is not kept',
    async (status) => {
      serve = (_, response) => {
        response.writeHead(status, { 'cache-control': fresh, etag: '"1"', location: '/elsewhere' }).end('x');
      };
      await get(first);
      expect((await get(second)).status).toBe(status);
      expect(conditions()).toEqual([undefined, undefined]);
    },
  );

  it.each<[string, Headers]>([
    ['Range', { range: 'bytes=0-3' }],
    ['If-Range', { 'if-range': '"1"' }],
    ['If-Match', { 'if-match': '"1"' }],
    ['no-store', { 'cache-control': 'no-store' }],
    ['a header that browsers do not send by themselves', { 'x-original-url': '/evil' }],
    ['an unknown coding', { 'accept-encoding': 'gzip, odd' }],
  ])(
    'a request with %s goes to the device as it is, and nothing is kept of its answer',
    async (_, headers) => {
      serveAs({ 'cache-control': fresh, etag: '"1"' });
      await get(first, headers);
      await get(second);
      await get(second, headers);
      expect(conditions()).toEqual([undefined, undefined, undefined]);
    },
  );

  it('a request with Authorization is always the device’s to answer', async () => {
    serveAs({ 'cache-control': fresh, ...script });
    await get(first, { authorization: 'Basic Zmlyc3Q=' });
    await get(second);
    await get(second, { authorization: 'Basic c2Vjb25k' });
    expect(conditions()).toEqual([undefined, '"1"', '"1"']);
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([
      'Basic Zmlyc3Q=',
      undefined,
      'Basic c2Vjb25k',
    ]);
  });

  it('a browser that has an answer of its own is answered by the device', async () => {
    serveAs({ 'cache-control': fresh, etag: '"1"' });
    await get(first);
    expect((await get(second, { 'if-none-match': '"1"' })).status).toBe(304);
    expect(conditions()).toEqual([undefined, '"1"']);
  });

  it('an answer of one address, host, endpoint or device is none of another', async () => {
    const twin = await fixture.addDevice('CACHE-2', { endpoints: { http: upstream.port } });
    const browser = await fixture.openBrowser(twin);
    serveAs({ 'cache-control': fresh });
    await get(first);
    await get(first, {}, { path: `${path}?a=1` });
    await (await browser.request(twin.origin + path)).text();
    expect(asked).toHaveLength(3);
  });
});

describe('the switch', () => {
  const params = { serialNumber: 'CACHE-1' };
  const turn = (enabled: boolean, as = other) =>
    fixture.server.call('updateWebCache', { as, params, body: { enabled } });

  it('the switch of a controller’s cache forgets what is kept, keeps nothing while it is off, and is recorded', async () => {
    serveAs({ 'cache-control': 'public, max-age=60' });
    await get(first);
    expect(await turn(false)).toMatchObject({ status: 200, body: { enabled: false, isAvailable: true } });
    await get(second);
    await get(first);
    expect(asked).toHaveLength(3);
    expect(await turn(true)).toMatchObject({ status: 200, body: { enabled: true } });
    await get(second);
    await get(first);
    expect(asked).toHaveLength(4);
    const { body } = await fixture.server.call('listAuditEvents', {
      as: fixture.owner,
      params: { organizationId: fixture.organization },
    });
    const actions = (body as { results: { action: string }[] }).results.map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith('web_cache'))).toEqual([
      'web_cache.enabled',
      'web_cache.disabled',
    ]);
  });

  it('the switch of a controller’s cache is not for viewers, who may look', async () => {
    const viewer = await fixture.addUser('viewer');
    expect((await fixture.server.call('getWebCache', { as: viewer, params })).status).toBe(200);
    expect((await turn(false, viewer)).status).toBe(403);
  });

  it('the cache ends with the claim: nothing of it is there for the next one', async () => {
    const claimed = await fixture.addDevice('CACHE-3', { endpoints: { http: upstream.port } });
    const browser = await fixture.openBrowser(claimed);
    serveAs({ 'cache-control': 'public, max-age=60' });
    await (await browser.request(claimed.origin + path)).text();
    await (await browser.request(claimed.origin + path)).text();
    expect(asked).toHaveLength(1);
    const deleted = await fixture.server.call('deleteController', {
      as: fixture.owner,
      params: { serialNumber: 'CACHE-3' },
    });
    expect(deleted.status).toBe(204);
    expect((await browser.request(claimed.origin + path)).status).toBe(401);
    expect(asked).toHaveLength(1);
  });
});

it('a server with WEB_CACHE_MB=0 keeps nothing, and says so', async () => {
  const small = await createTunnelFixture({ environment: { WEB_CACHE_MB: '0' } });
  try {
    const linked = await small.addDevice('CACHE-0', { endpoints: { http: upstream.port } });
    const browser = await small.openBrowser(linked);
    serveAs({ 'cache-control': 'public, max-age=60', etag: '"1"' });
    for (let time = 0; time < 2; time++) await (await browser.request(linked.origin + path)).text();
    expect(conditions()).toEqual([undefined, undefined]);
    const params = { serialNumber: 'CACHE-0' };
    expect(await small.server.call('getWebCache', { as: small.owner, params })).toMatchObject({
      body: { enabled: true, isAvailable: false, savedBytes: 0 },
    });
  } finally {
    await small.close();
  }
});
