import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { FrpClient, type FrpClientOptions, frpMessage, YamuxClient, yamuxFrame } from '@pult/testkit';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { ForwardedStream } from './forwarded-stream.ts';
import { formatMessage, MessageReader } from './messages.ts';
import { type FrpOptions, FrpSession } from './session.ts';

const user = 'A25NDEMJ';
const token = 'a token';

async function listen(onConnection: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer({ allowHalfOpen: true }, onConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { server, port: (server.address() as { port: number }).port };
}

/** A connection of which the server's end is a session. */
async function openEnds(options: Partial<FrpOptions> = {}) {
  let isReady: (session: FrpSession) => void = () => {};
  const ready = new Promise<FrpSession>((resolve) => {
    isReady = resolve;
  });
  const { server, port } = await listen(() => {});
  const accepted = once(server, 'connection');
  const raw = connect({ port, host: '127.0.0.1' });
  raw.on('error', () => {});
  const [socket] = (await accepted) as [Socket];
  const findToken = async (name: string) => (name === user ? token : undefined);
  const session = new FrpSession(socket, { findToken, onReady: isReady, ...options });
  onTestFinished(() => {
    raw.destroy();
    session.close('transport');
  });
  return { session, raw, ready };
}

async function openClient(options: Partial<FrpClientOptions> = {}, ours: Partial<FrpOptions> = {}) {
  const ends = await openEnds(ours);
  return { ...ends, client: new FrpClient(ends.raw, { user, token, ...options }) };
}

async function readError(stream: ForwardedStream): Promise<unknown> {
  const [error] = await once(stream, 'error');
  return (error as { code?: unknown }).code;
}

it('a controller that logs in is reached at a port of its loopback address', async () => {
  const { port } = await listen((socket) => socket.pipe(socket));
  const { ready, client } = await openClient({ ports: { 80: port } });
  const session = await ready;
  expect(session.user).toBe(user);
  const stream = session.open(80);
  stream.write('sent at once');
  await once(stream, 'connect');
  const [answer] = await once(stream, 'data');
  expect(String(answer)).toBe('sent at once');
  expect(client.requests).toEqual(['CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1:80']);
  stream.destroy();
});

it('an end of the caller is kept back until the controller’s own, and what it says arrives whole', async () => {
  const said = 'x'.repeat(2_000_000);
  const { port } = await listen((socket) => socket.once('data', () => socket.end(said)));
  const { ready } = await openClient({ ports: { 80: port } });
  const stream = (await ready).open(80);
  stream.end('question');
  expect(await text(stream)).toBe(said);
});

/** What comes back of bytes that went to a port which sends them back, as a checksum. */
async function hashEcho(stream: ForwardedStream, sent: Buffer): Promise<string> {
  const received = createHash('sha256');
  let left = sent.length;
  const whole = new Promise<void>((resolve, reject) => {
    stream.once('error', reject);
    stream.on('data', (bytes: Buffer) => {
      received.update(bytes);
      left -= bytes.length;
      if (left === 0) resolve();
    });
  });
  stream.write(sent);
  await whole;
  stream.destroy();
  return received.digest('hex');
}
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it('20 MB go to a controller and back, each byte in its place', async () => {
  const { port } = await listen((socket) => socket.pipe(socket));
  const { ready } = await openClient({ ports: { 80: port } });
  const sent = randomBytes(20_000_000);
  expect(await hashEcho((await ready).open(80), sent)).toBe(hashOf(sent));
});

it('16 transfers of 20 MB each way go on at once, each byte in its place', async () => {
  const { port } = await listen((socket) => socket.pipe(socket));
  const { ready } = await openClient({ ports: { 80: port } });
  const session = await ready;
  const bytes = randomBytes(20_000_016);
  // Of each its own, without 320 MB of random ones.
  const sent = Array.from({ length: 16 }, (_, index) => bytes.subarray(index, index + 20_000_000));
  const hashes = await Promise.all(sent.map((each) => hashEcho(session.open(80), each)));
  expect(hashes).toEqual(sent.map(hashOf));
}, 120_000);

it('bytes written before the caller lets go of a connection reach the controller', async () => {
  const received: string[] = [];
  const { server, port } = await listen((socket) =>
    socket.on('data', (bytes) => received.push(String(bytes))),
  );
  const { ready } = await openClient({ ports: { 80: port } });
  const stream = (await ready).open(80);
  await once(stream, 'connect');
  await new Promise<void>((resolve) => stream.write('last words', () => resolve()));
  stream.end();
  stream.destroy();
  await expect.poll(() => received).toEqual(['last words']);
  server.close();
});

it('many connections to a controller at once each get their own answer', async () => {
  const { port } = await listen((socket) => socket.pipe(socket));
  const { ready } = await openClient({ ports: { 7: port } });
  const session = await ready;
  const answers = Array.from({ length: 20 }, async (_, index) => {
    const stream = session.open(7);
    stream.write(`number ${index}`);
    const [answer] = await once(stream, 'data');
    stream.destroy();
    return String(answer);
  });
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, index) => `number ${index}`));
});

it('a port of the controller where nothing listens is refused', async () => {
  const { ready } = await openClient({ ports: {} });
  expect(await readError((await ready).open(81))).toBe('service_refused');
});

it('a controller that opens no work connection in time fails what was to be opened', async () => {
  const { ready, client } = await openClient({}, { openMs: 50 });
  client.isWilling = false;
  expect(await readError((await ready).open(80))).toBe('service_timeout');
});

it.each([
  ['ends', (work: Duplex) => work.end()],
  ['resets', (work: Duplex) => work.destroy()],
])('a work connection that the controller %s before its first message is lost alone', async (_, giveUp) => {
  const { port } = await listen((socket) => socket.pipe(socket));
  const { ready, client } = await openClient({ ports: { 80: port } });
  client.isWilling = false;
  const session = await ready;
  await expect.poll(() => client.heard.some(({ type }) => type === 'r')).toBe(true);
  const work = client.yamux.openStream();
  const closed = new Promise((resolve) => work.once('close', resolve));
  giveUp(work);
  await closed;
  client.isWilling = true;
  const stream = session.open(80);
  stream.write('still there');
  const [answer] = await once(stream, 'data');
  expect(String(answer)).toBe('still there');
  stream.destroy();
});

it('the end of a controller’s connection ends what is being opened there', async () => {
  const { ready, client, session } = await openClient();
  client.isWilling = false;
  const stream = (await ready).open(80);
  const error = readError(stream);
  session.close('revoked');
  expect(await error).toBe('link_closed');
});

it('a controller has no more than 128 connections open at a time', async () => {
  const { port } = await listen((socket) => socket.resume());
  const { ready } = await openClient({ ports: { 80: port } });
  const session = await ready;
  const open = Array.from({ length: 128 }, () => session.open(80));
  expect(await readError(session.open(80))).toBe('service_refused');
  const [first] = open;
  first?.destroy();
  await once(first as ForwardedStream, 'close');
  const next = session.open(80);
  await once(next, 'connect');
});

it('a login with a wrong token, or of an unknown device, is refused with a word', async () => {
  for (const wrong of [{ token: 'another' }, { user: 'STRANGER' }]) {
    const { client, session } = await openClient(wrong);
    expect(await session.closed).toBe('revoked');
    await client.closed;
    expect(client.heard).toMatchObject([{ type: '1', body: { error: 'authorization failed' } }]);
  }
});

it('a login whose clock is wrong is good', async () => {
  const { ready } = await openClient();
  expect((await ready).user).toBe(user);
});

it('a run id that frpc comes back with is kept', async () => {
  const { ready, client } = await openClient({ runId: 'of the time before' });
  await ready;
  expect(client.heard[0]).toMatchObject({ type: '1', body: { run_id: 'of the time before', error: '' } });
});

it('only our own proxy is taken of those that frpc offers', async () => {
  const { ready, client } = await openClient({ proxies: ['ssh', 'pult'] });
  await ready;
  await expect
    .poll(() => client.heard.filter(({ type }) => type === '2').map(({ body }) => body))
    .toMatchObject([
      { proxy_name: `${user}.ssh`, error: 'no such proxy here' },
      { proxy_name: `${user}.pult`, error: '' },
    ]);
});

it('frp’s own ping is answered', async () => {
  const { ready, client } = await openClient();
  await ready;
  client.say('h', {});
  await expect.poll(() => client.heard.at(-1)?.type).toBe('4');
});

it('nothing is opened at a controller that has withdrawn the proxy', async () => {
  const { ready, client } = await openClient();
  const session = await ready;
  client.say('c', { proxy_name: `${user}.pult` });
  client.say('h', {});
  await expect.poll(() => client.heard.at(-1)?.type).toBe('4');
  expect(await readError(session.open(80))).toBe('link_closed');
});

it('a client that does not log in is cut', async () => {
  const { session } = await openEnds({ loginMs: 20 });
  expect(await session.closed).toBe('protocol');
});

const unlawful: [string, (client: FrpClient) => void][] = [
  ['logs in twice', (client) => client.yamux.openStream().write(frpMessage('o', { user }))],
  ['opens work that nobody asked for', (client) => void [1, 2, 3].map(() => client.openWork())],
  ['opens work of another run', (client) => void client.openWork('another')],
  ['says what is no message', (client) => client.yamux.openStream().write(Buffer.alloc(9, 0xff))],
  [
    'says what is no JSON',
    (client) => client.yamux.openStream().write(Buffer.from('w\0\0\0\0\0\0\0\x01{', 'latin1')),
  ],
  [
    'says more than a message may be',
    (client) => client.sayRaw(Buffer.from('h\0\0\0\0\0\0\x28\x01', 'latin1')),
  ],
  ['says an unknown thing', (client) => client.say('z', {})],
  ['offers a proxy without a name', (client) => client.say('p', {})],
  ['ends a stream before its first message', (client) => void client.yamux.openStream().end()],
  ['speaks of nonsense in the open', (client) => client.yamux.socket.write(yamuxFrame(9, 0, 0, 0))],
];
it.each(unlawful)('a client that %s is cut, and nobody else', async (_, act) => {
  const honest = await openClient();
  await honest.ready;
  const { ready, client, session } = await openClient();
  await ready;
  await expect.poll(() => client.heard.some(({ type }) => type === 'r')).toBe(true);
  act(client);
  expect(['protocol', 'flood']).toContain(await session.closed);
  honest.client.say('h', {});
  await expect.poll(() => honest.client.heard.at(-1)?.type).toBe('4');
});

it('a client that closes its half is gone, with all that is open there', async () => {
  const { port } = await listen((socket) => socket.resume());
  const { ready, raw, session } = await openClient({ ports: { 80: port } });
  const stream = (await ready).open(80);
  await once(stream, 'connect');
  const failed = readError(stream);
  raw.end();
  expect(await session.closed).toBe('transport');
  expect(['link_closed', 'service_reset']).toContain(await failed);
});

it('work before a login ends the connection', async () => {
  const { raw, session } = await openEnds();
  new YamuxClient(raw).openStream().write(frpMessage('w', { run_id: '' }));
  expect(await session.closed).toBe('protocol');
});

it('a second stream before a login ends the connection, with whatever was begun on both', async () => {
  const { raw, session } = await openEnds({ loginMs: 600_000 });
  const yamux = new YamuxClient(raw);
  const begun = frpMessage('o', { user }).subarray(0, 20);
  for (const stream of [yamux.openStream(), yamux.openStream()]) stream.write(begun);
  expect(await session.closed).toBe('protocol');
});

it('a flood of messages on the control stream ends the connection', async () => {
  const { ready, client, session } = await openClient();
  await ready;
  for (let count = 0; count < 1000; count++) client.say('h', {});
  expect(await session.closed).toBe('flood');
});

it('frp messages are read however their bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ a: fc.string() }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 30 }),
      (bodies, size) => {
        const bytes = Buffer.concat(bodies.map((body) => formatMessage('h', body)));
        const reader = new MessageReader();
        const read: unknown[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          reader.add(bytes.subarray(at, at + size));
          for (let message = reader.next(); message; message = reader.next()) read.push(message.body);
        }
        expect(read).toEqual(bodies);
      },
    ),
  );
});
