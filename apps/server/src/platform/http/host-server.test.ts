import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { whenClosed } from '@pult/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createHostServer, type HostServer, type HostServerOptions } from './host-server.ts';

let hostServer: HostServer | undefined;
afterEach(async () => {
  if (!hostServer) return;
  const closed = once(hostServer.server, 'close');
  hostServer.server.close();
  hostServer.cutAll();
  await closed;
  hostServer = undefined;
});

async function start(
  handler: Parameters<typeof createHostServer>[0],
  options: Partial<HostServerOptions> = {},
): Promise<HostServer & { port: number }> {
  const started = createHostServer(handler, { hosts: [], upgrades: [], ...options });
  hostServer = started;
  started.server.listen(0, '127.0.0.1');
  await once(started.server, 'listening');
  return { ...started, port: (started.server.address() as AddressInfo).port };
}

/** Writes and reads until the server closes. */
async function send(port: number, ...parts: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  for (const part of parts) socket.write(part);
  await whenClosed(socket);
  return answer;
}

describe('the host server', () => {
  it('gives tunnel hosts their requests and everything else to the rest', async () => {
    const { port } = await start((_, response) => response.end('rest'), {
      hosts: [
        {
          find: ({ headers }) =>
            headers.host === 'tunnel'
              ? { request: (_, response) => response.end('tunnel'), upgrade: () => {} }
              : undefined,
        },
      ],
    });
    const close = 'connection: close\r\n\r\n';
    expect(await send(port, `GET / HTTP/1.1\r\nhost: tunnel\r\n${close}`)).toMatch(/tunnel$/);
    expect(await send(port, `GET / HTTP/1.1\r\nhost: other\r\n${close}`)).toMatch(/rest$/);
    // A health check of HTTP/1.0 names no host.
    expect(await send(port, 'GET / HTTP/1.0\r\n\r\n')).toMatch(/rest$/);
  });

  it.each([
    'GET http://other/ HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'NOT HTTP\r\n\r\n',
  ])('refuses %j with 400, and closes', async (request) => {
    const { port } = await start((_, response) => response.end('handled'));
    const answer = await send(port, request);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain('handled');
  });

  it('gives up on headers that do not come to their end', async () => {
    const { port } = await start((_, response) => response.end(), { headersTimeoutMs: 200 });
    expect(await send(port, 'GET / HTTP/1.1\r\nhost: a\r\n', 'x: ')).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('gives up on an API body that does not come to its end', async () => {
    const { port } = await start(
      (request, response) => {
        request.resume();
        request.on('end', () => response.end());
      },
      { bodyTimeoutMs: 200 },
    );
    const answer = await send(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n', 'half');
    expect(answer).toBe('');
  });

  it.each([
    ['no body', 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
    [
      'a body that nobody reads',
      'POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}',
    ],
  ])('lets an answer to %s take longer than a body may', async (_, request) => {
    const { port } = await start(
      (_request, response) => {
        response.write('begun ');
        setTimeout(() => response.end('ended'), 300);
      },
      { bodyTimeoutMs: 50 },
    );
    expect(await send(port, request)).toContain('ended');
  });

  it('lets a tunnel’s upload take its time', async () => {
    const ended = new Promise<void>((resolve) => {
      void start((_, response) => response.end(), {
        bodyTimeoutMs: 50,
        hosts: [
          {
            find: () => ({
              upgrade: () => {},
              request(request, response) {
                request.resume();
                request.on('end', () => {
                  response.end();
                  resolve();
                });
              },
            }),
          },
        ],
      }).then(({ port }) => {
        const socket = connect(port, '127.0.0.1');
        socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n1');
        setTimeout(() => socket.write('2'), 200);
      });
    });
    await ended;
  });

  it('answers an offer of HTTP/2 as if there had been none, also with a body and on a connection that goes on', async () => {
    const seen: unknown[] = [];
    const { port } = await start((request, response) => {
      const { upgrade, 'http2-settings': settings, connection } = request.headers;
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push([request.url, body, upgrade, settings, connection]);
        response.end('plain');
      });
    });
    const offer = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQ\r\n';
    const socket = connect(port, '127.0.0.1');
    const ask = async (...parts: string[]) => {
      for (const part of parts) socket.write(part);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*plain$/);
    };
    await ask(`GET /one HTTP/1.1\r\nhost: a\r\n${offer}\r\n`);
    await ask(`GET /two HTTP/1.1\r\nhost: a\r\n${offer}\r\n`);
    // The connection ends with its answer by some lines of Node.js.
    await ask(`POST /three HTTP/1.1\r\nhost: a\r\n${offer}content-length: 4\r\n\r\nbo`, 'dy');
    socket.destroy();
    expect(seen).toEqual([
      ['/one', '', undefined, undefined, 'keep-alive'],
      ['/two', '', undefined, undefined, 'keep-alive'],
      ['/three', 'body', undefined, undefined, 'keep-alive'],
    ]);
  });

  it('checks an offer of HTTP/2 as any other request', async () => {
    const { port } = await start((_, response) => response.end('handled'));
    const offer = 'connection: Upgrade\r\nupgrade: h2c\r\n';
    const answer = await send(port, `GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n${offer}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('reads all headers of a request, however many: one that was not read could smuggle another request', async () => {
    const { port } = await start((request, response) => {
      request.resume();
      response.end(request.headers['transfer-encoding']);
    });
    const many = 'a:b\r\n'.repeat(1500);
    const last = 'transfer-encoding: chunked\r\nconnection: close\r\n';
    expect(await send(port, `GET / HTTP/1.1\r\nhost: a\r\n${many}${last}\r\n0\r\n\r\n`)).toMatch(/chunked$/);
  });

  it('answers an offer of HTTP/2 after what was asked before it on the same connection', async () => {
    const finish: (() => void)[] = [];
    let isHeld = true;
    const { port } = await start((request, response) => {
      if (isHeld && request.url !== '/three') finish.push(() => response.end(request.url));
      else response.end(request.url);
    });
    const offer = 'connection: Upgrade\r\nupgrade: h2c\r\n';
    const answer = send(
      port,
      'GET /one HTTP/1.1\r\nhost: a\r\n\r\nGET /two HTTP/1.1\r\nhost: a\r\n\r\n' +
        `GET /three HTTP/1.1\r\nhost: a\r\n${offer}\r\n` +
        'GET /four HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n',
    );
    await expect.poll(() => finish.length).toBeGreaterThan(1);
    isHeld = false;
    for (const each of finish) each();
    expect((await answer).match(/\/(one|two|three|four)/g)).toEqual(['/one', '/two', '/three', '/four']);
  });

  it('outlives a connection that is reset while an upgrade waits for what was asked before it', async () => {
    const started = await start(() => {});
    const offered = once(started.server, 'upgrade');
    const socket = connect(started.port, '127.0.0.1');
    const upgrade = 'connection: Upgrade\r\nupgrade: websocket\r\n';
    socket.write(`GET / HTTP/1.1\r\nhost: a\r\n\r\nGET / HTTP/1.1\r\nhost: a\r\n${upgrade}\r\n`);
    const [, served] = await offered;
    const ended = new Promise<unknown>((resolve) => served.prependOnceListener('error', resolve));
    socket.resetAndDestroy();
    expect(await ended).toMatchObject({ code: 'ECONNRESET' });
    await started.whenIdle();
  });

  it('keeps nothing of a connection for each offer of HTTP/2 on it', async () => {
    const listeners: number[] = [];
    const { port } = await start(({ socket: served }, response) => {
      listeners.push(served.listenerCount('close'));
      response.end();
    });
    const offer = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: h2c\r\n\r\n';
    const socket = connect(port, '127.0.0.1');
    for (let count = 0; count < 5; count += 1) {
      socket.write(offer);
      await once(socket, 'data');
    }
    socket.destroy();
    expect(listeners).toHaveLength(5);
    expect(new Set(listeners.slice(1)).size).toBe(1);
  });

  it('ends every answer of a connection that is cut, those too whose turn has not come', async () => {
    let closed = 0;
    let asked = 0;
    const started = await start((_, response) => {
      asked += 1;
      response.on('close', () => {
        closed += 1;
      });
    });
    const socket = connect(started.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3));
    await expect.poll(() => asked).toBe(3);
    socket.destroy();
    await started.whenIdle();
    expect(closed).toBe(3);
  });

  it('closes a refused upgrade by itself, whatever its client does', async () => {
    const { port, server } = await start(() => {});
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write('GET /nowhere HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 /);
    const countConnections = () =>
      new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    await expect.poll(countConnections, { timeout: 5_000 }).toBe(0);
    socket.destroy();
  });

  it('the host server is idle when the last request is answered, and cuts what left HTTP', async () => {
    let finish = () => {};
    const asked = new Promise<void>((resolve) => {
      void start(
        (_, response) => {
          finish = () => response.end('done');
          resolve();
        },
        { upgrades: [{ path: '/socket', upgrade: (_, socket) => socket.write('HTTP/1.1 101 x\r\n\r\n') }] },
      );
    });
    await expect.poll(() => hostServer?.server.listening).toBe(true);
    const started = hostServer as HostServer;
    const { port } = started.server.address() as AddressInfo;
    const upgraded = connect(port, '127.0.0.1');
    upgraded.on('error', () => {});
    upgraded.write('GET /socket HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    await once(upgraded, 'data');
    await started.whenIdle();

    const answer = send(port, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await asked;
    let isIdle = false;
    const idle = started.whenIdle().then(() => {
      isIdle = true;
    });
    started.refuseReuse();
    expect(isIdle).toBe(false);
    finish();
    await idle;
    // The client had asked for its connection to stay.
    expect(await answer).toMatch(/connection: close[\s\S]*done$/i);
    const closed = once(upgraded, 'close');
    started.cutAll();
    await closed;
  });
});
