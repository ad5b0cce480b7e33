import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { HttpClient } from '@pult/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ClaimedDevice, startRawUpstream } from '../tunnel.fixture.ts';
import { type CacheFixture, createCacheFixture } from '../web-cache/web-cache.fixture.ts';

/** A device that ignores the bodies of requests, and takes what stands in one for the next request. */

let fixture: CacheFixture;
let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
let device: ClaimedDevice;
let owner: HttpClient;
let guest: HttpClient;
/** Request lines that came to the device, and the connections by their first one. */
let asked: string[] = [];
const connections = new Set<Socket>();
/** What a test has the device answer by path, in place of its name. */
let answers = new Map<string, string>();

const fresh = 'cache-control: public, max-age=60\r\ncontent-type: text/javascript\r\n';
const ok = (body: string, headers = fresh) =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`;
const smuggled = 'GET /evil HTTP/1.1\r\nhost: device\r\n\r\n';

function serve(socket: Socket): void {
  connections.add(socket);
  socket.on('close', () => connections.delete(socket));
  let received = '';
  /** What is answered slowly: behind it come the answers to later requests. */
  let slow = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    for (;;) {
      const request = /(([A-Z]+) (\/\S*)) HTTP\/1\.1\r\n[\s\S]*?\r\n\r\n/.exec(received);
      if (!request) return;
      received = received.slice(request.index + request[0].length);
      const [, line = '', method, path = ''] = request;
      asked.push(line);
      const answer = answers.get(path) ?? ok(path);
      if (path === '/evil') slow += answer;
      else {
        socket.write(slow + (method === 'HEAD' ? answer.slice(0, answer.indexOf('\r\n\r\n') + 4) : answer));
        slow = '';
      }
    }
  });
}

beforeAll(async () => {
  upstream = await startRawUpstream(serve);
  fixture = await createCacheFixture('SMUGGLED-1', upstream.port);
  ({ device, first: owner, second: guest } = fixture);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});
beforeEach(() => {
  asked = [];
  answers = new Map();
});

const send = (method: string, path: string, body?: string | Readable, headers = {}) =>
  guest.request(device.origin + path, { method, headers, ...(body === undefined ? {} : { body }) });
const read = async (browser: HttpClient, path: string) => (await fixture.get(browser, {}, { path })).text;

describe('a body that the device takes for a second request', () => {
  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    'the body of a %s brings its answer to nobody, and into no cache',
    async (method) => {
      const answer = await send(method, '/poke', smuggled);
      expect([answer.status, await answer.text()]).toEqual([200, '/poke']);
      const script = `/${method}.js`;
      expect(await read(guest, script)).toBe(script);
      expect(await read(owner, script)).toBe(script);
    },
  );

  it('a chunked body brings its answer to nobody', async () => {
    await (await send('POST', '/poke', Readable.from([smuggled]))).text();
    expect(await read(guest, '/chunked.js')).toBe('/chunked.js');
    expect(await read(owner, '/chunked.js')).toBe('/chunked.js');
  });

  it.each([
    ['GET', 'ru', 'не может быть тела'],
    ['GET', 'en', 'cannot have a body'],
    ['HEAD', 'en', ''],
    ['TRACE', 'en', 'cannot have a body'],
  ])('a %s with a body is refused (%s), and comes to no device', async (method, language, text) => {
    const answer = await send(method, '/poke', smuggled, { 'accept-language': language });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(text);
    const chunked = await send(method, '/poke', Readable.from([smuggled]), {
      'transfer-encoding': 'chunked',
    });
    expect(chunked.status).toBe(400);
    await chunked.text();
    expect(asked).toEqual([]);
    expect(await read(owner, `/${method}-${language}.js`)).toBe(`/${method}-${language}.js`);
  });
});
