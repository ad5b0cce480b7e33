import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type RequestListener, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createByteSource, type HttpClient, hashByteSource, kernelBuffers } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnel.fixture.ts';

/** Answers of the device by path; a test sets its own. */
const answers = new Map<string, RequestListener>();
const on = (path: string, listener: RequestListener) => answers.set(path, listener);

let fixture: TunnelFixture;
let upstream: WebUpstream;
let device: ClaimedDevice;
let browser: HttpClient;

beforeAll(async () => {
  upstream = await startUpstream((incoming, response) => {
    const listener = answers.get(incoming.url?.split('?')[0] ?? '');
    if (listener) listener(incoming, response);
    else response.writeHead(404).end('no such page');
  });
  fixture = await createTunnelFixture();
  device = await fixture.addDevice('PROXY-1', { endpoints: { http: upstream.port } });
  browser = await fixture.openBrowser(device);
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

const get = (path: string, options = {}) => browser.request(device.origin + path, options);

/** A request whose body the test writes piece by piece. */
function openRequest(path: string, options: { method: string; headers?: Record<string, string> }) {
  return request({
    host: '127.0.0.1',
    port: fixture.server.port,
    path,
    method: options.method,
    headers: {
      host: new URL(device.origin).host,
      cookie: browser.cookies.getHeader(device.hostname) ?? '',
      ...options.headers,
    },
  });
}

async function readText(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

describe('streaming', () => {
  it('shows the first part of an answer before the device has made the rest', async () => {
    let finish = () => {};
    on('/parts', (_, response) => {
      response.write('first');
      finish = () => response.end(' and last');
    });
    const { body } = await get('/parts');
    const [first] = await once(body, 'data');
    expect(String(first)).toBe('first');
    finish();
    expect(await readText(body)).toBe(' and last');
  });

  it('shows the device the first part of an upload before the rest is sent', async () => {
    const received = new Promise<string>((resolve) => {
      on('/upload', (incoming, response) => {
        incoming.once('data', (chunk) => resolve(String(chunk)));
        incoming.on('end', () => response.end('thanks'));
      });
    });
    const upload = openRequest('/upload', { method: 'POST' });
    upload.write('first');
    expect(await received).toBe('first');
    upload.end('last');
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(await readText(response)).toBe('thanks');
  });

  it('carries 100 MB down and up without a changed byte', async () => {
    const size = 100 * 1024 * 1024;
    on('/down', (_, response) => {
      response.writeHead(200, { 'content-length': size });
      createByteSource(size).pipe(response);
    });
    on('/up', (incoming, response) => {
      const hash = createHash('sha256');
      incoming.on('data', (chunk) => hash.update(chunk));
      incoming.on('end', () => response.end(hash.digest('hex')));
    });
    const down = await (await get('/down')).hash();
    expect(down).toEqual({ bytes: size, sha256: hashByteSource(size) });
    const up = await get('/up', { method: 'POST', body: createByteSource(size) });
    expect(await up.text()).toBe(hashByteSource(size));
  });

  it('passes server-sent events one by one', async () => {
    let send = (_: string) => {};
    on('/events', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send = (data) => response.write(`data: ${data}\n\n`);
      response.flushHeaders();
    });
    const { body } = await get('/events');
    for (const data of ['one', 'two']) {
      send(data);
      const [chunk] = await once(body, 'data');
      expect(String(chunk)).toBe(`data: ${data}\n\n`);
    }
    body.destroy();
  });

  it('stops the device when the browser leaves, and frees its connection', async () => {
    const closed = new Promise<void>((resolve) => {
      on('/endless', (_, response) => {
        response.write('x');
        response.on('close', () => resolve());
      });
    });
    const { body } = await get('/endless');
    await once(body, 'data');
    body.destroy();
    await closed;
  });

  it('stops an upload’s device side when the browser leaves', async () => {
    const aborted = new Promise<void>((resolve) => {
      on('/abandoned', (incoming) => {
        incoming.on('error', () => resolve());
        incoming.resume();
        upload.destroy();
      });
    });
    const upload = openRequest('/abandoned', { method: 'POST' });
    upload.on('error', () => {});
    upload.write('half');
    await aborted;
  });

  it('lets a stalled browser hold back the device instead of filling memory', async () => {
    let taken = 0;
    // From the web server to the agent, and from the server to the browser.
    const held = 2 * kernelBuffers + 16 * 1024 * 1024;
    const size = 2 * held;
    on('/flood', (_, response) => {
      createByteSource(size, (bytes) => {
        taken += bytes;
      }).pipe(response);
    });
    const { body } = await get('/flood');
    // Nobody reads it: the amount settles far below the whole.
    let seen = -1;
    await expect
      .poll(
        () => {
          const isSettled = seen === taken;
          seen = taken;
          return isSettled;
        },
        { interval: 300, timeout: 20_000 },
      )
      .toBe(true);
    expect(taken).toBeLessThan(held);
    body.destroy();
  });
});

describe('kinds of answers', () => {
  it('passes HEAD, 204 and 304 without a body, and the next answer is right', async () => {
    on('/page', (incoming, response) => {
      response.writeHead(200, { 'content-length': '12', etag: '"1"' });
      response.end(incoming.method === 'HEAD' ? undefined : 'twelve bytes');
    });
    on('/nothing', (_, response) => response.writeHead(204).end());
    on('/same', (_, response) => response.writeHead(304, { etag: '"1"' }).end());
    const head = await get('/page', { method: 'HEAD' });
    expect(head.headers).toMatchObject({ 'content-length': '12', etag: '"1"' });
    expect(await head.text()).toBe('');
    expect(await get('/nothing').then(async (answer) => [answer.status, await answer.text()])).toEqual([
      204,
      '',
    ]);
    expect(await get('/same').then(async (answer) => [answer.status, await answer.text()])).toEqual([
      304,
      '',
    ]);
    expect(await (await get('/page')).text()).toBe('twelve bytes');
  });

  it('passes a compressed answer as it is', async () => {
    const bytes = gzipSync('compressed by the device');
    on('/gzip', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes);
    });
    const answer = await get('/gzip', { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers['content-encoding']).toBe('gzip');
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(bytes);
  });

  it('an answer is not disturbed by early hints and trailers', async () => {
    on('/hints', (_, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
      response.writeHead(200, { trailer: 'x-checksum' });
      response.write('body');
      response.addTrailers({ 'x-checksum': '1' });
      response.end();
    });
    const answer = await get('/hints');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('body');
  });

  it('answers Expect: 100-continue itself', async () => {
    let expectHeader: string | undefined = 'unset';
    on('/expect', (incoming, response) => {
      expectHeader = incoming.headers.expect;
      incoming.pipe(response);
    });
    const upload = openRequest('/expect', { method: 'PUT', headers: { expect: '100-continue' } });
    upload.flushHeaders();
    await once(upload, 'continue');
    upload.end('the body');
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(await readText(response)).toBe('the body');
    expect(expectHeader).toBeUndefined();
  });

  it('passes an answer that comes before the upload is over', async () => {
    on('/early', (_, response) => {
      response.writeHead(413, { connection: 'close' }).end('too large');
    });
    const upload = openRequest('/early', { method: 'POST' });
    upload.on('error', () => {});
    upload.write(Buffer.alloc(64 * 1024));
    const [response] = (await once(upload, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    expect(await readText(response)).toBe('too large');
    upload.destroy();
  });

  it('gives an upload all the time it needs, as long as it goes on', async () => {
    on('/slow-upload', (incoming, response) => {
      incoming.resume();
      incoming.on('end', () => response.end('complete'));
    });
    const upload = openRequest('/slow-upload', { method: 'POST' });
    const answered = once(upload, 'response');
    // Longer in all than the 1.5 s a silent device has.
    for (let piece = 0; piece < 8; piece += 1) {
      upload.write('piece');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    upload.end();
    const [response] = (await answered) as [IncomingMessage];
    expect(await readText(response)).toBe('complete');
  });
});
