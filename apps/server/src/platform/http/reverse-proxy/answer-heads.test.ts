import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startProxy } from './raw-upstream.fixture.ts';

/** Web servers that are not quite HTTP, as browsers get to see them. */

const isClosed = (socket: Socket | undefined) => expect.poll(() => socket?.destroyed).toBe(true);
const good = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood';

/** What a browser gets of these bytes; the upstream ends its side behind them where it `ends`. */
async function show(bytes: string, { method = 'GET', ends = true, piece = bytes.length } = {}) {
  const proxy = await startProxy((socket) => {
    socket.setNoDelay();
    for (let at = 0; at < bytes.length; at += piece) socket.write(bytes.slice(at, at + piece), 'latin1');
    if (ends) socket.end();
  });
  const [answer] = (await once(proxy.start(method).end(), 'response')) as [IncomingMessage];
  return { proxy, answer, body: await text(answer) };
}

it.each([
  ['lines that end with LF', 'HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Length: 4\n\npage'],
  [
    'chunks between lines that end with LF',
    'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\np\n3 ;a=b\nage\n0\nX-Trailer: 1\n\n',
  ],
  ['a length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\npage'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 100\r\n\r\npage'],
  [
    'a coding beside a length',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\n',
  ],
  [
    'identity beside a length',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 4\r\n\r\npage',
  ],
  ['a space before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 4\r\n\r\npage'],
  ['a folded line', 'HTTP/1.1 200 OK\r\nX-Folded: a\r\n  b\r\nContent-Length: 4\r\n\r\npage'],
  ['a line without a colon', 'HTTP/1.1 200 OK\r\nwhat is this\r\nContent-Length: 4\r\n\r\npage'],
  ['control characters', 'HTTP/1.1 200 OK\r\nX-Odd: a\x00\x01b\r\nContent-Length: 4\r\n\r\npage'],
  ['empty lines before it', '\r\n\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'],
  [
    'another coding beside a length',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: binary\r\nContent-Length: 4\r\n\r\npage',
  ],
  [
    'chunks that its version does not have',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\npage',
  ],
  [
    'chunks between lines that end with LF, behind a clean head',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\np\r\n3\nage\n0\n\n',
  ],
  [
    'sizes of chunks with spaces behind them',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\np\r\n3  \r\nage\r\n0\r\n\r\n',
  ],
  [
    'a trailer that is none',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\nwhat is this\r\n\r\n',
  ],
  ['bytes behind its length', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage and more'],
  [
    'bytes behind its length, and lines that end with LF',
    'HTTP/1.1 200 OK\nContent-Length: 4\n\npage and more',
  ],
  [
    'bytes behind its last chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npage\r\n0\r\n\r\nmore',
  ],
  [
    'an interim answer before it',
    'HTTP/1.1 103 Early Hints\nLink: </a>\n\nHTTP/1.1 200 OK\nContent-Length: 4\n\npage',
  ],
])(
  'an answer with %s is shown, whole or byte by byte, and its connection is not used again',
  async (_, bytes) => {
    for (const piece of [bytes.length, 1]) {
      const { proxy, answer, body } = await show(bytes, { ends: bytes.includes('100\r\n'), piece });
      expect([answer.statusCode, body]).toEqual([200, 'page']);
      await isClosed(proxy.connections[0]);
    }
  },
);

it.each([
  ['no size', 'zz\npage\n0\n\n'],
  ['a size that is too small', '2\npage\n0\n\n'],
  ['no end', '4\npage\n'],
  ['a line without end', `4;${'a'.repeat(100_000)}`],
])('chunks with %s, between lines that end with LF, are a cut answer', async (_, chunks) => {
  const proxy = await startProxy((socket) =>
    socket.end(`HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nall\n${chunks}`),
  );
  await expect(proxy.send()).rejects.toThrow();
});

it('what follows the last chunk between lines that end with LF is no answer', async () => {
  const head = 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n';
  let isFirst = true;
  const proxy = await startProxy((socket) => {
    socket.write(isFirst ? `${head}4\nfour\n0\n\n${good.replace('good', 'evil')}` : good);
    isFirst = false;
  });
  expect(await proxy.send()).toEqual([200, 'four']);
  expect(await proxy.send()).toEqual([200, 'good']);
});

it.each([
  ['HEAD', 'HTTP/1.1 200 OK\nContent-Length: 4\n\n', 200],
  ['GET', 'HTTP/1.1 204 No Content\nContent-Length: 4\n\n', 204],
  ['GET', 'HTTP/1.1 304 Not Modified\nContent-Length: 4\n\n', 304],
  ['HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage', 200],
  ['GET', 'HTTP/1.1 204 No Content\r\n\r\npage', 204],
  ['GET', 'HTTP/1.1 304 Not Modified\r\n\r\npage', 304],
])('%s: an answer without a body, %j, ends with its head', async (method, bytes, status) => {
  const { proxy, answer, body } = await show(bytes, { method, ends: false });
  expect([answer.statusCode, body]).toEqual([status, '']);
  await isClosed(proxy.connections[0]);
});

it('a clean answer leaves its connection to others, though it comes byte by byte, behind clean interim ones', async () => {
  const bytes = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${good}`;
  const proxy = await startProxy((socket) => {
    for (const byte of bytes) socket.write(byte);
  });
  for (let index = 0; index < 3; index += 1) expect(await proxy.send()).toEqual([200, 'good']);
  expect(proxy.connections).toHaveLength(1);
});

it('clean chunks leave their connection to others, in whatever pieces they come', async () => {
  const bytes = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ng\r\n3\r\nood\r\n0\r\n\r\n';
  const proxy = await startProxy((socket) => {
    if (proxy.connections.length > 1) socket.destroy();
    else for (const piece of bytes.match(/[\s\S]{1,3}/g) ?? []) socket.write(piece);
  });
  for (let index = 0; index < 3; index += 1) expect(await proxy.send()).toEqual([200, 'good']);
  expect(proxy.connections).toHaveLength(1);
  const [connection] = Object.values(proxy.pool.shared.freeSockets).flat();
  expect(connection?.listenerCount('data')).toBe(1);
});

it('a connection whose answer was mended carries no second one', async () => {
  let isFirst = true;
  const proxy = await startProxy((socket) => {
    socket.write(
      isFirst ? `HTTP/1.1 200 OK\nContent-Length: 4\n\nfour${good.replace('good', 'evil')}` : good,
    );
    isFirst = false;
  });
  expect(await proxy.send()).toEqual([200, 'four']);
  await isClosed(proxy.connections[0]);
  expect(await proxy.send()).toEqual([200, 'good']);
});

it('a head of 60 kB passes with each of its fields', async () => {
  const fields = Array.from({ length: 3_800 }, (_, index) => `x-${index}: filler`);
  const bytes = ['HTTP/1.1 200 OK', ...fields, 'content-length: 4', '', 'page'].join('\r\n');
  const proxy = await startProxy((socket) => socket.write(bytes));
  const client = connect(proxy.port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: proxy.test\r\nconnection: close\r\n\r\n');
  const answer = await text(client);
  expect(answer.match(/^x-\d+: filler\r$/gm)).toHaveLength(fields.length);
  expect(answer.endsWith('\r\n\r\npage')).toBe(true);
});

it.each([
  ['no HTTP', 'notHttp', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['one byte that is no HTTP', 'notHttp', '\x15'],
  ['no status', 'unknownStatus', 'HTTP/1.1 OK\r\n\r\n'],
  ['a head of over 64 kB', 'largeHead', `HTTP/1.1 200 OK\r\n${'x-filler: 0123456789\r\n'.repeat(3_500)}`],
  [
    'a change of protocols that nobody has asked for',
    'unaskedSwitch',
    'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  ],
])('an answer of %s is refused at once, and the refusal knows why', async (_, fault, bytes) => {
  const proxy = await startProxy((socket) => socket.write(bytes, 'latin1'));
  expect(await proxy.send()).toEqual([502, 'refused']);
  expect(proxy.failures).toEqual([expect.objectContaining({ fault })]);
  await isClosed(proxy.connections[0]);
});

it('interim answers without end are refused', async () => {
  const proxy = await startProxy((socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(3_000)));
  expect(await proxy.send()).toEqual([502, 'refused']);
  expect(proxy.failures).toEqual([expect.objectContaining({ fault: 'largeHead' })]);
});

it.each([
  ['within its head', 'cutHead', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ['within an interim one', 'cutHead', 'HTTP/1.1 103 Early'],
])('an answer that ends %s is refused, and the refusal knows why', async (_, fault, bytes) => {
  const proxy = await startProxy((socket) => socket.end(bytes));
  expect(await proxy.send()).toEqual([502, 'refused']);
  expect(proxy.failures).toEqual([expect.objectContaining({ fault })]);
});

it('a head that never ends is given up when its time is over', async () => {
  const proxy = await startProxy((socket) => socket.write('HTTP/1.1 200 OK\r\nx: '), { answerTimeoutMs: 50 });
  expect(await proxy.send()).toEqual([502, 'refused']);
  expect(proxy.failures).toEqual([expect.objectContaining({ name: 'UpstreamTimeoutError' })]);
});

/** All that a client gets that asks for a WebSocket. */
async function upgrade(serve: (socket: Socket) => void): Promise<string> {
  const proxy = await startProxy(serve);
  const client = connect(proxy.port, '127.0.0.1');
  client.write(
    'GET / HTTP/1.1\r\nhost: proxy.test\r\norigin: http://proxy.test\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
  );
  return text(client);
}

it('a change of protocols with lines that end with LF brings what follows it, byte by byte too', async () => {
  const fields = 'Connection: upgrade\nUpgrade: x\nTransfer-Encoding: chunked';
  const bytes = `HTTP/1.1 101 Switching Protocols\n${fields}\n\nfirst\n\n`;
  for (const piece of [bytes.length, 1]) {
    const got = await upgrade((socket) => {
      for (let at = 0; at < bytes.length; at += piece) socket.write(bytes.slice(at, at + piece));
      socket.end();
    });
    expect(got).toMatch(/^HTTP\/1\.1 101 Switching Protocols\r\n[\s\S]*\r\nUpgrade: x\r\n\r\nfirst\n\n$/);
  }
});

it.each([
  ['a space before a colon', 'HTTP/1.1 101 Go\r\nConnection : upgrade\r\nUpgrade: x\r\n\r\n'],
  ['a folded line', 'HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\nA: 1\r\n 2\r\n\r\n'],
  ['a control character', 'HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\nA: 1\x01\r\n\r\n'],
])('a change of protocols with %s is refused', async (_, bytes) => {
  expect(await upgrade((socket) => socket.write(bytes))).toMatch(/^HTTP\/1\.1 502 /);
});

it.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['no status', 'HTTP/1.1 OK\r\n\r\n'],
])('an upgrade that is answered with %s is refused', async (_, bytes) => {
  expect(await upgrade((socket) => socket.write(bytes))).toMatch(/^HTTP\/1\.1 502 /);
});

it('an upgrade that is refused brings that answer, whatever stands behind it', async () => {
  const got = await upgrade((socket) =>
    socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 6\r\n\r\nlog in and more'),
  );
  expect(got).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n[\s\S]*\r\n\r\nlog in$/);
});

it('an upgrade that is refused with lines that end with LF brings that answer', async () => {
  const got = await upgrade((socket) =>
    socket.end('HTTP/1.1 401 Unauthorized\nX-Kept : 1\nContent-Length: 6\n\nlog in'),
  );
  expect(got).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\nX-Kept: 1\r\n[\s\S]*\r\n\r\nlog in$/);
});
