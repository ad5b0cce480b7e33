import type { Socket } from 'node:net';
import type { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClaimedDevice, createTunnelFixture, startRawUpstream } from '../tunnel.fixture.ts';
import { type CacheFixture, createCacheFixture } from './web-cache.fixture.ts';

/** Devices that lie to the cache, and people who would have it lie to others. */

let fixture: CacheFixture;
let get: CacheFixture['get'];
let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
let device: ClaimedDevice;
let first: HttpClient;
let second: HttpClient;
/** Heads of the requests that came to the device. */
let asked: string[] = [];
let serve: (socket: Socket, head: string) => void = () => {};

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => {
    // A head may come in several pieces.
    let head = '';
    socket.on('data', (bytes) => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      const whole = head;
      head = '';
      asked.push(whole);
      serve(socket, whole);
    });
  });
  fixture = await createCacheFixture('LIAR-1', upstream.port);
  ({ device, first, second, get } = fixture);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});
beforeEach(() => {
  asked = [];
  fixture.turnPage();
});

const as = (browser: HttpClient, cookie: string) => ({
  cookie: `${browser.cookies.getHeader(device.hostname)}; session=${cookie}`,
});
const ok = (headers: string, body: string) =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;
const hasCondition = () => asked.map((head) => /^if-none-match:/im.test(head));
const sessionOf = (head: string) => /session=(\w+)/.exec(head)?.[1];

describe('pages that differ by person under one entity tag', () => {
  /** Says that all holds, whoever asks, whatever they have. */
  const lie = (type: string) => {
    serve = (socket, head) =>
      socket.write(
        /^if-none-match:/im.test(head)
          ? 'HTTP/1.1 304 Not Modified\r\netag: "same"\r\n\r\n'
          : ok(`etag: "same"\r\ncontent-type: ${type}\r\n`, `page of ${sessionOf(head)}`),
      );
  };

  it.each(['text/html', 'application/json', 'text/plain', 'application/xhtml+xml', ''])(
    'a page of type %j that differs by cookie under one entity tag never comes to another person',
    async (type) => {
      lie(type);
      expect((await get(first, as(first, 'one'))).text).toBe('page of one');
      expect((await get(second, as(second, 'two'))).text).toBe('page of two');
      expect((await get(first, as(first, 'one'))).text).toBe('page of one');
      expect(hasCondition()).toEqual([false, false, false]);
    },
  );

  it('a page that differs by Authorization or by language under one entity tag never comes to another person', async () => {
    lie('text/html');
    for (const header of ['authorization', 'accept-language']) {
      asked = [];
      await get(first, { [header]: 'Basic b25l' });
      await get(second, { [header]: 'Basic dHdv' });
      expect(hasCondition()).toEqual([false, false]);
    }
  });

  it('a page that says by what it differs is given to nobody else, and an entity tag of its own shows nothing', async () => {
    serve = (socket, head) =>
      socket.write(
        ok(
          'vary: Cookie\r\netag: "same"\r\ncontent-type: text/javascript\r\ncache-control: public, max-age=60\r\n',
          `${sessionOf(head)}`,
        ),
      );
    await get(first, as(first, 'one'));
    expect((await get(second, as(second, 'two'))).text).toBe('two');
    expect(hasCondition()).toEqual([false, false]);
  });

  it('a part of a page comes to another person only by the device’s word to them', async () => {
    serve = (socket, head) =>
      socket.write(
        sessionOf(head) === 'one'
          ? ok('etag: "same"\r\ncontent-type: text/css\r\n', 'style')
          : 'HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\nno',
      );
    await get(first, as(first, 'one'));
    expect(await get(second, as(second, 'two'))).toMatchObject({ status: 401, text: 'no' });
    expect(hasCondition()).toEqual([false, true]);
  });
});

describe('answers that are not what they say', () => {
  const fresh = 'cache-control: public, max-age=60\r\netag: "1"\r\n';

  it.each([
    ['is cut', `HTTP/1.1 200 OK\r\ncontent-length: 100\r\n${fresh}\r\nhalf`],
    ['is cut in its chunks', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${fresh}\r\n4\r\nhalf\r\n`],
  ])('a body that %s is not kept', async (_, answer) => {
    serve = (socket) => socket.end(answer);
    await expect(get(first)).rejects.toThrow();
    await expect(get(second)).rejects.toThrow();
    expect(hasCondition()).toEqual([false, false]);
  });

  it('a body that ends with its connection is not kept, as it may have been cut', async () => {
    serve = (socket) => socket.end(`HTTP/1.1 200 OK\r\n${fresh}\r\nhalf`);
    for (const browser of [first, second]) expect((await get(browser)).text).toBe('half');
    expect(hasCondition()).toEqual([false, false]);
  });

  it('bytes beyond the length are not kept, and are no answer to the next request', async () => {
    serve = (socket) => socket.write(`${ok(fresh, 'four')}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`);
    expect((await get(first)).text).toBe('four');
    expect((await get(second)).text).toBe('four');
  });

  it('a body beyond the limit of one answer passes, and is not kept', async () => {
    const body = 'x'.repeat(5_000_000);
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    for (const answer of [
      ok(fresh, body),
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${fresh}\r\n${chunk}`,
    ]) {
      asked = [];
      serve = (socket) => socket.write(answer);
      for (const browser of [first, second]) expect((await get(browser)).text).toHaveLength(body.length);
      expect(hasCondition()).toEqual([false, false]);
    }
  });

  it('a 304 for another entity tag than was asked for is no answer: the device is asked again', async () => {
    serve = (socket) => socket.write(ok('etag: "1"\r\ncontent-type: text/css\r\n', 'old'));
    await get(first);
    serve = (socket, head) =>
      socket.write(
        /^if-none-match:/im.test(head)
          ? 'HTTP/1.1 304 Not Modified\r\netag: "2"\r\n\r\n'
          : ok('etag: "2"\r\ncontent-type: text/css\r\n', 'new'),
      );
    expect(await get(second)).toMatchObject({ status: 200, text: 'new' });
    expect(hasCondition()).toEqual([false, true, false]);
  });

  it('a 304 that nobody asked for passes as it is, and one that forbids to keep ends what was kept', async () => {
    serve = (socket) => socket.write('HTTP/1.1 304 Not Modified\r\netag: "1"\r\n\r\n');
    expect((await get(first)).status).toBe(304);
    serve = (socket, head) =>
      socket.write(
        /^if-none-match:/im.test(head)
          ? 'HTTP/1.1 304 Not Modified\r\ncache-control: private\r\n\r\n'
          : ok('etag: "1"\r\ncontent-type: text/css\r\n', 'style'),
      );
    asked = [];
    for (const browser of [first, second, first]) expect((await get(browser)).text).toBe('style');
    expect(hasCondition()).toEqual([false, true, false]);
  });

  it('a 304 that makes what needed its word public does not make public what one person alone could read', async () => {
    serve = (socket, head) =>
      socket.write(
        /^if-none-match:/im.test(head)
          ? 'HTTP/1.1 304 Not Modified\r\ncache-control: public, max-age=60\r\n\r\n'
          : ok('etag: "1"\r\ncontent-type: text/css\r\n', 'style'),
      );
    await get(first, { authorization: 'Basic b25l' });
    await get(second);
    await get(second);
    expect(hasCondition()).toEqual([false, true, true]);
  });

  it('a 304 that others could read in another way confirms nothing: the device is asked again, and what is kept stays', async () => {
    serve = (socket) => socket.write(ok('etag: "1"\r\ncontent-type: text/css\r\n', 'style'));
    await get(first);
    serve = (socket, head) =>
      socket.write(
        /^if-none-match:/im.test(head)
          ? Buffer.from('HTTP/1.1 304 Not Modified\r\nx: a\x01b\r\n\r\n', 'latin1')
          : ok('', 'page'),
      );
    expect(await get(second)).toMatchObject({ status: 200, text: 'page' });
    expect(hasCondition()).toEqual([false, true, false]);
    serve = (socket) => socket.write('HTTP/1.1 304 Not Modified\r\n\r\n');
    expect((await get(second)).text).toBe('style');
  });

  it.each([
    ['lines that end with LF', ok(fresh, 'page').replaceAll('\r\n', '\n')],
    ['a length twice', ok(`${fresh}content-length: 4\r\n`, 'page')],
    ['a coding beside a length', ok(`${fresh}transfer-encoding: chunked\r\n`, '4\r\npage\r\n0\r\n\r\n')],
    ['a space before a colon', ok(fresh.replace('etag:', 'etag :'), 'page')],
    ['a folded line', ok(`${fresh}x: a\r\n b\r\n`, 'page')],
    ['a line without a colon', ok(`${fresh}what is this\r\n`, 'page')],
    ['a control character', ok(`${fresh}x: a\x01b\r\n`, 'page')],
    [
      'chunks that are clean at first',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${fresh}\r\n2\r\npa\r\n2 \r\nge\r\n0\r\n\r\n`,
    ],
    ['empty lines before it', `\r\n${ok(fresh, 'page')}`],
  ])('an answer with %s is not kept, and ends what was', async (_, answer) => {
    serve = (socket) => socket.write(ok('etag: "1"\r\ncontent-type: text/css\r\n', 'old'));
    await get(first);
    serve = (socket) => socket.write(Buffer.from(answer, 'latin1'));
    for (const browser of [second, first]) expect((await get(browser)).text).toBe('page');
    expect(hasCondition()).toEqual([false, true, false]);
  });

  it('small answers with large heads take from what is kept of their own device, as bodies do', async () => {
    const small = await createTunnelFixture({ environment: { WEB_CACHE_MB: '1' } });
    try {
      const bomber = await small.addDevice('LIAR-2', { endpoints: { http: upstream.port } });
      const browser = await small.openBrowser(bomber);
      const open = async (page: number) =>
        (await browser.request(`${bomber.origin}/bomb-${page}?${'y'.repeat(2000)}`)).text();
      serve = (socket) => socket.write(ok(`${fresh}${'x-filler: 0123456789\r\n'.repeat(400)}`, 'tiny'));
      for (let page = 0; page < 20; page++) await open(page);
      expect(asked).toHaveLength(20);
      await open(19);
      expect(asked).toHaveLength(20);
      await open(0);
      expect(asked).toHaveLength(21);
    } finally {
      await small.close();
    }
  });
});
