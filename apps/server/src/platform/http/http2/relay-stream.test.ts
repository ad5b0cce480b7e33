import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { frameTypes } from './frames.ts';
import { formatFrame, formatNumber, opening, requestFrame } from './hostile-frames.fixture.ts';
import { ask, open, read, start, stop, tlsOptions } from './http2.fixture.ts';

afterEach(stop);

describe('requests of HTTP/2', () => {
  it('answers requests at once over one connection, each as one of HTTP/1.1', async () => {
    const { port } = await start(async (request, response) => {
      const body = await text(request);
      response.setHeader(
        'x-seen',
        `${request.method} ${request.url} ${request.headers.host} ${request.httpVersion}`,
      );
      response.end(`${request.headers.cookie} ${body}`);
    });
    const session = open(port);
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}?a=b`);
    const answers = await Promise.all(
      paths.map((path) => ask(session, { ':method': 'POST', ':path': path, cookie: ['a=1', 'b=2'] }, path)),
    );
    for (const [index, { status, headers, body }] of answers.entries()) {
      expect([status, headers['x-seen'], body]).toEqual([
        200,
        `POST ${paths[index]} localhost:${port} 1.1`,
        `a=1; b=2 ${paths[index]}`,
      ]);
    }
  });

  it('gives tunnel hosts their requests, whatever connection a browser lays them on', async () => {
    const { port } = await start((_, response) => response.end('rest'), {
      hosts: [
        {
          matches: ({ headers }) => headers.host === `127.0.0.1:${port}`,
          request: (_, response) => response.end('tunnel'),
          upgrade: () => {},
        },
      ],
    });
    const session = open(port);
    expect((await ask(session)).body).toBe('rest');
    // The certificate is for both names.
    expect((await ask(session, { ':authority': `127.0.0.1:${port}` })).body).toBe('tunnel');
  });

  it('answers 421 for a host that the certificate of the connection does not cover', async () => {
    let asked = 0;
    const { port } = await start((_, response) => {
      asked += 1;
      response.end();
    });
    const { status } = await ask(open(port), { ':authority': 'other.example' });
    expect([status, asked]).toEqual([421, 0]);
  });

  it('answers 421 for a host whose clients are asked for a certificate, and takes none of its connections', async () => {
    const { port } = await start((_, response) => response.end('rest'), {
      asksCertificate: (name) => name === '127.0.0.1' || name === 'agent.localhost',
    });
    const session = open(port);
    expect((await ask(session)).body).toBe('rest');
    expect((await ask(session, { ':authority': `127.0.0.1:${port}` })).status).toBe(421);
    const agent = connectTls({
      port,
      host: '127.0.0.1',
      servername: 'agent.localhost',
      ALPNProtocols: ['h2', 'http/1.1'],
      rejectUnauthorized: false,
    });
    await once(agent, 'secureConnect');
    expect(agent.alpnProtocol).toBe('http/1.1');
    agent.destroy();
  });

  it.each([
    ['two hosts', { ':authority': 'localhost', host: 'other' }],
    ['a method that is none of its', { ':method': 'CONNECT', ':authority': 'localhost' }],
    ['a whole address as its path', { ':path': 'https://other/' }],
    ['a path with a space', { ':path': '/a b' }],
    ['plain HTTP', { ':scheme': 'http' }],
  ])('refuses a request for %s', async (_, headers) => {
    const { port } = await start((_request, response) => response.end('handled'));
    const session = open(port);
    const asked = ask(session, headers as Record<string, string>);
    const answer = await asked.catch(() => undefined);
    expect([undefined, 400]).toContain(answer?.status);
    expect((await ask(session)).status).toBe(200);
  });

  it('passes headers on as they are, those of a connection left out', async () => {
    const { port } = await start((_, response) => {
      response.sendDate = false;
      response.writeHead(200, [
        ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Bytes', 'caf\u00e9', 'Vary', 'a', 'Vary', 'b'],
        ...['Content-Type', 'text/plain', 'Content-Type', 'text/html', 'ETag', '"1"', 'ETag', '"2"'],
        ...['Connection', 'close', 'Keep-Alive', 'timeout=5'],
      ]);
      response.end('x');
    });
    const { headers } = await ask(open(port));
    expect(headers).toMatchObject({
      'set-cookie': ['a=1', 'b=2'],
      'x-bytes': 'caf\u00e9',
      vary: 'a, b',
      'content-type': 'text/html',
      etag: '"1", "2"',
    });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['connection']));
    expect(headers).not.toHaveProperty('keep-alive');
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(headers).not.toHaveProperty('date');
  });

  it.each([
    ['GET', 304],
    ['GET', 204],
    ['HEAD', 200],
  ])('answers %s with %i and no body', async (method, status) => {
    const { port } = await start((_, response) =>
      response.writeHead(status, { 'content-length': '5' }).end(),
    );
    const session = open(port);
    expect(await ask(session, { ':method': method })).toMatchObject({ status, body: '' });
    expect(await ask(session, { ':method': method })).toMatchObject({ status, body: '' });
  });

  it('tells a client that asks for it to send its body', async () => {
    const { port } = await start(async (request, response) => response.end(await text(request)));
    const stream = open(port).request({ ':method': 'POST', expect: '100-continue' });
    await once(stream, 'continue');
    stream.end('body');
    expect((await read(stream)).body).toBe('body');
  });

  it('brings a request before its body, and its pieces as they come', async () => {
    const { port } = await start((request, response) => {
      response.flushHeaders();
      request.on('data', (chunk) => response.write(`[${chunk}]`));
      request.on('end', () => response.end('end'));
    });
    const stream = open(port).request({ ':method': 'POST' }, { endStream: false });
    await once(stream, 'response');
    const pieces: string[] = [];
    stream.on('data', (chunk) => pieces.push(String(chunk)));
    stream.write('one');
    await expect.poll(() => pieces.join('')).toBe('[one]');
    stream.end('two');
    await once(stream, 'end');
    expect(pieces.join('')).toBe('[one][two]end');
  });

  it('a stream of events comes piece by piece, and its end is that of the stream alone', async () => {
    const responses: ServerResponse[] = [];
    let closed = 0;
    const { port } = await start((request, response) => {
      if (request.url !== '/events') return void response.end('page');
      responses.push(response);
      response.on('close', () => {
        closed += 1;
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const session = open(port);
    const stream = session.request({ ':path': '/events' });
    expect(String((await once(stream, 'data'))[0])).toBe('data: 1\n\n');
    responses[0]?.write('data: 2\n\n');
    expect(String((await once(stream, 'data'))[0])).toBe('data: 2\n\n');
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => closed).toBe(1);
    expect((await ask(session)).body).toBe('page');
  });

  it('an answer with 60 kB of headers comes whole', async () => {
    const { port } = await start((_, response) => {
      for (let index = 0; index < 20; index += 1) response.setHeader(`x-${index}`, 'a'.repeat(3_000));
      response.end('page');
    });
    const { status, headers, body } = await ask(open(port));
    expect([status, body]).toEqual([200, 'page']);
    expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toHaveLength(20);
  });

  it('half an answer never looks like a whole one, and ends its stream alone', async () => {
    const { port } = await start((request, response) => {
      const delayMs = Number(request.url?.slice(1));
      if (Number.isNaN(delayMs)) return void response.end('whole');
      if (delayMs % 2 === 0) response.write('half');
      if (delayMs === 0) response.destroy();
      else setTimeout(() => response.destroy(), delayMs);
    });
    const session = open(port);
    const cut = Array.from({ length: 30 }, async (_, index) => {
      const stream = session.request({ ':path': `/${index % 10}` });
      stream.resume();
      const [error] = await once(stream, 'error');
      return error.code;
    });
    expect(new Set(await Promise.all(cut))).toEqual(new Set(['ERR_HTTP2_STREAM_ERROR']));
    expect((await ask(session, { ':path': '/whole' })).body).toBe('whole');
  });

  it('ends a request whose client gives it up in the middle of its body', async () => {
    let isOver = false;
    let isWhole: boolean | undefined;
    let received = '';
    const { port } = await start((request) => {
      request.on('data', (chunk) => {
        received += chunk;
      });
      request.on('error', () => {});
      request.on('close', () => {
        isOver = true;
        isWhole = request.complete;
      });
    });
    const client = connectTls({ ...tlsOptions, port, ALPNProtocols: ['h2'] });
    // Node's client ends a body before it gives a request up.
    client.write(Buffer.concat([opening, requestFrame(1, '/', { method: 'POST', isWhole: false })]));
    client.write(formatFrame(frameTypes.data, 0, 1, 'half'));
    await expect.poll(() => received).toBe('half');
    client.write(formatFrame(frameTypes.reset, 0, 1, formatNumber(constants.NGHTTP2_CANCEL)));
    await expect.poll(() => [isOver, isWhole]).toEqual([true, false]);
    client.destroy();
  });

  it('an answer before the end of an upload is whole, and the connection goes on', async () => {
    const { port } = await start((request, response) => {
      if (request.method === 'POST') response.writeHead(413, { connection: 'close' }).end('too large');
      else response.end('page');
    });
    const session = open(port);
    const stream = session.request({ ':method': 'POST' });
    stream.on('error', () => {});
    const writing = setInterval(() => stream.writable && stream.write(Buffer.alloc(60_000)), 1);
    const { status, body } = await read(stream);
    clearInterval(writing);
    expect([status, body]).toEqual([413, 'too large']);
    expect((await ask(session)).body).toBe('page');
  });

  it('20 MB go up and down at once, byte by byte the same', async () => {
    const { port } = await start((request, response) => request.pipe(response));
    const bytes = randomBytes(20_000_000);
    const stream = open(port).request({ ':method': 'POST' });
    Readable.from(
      Array.from({ length: 200 }, (_, at) => bytes.subarray(at * 100_000, (at + 1) * 100_000)),
    ).pipe(stream);
    const echoed = await buffer(stream);
    expect(echoed.equals(bytes)).toBe(true);
  });
});
