import { once } from 'node:events';
import type { Agent, IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startProxy } from './raw-upstream.fixture.ts';

const ok = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const evil = ok('evil');
const isClosed = (socket: Socket | undefined) => expect.poll(() => socket?.destroyed).toBe(true);

it('one connection carries GETs one after another, and each POST has one of its own, which the upstream is told', async () => {
  const heads: string[] = [];
  const proxy = await startProxy((socket, received) => {
    heads.push(received);
    socket.write(ok('good'));
  });
  for (const method of ['GET', 'POST', 'GET', 'POST', 'GET']) {
    expect(await proxy.send(method)).toEqual([200, 'good']);
  }
  expect(proxy.connections).toHaveLength(3);
  const [shared, ...single] = proxy.connections;
  for (const connection of single) await isClosed(connection);
  expect(shared?.destroyed).toBe(false);
  const isClosing = heads.map((head) => /^connection: close\r$/im.test(head));
  expect(isClosing).toEqual([false, true, false, true, false]);
});

it('a POST beyond the share of single connections waits, and gets one of its own', async () => {
  const proxy = await startProxy((socket) => {
    if (proxy.connections.length > 1) socket.write(ok('second'));
  });
  const first = proxy.send('POST');
  await expect.poll(() => proxy.connections.length).toBe(1);
  const second = proxy.send('POST');
  await expect.poll(() => Object.keys(proxy.pool.single.requests)).toHaveLength(1);
  expect(proxy.connections).toHaveLength(1);
  proxy.connections[0]?.write(ok('first'));
  expect(await Promise.all([first, second])).toEqual([
    [200, 'first'],
    [200, 'second'],
  ]);
  expect(proxy.connections).toHaveLength(2);
});

it('an answer that begins before its request is out comes whole, and its connection carries nothing else', async () => {
  const proxy = await startProxy((socket, received) => {
    if (received.startsWith('POST')) socket.write(`${ok('early')}`);
    else if (received.startsWith('GET')) socket.write(ok('good'));
  });
  const upload = proxy.start('POST', { 'content-length': '100' });
  upload.on('error', () => {});
  upload.write('GET /');
  expect(await proxy.finish(upload)).toEqual([200, 'early']);
  await isClosed(proxy.connections[0]);
  upload.end('x'.repeat(95));
  expect(await proxy.send()).toEqual([200, 'good']);
  expect(proxy.connections).toHaveLength(2);
});

it('a GET that is answered before it is out leaves its connection to nobody', async () => {
  const opened: Duplex[] = [];
  const open = async () => {
    const stream = new Duplex({
      read() {},
      // Never says that it has taken the request.
      write: () => void stream.push(ok('early')),
    });
    opened.push(stream);
    return stream;
  };
  const proxy = await startProxy(() => {}, { open });
  for (let index = 0; index < 2; index += 1) expect(await proxy.send()).toEqual([200, 'early']);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
});

it('the rest of an upload passes by after an early answer, so that its client can send the next request', async () => {
  const proxy = await startProxy((socket, received) => {
    if (received.startsWith('POST')) socket.write(ok('early'));
    else if (received.startsWith('GET')) socket.write(ok('good'));
  });
  const client = connect(proxy.port, '127.0.0.1');
  let answers = '';
  client.on('data', (bytes) => {
    answers += bytes;
  });
  client.write(`POST / HTTP/1.1\r\nhost: proxy.test\r\ncontent-length: ${8 << 20}\r\n\r\nx`);
  await expect.poll(() => answers).toContain('early');
  client.write(Buffer.alloc((8 << 20) - 1));
  client.write('GET / HTTP/1.1\r\nhost: proxy.test\r\n\r\n');
  await expect.poll(() => answers).toContain('good');
  client.destroy();
});

it('bytes that come over an idle connection close it, and are no answer', async () => {
  const proxy = await startProxy((socket) => socket.write(ok('good')));
  await proxy.send();
  const [idle] = proxy.connections;
  idle?.write(evil);
  await isClosed(idle);
  expect(await proxy.send()).toEqual([200, 'good']);
});

it('bytes that come before a request are no answer to it', async () => {
  const proxy = await startProxy((socket) => socket.write(ok('good')), { greeting: evil });
  expect(await proxy.send()).toEqual([502, 'refused']);
});

it('bytes that come behind an answer that somebody still reads close the connection, and cut nothing', async () => {
  const body = 'x'.repeat(4 << 20);
  const proxy = await startProxy((socket) => socket.write(ok(body)));
  const slow = proxy.start().end();
  const [answer] = (await once(slow, 'response')) as [IncomingMessage];
  const [connection] = proxy.connections;
  await expect.poll(() => connection?.writableLength).toBe(0);
  connection?.write(evil);
  expect(await text(answer)).toBe(body);
  await isClosed(connection);
});

it('a GET that has waited for a used connection is repeated where the upstream cuts that', async () => {
  const used = new Set<Socket>();
  const proxy = await startProxy((socket) => {
    if (used.has(socket)) socket.resetAndDestroy();
    else if (used.size > 0) socket.write(ok('good'));
    used.add(socket);
  });
  const first = proxy.send();
  await expect.poll(() => used.size).toBe(1);
  const second = proxy.send();
  await expect.poll(() => Object.keys(proxy.pool.shared.requests)).toHaveLength(1);
  proxy.connections[0]?.write(ok('first'));
  expect(await first).toEqual([200, 'first']);
  expect(await second).toEqual([200, 'good']);
});

it.each([
  [
    'the body that an answer to HEAD must not have',
    'HEAD',
    `HTTP/1.1 200 OK\r\ncontent-length: ${evil.length}\r\n\r\n`,
  ],
  ['the body of a 304', 'GET', `HTTP/1.1 304 Not Modified\r\ncontent-length: ${evil.length}\r\n\r\n`],
  ['the chunks of a 204', 'GET', 'HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n'],
])('%s is no answer to the next request', async (_, method, head) => {
  let isFirst = true;
  const proxy = await startProxy((socket) => {
    // What is left of the first answer comes together with the next one.
    socket.write(isFirst ? head : evil);
    isFirst = false;
  });
  await proxy.send(method);
  await isClosed(proxy.connections[0]);
});

it('a 304 without a body leaves its connection to others', async () => {
  const proxy = await startProxy((socket) => socket.write('HTTP/1.1 304 Not Modified\r\netag: "1"\r\n\r\n'));
  for (let index = 0; index < 3; index += 1) expect(await proxy.send()).toEqual([304, '']);
  expect(proxy.connections).toHaveLength(1);
});

it('a GET with a body is refused on a connection that ends, and the log says why', async () => {
  const proxy = await startProxy((socket) => socket.write(ok('good')));
  const request = proxy
    .start('GET', { 'content-length': '4', host: 'proxy.test', connection: 'keep-alive' })
    .end('evil');
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(400);
  expect(answer.headers.connection).toBe('close');
  answer.resume();
  expect(proxy.connections).toHaveLength(0);
  expect(proxy.log.warn).toHaveBeenCalledWith(
    { method: 'GET', host: 'proxy.test', address: '192.0.2.1' },
    'refused: a body that a web server may take for a request',
  );
});

it('a length that is no length to everybody comes to no upstream', async () => {
  let head = '';
  const proxy = await startProxy((socket, received) => {
    head = received;
    socket.write(ok('good'));
  });
  await proxy.finish(
    proxy.start('GET', { content_length: '40', transfer_encoding: 'chunked', x_length: '1' }).end(),
  );
  expect(head).toContain('x_length: 1');
  expect(head).not.toMatch(/content_length|transfer_encoding/i);
});

/** How many requests wait for a connection. */
const waiting = ({ requests }: Agent) =>
  Object.values(requests).reduce((sum, each) => sum + (each?.length ?? 0), 0);

it('every POST that waits for a connection is refused where none can be opened any more', async () => {
  let isUp = true;
  const proxy = await startProxy(() => {}, {
    open: (openSocket) => (isUp ? openSocket() : Promise.reject(new Error('gone'))),
  });
  const asked = [proxy.send('POST')];
  await expect.poll(() => proxy.connections.length).toBe(1);
  for (let index = 0; index < 3; index += 1) asked.push(proxy.send('POST'));
  await expect.poll(() => waiting(proxy.pool.single)).toBe(3);
  isUp = false;
  proxy.connections[0]?.destroy();
  expect(await Promise.all(asked)).toEqual(asked.map(() => [502, 'refused']));
  expect(waiting(proxy.pool.single)).toBe(0);
});

it('a GET that waits for a connection is refused when its time is over', async () => {
  const proxy = await startProxy((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nendless'), {
    answerTimeoutMs: 100,
  });
  const endless = proxy.start().end();
  await once(endless, 'response');
  expect(await proxy.send()).toEqual([502, 'refused']);
  endless.destroy();
});

it('connections that are still being opened count as open', async () => {
  const opening: (() => void)[] = [];
  const proxy = await startProxy((socket) => socket.write(ok('good')), {
    open: async (openSocket) => {
      await new Promise<void>((resolve) => opening.push(resolve));
      return openSocket();
    },
    maxSingleSockets: 2,
  });
  const asked = Array.from({ length: 6 }, (_, index) => proxy.send(index % 2 ? 'POST' : 'GET'));
  await expect.poll(() => waiting(proxy.pool.single) + waiting(proxy.pool.shared)).toBe(3);
  expect(opening).toHaveLength(3);
  const isDone = Promise.all(asked);
  const opener = setInterval(() => opening.shift()?.(), 1);
  expect(await isDone).toEqual(asked.map(() => [200, 'good']));
  clearInterval(opener);
});

it('requests that wait for connections which fail to open are refused', async () => {
  const opening: ((error: Error) => void)[] = [];
  const proxy = await startProxy(() => {}, {
    open: () => new Promise<never>((_, reject) => opening.push(reject)),
  });
  const asked = Array.from({ length: 3 }, () => proxy.send('POST'));
  await expect.poll(() => waiting(proxy.pool.single)).toBe(2);
  opening[0]?.(new Error('no handshake'));
  expect(await Promise.all(asked)).toEqual(asked.map(() => [502, 'refused']));
});

it('requests whose clients have left wait for no connection', async () => {
  const proxy = await startProxy((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nendless'));
  const endless = proxy.start().end();
  const [answer] = (await once(endless, 'response')) as [IncomingMessage];
  answer.on('error', () => {});
  const left = Array.from({ length: 20 }, () =>
    proxy
      .start()
      .on('error', () => {})
      .end(),
  );
  await expect.poll(() => waiting(proxy.pool.shared)).toBe(20);
  for (const request of left) request.destroy();
  await expect.poll(() => waiting(proxy.pool.shared)).toBe(0);
  endless.destroy();
  await isClosed(proxy.connections[0]);
  expect(proxy.connections).toHaveLength(1);
});
