import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { YamuxClient, yamuxFrame } from '@pult/testkit';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { START_WINDOW } from './frames.ts';
import { type YamuxOptions, YamuxSession } from './session.ts';
import type { YamuxStream } from './stream.ts';

interface Ends {
  session: YamuxSession;
  /** The device's end of the connection. */
  raw: Socket;
  streams: YamuxStream[];
}

async function openEnds(options: Partial<YamuxOptions> = {}): Promise<Ends> {
  const listener = createServer();
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const raw = connect({ port: (listener.address() as { port: number }).port, host: '127.0.0.1' });
  raw.on('error', () => {});
  const [socket] = (await once(listener, 'connection')) as [Socket];
  const streams: YamuxStream[] = [];
  const session = new YamuxSession(socket, { onStream: (stream) => streams.push(stream), ...options });
  onTestFinished(() => {
    raw.destroy();
    session.close('transport');
    listener.close();
  });
  return { session, raw, streams };
}

const echo = (stream: YamuxStream) => void stream.pipe(stream);

it('a yamux stream carries more than its window both ways, whole', async () => {
  const { raw } = await openEnds({ onStream: echo });
  const stream = new YamuxClient(raw).openStream();
  const sent = Buffer.alloc(3 * 1024 * 1024, 'some bytes');
  stream.end(sent);
  expect((await buffer(stream)).equals(sent)).toBe(true);
});

it('a yamux stream that nobody reads holds up no other one', async () => {
  const { raw, streams } = await openEnds();
  const client = new YamuxClient(raw);
  const stuck = client.openStream();
  stuck.write(Buffer.alloc(START_WINDOW + 1));
  await expect.poll(() => streams[0]?.unreadBytes).toBe(START_WINDOW);
  const stream = client.openStream();
  stream.end('other');
  await expect.poll(() => streams.length).toBe(2);
  expect(String(await buffer(streams[1] as YamuxStream))).toBe('other');
  expect(streams[0]?.unreadBytes).toBe(START_WINDOW);
});

it('a yamux stream of small pieces that nobody reads holds few of them, and their order', async () => {
  const { raw, streams } = await openEnds();
  const stream = new YamuxClient(raw).openStream();
  const sent = Array.from({ length: 1000 }, (_, index) => `${index} `);
  for (const piece of sent) stream.write(piece);
  stream.end();
  await expect.poll(() => streams[0]?.unreadBytes).toBe(sent.join('').length);
  expect(String(await buffer(streams[0] as YamuxStream))).toBe(sent.join(''));
});

it('a yamux stream is acknowledged as soon as it is opened', async () => {
  const { raw } = await openEnds();
  raw.write(yamuxFrame(1, 1, 1, 0));
  const [answer] = (await once(raw, 'data')) as [Buffer];
  expect(answer).toEqual(yamuxFrame(1, 2, 1, 0));
});

it('each direction of a yamux stream ends on its own', async () => {
  const { raw, streams } = await openEnds();
  const stream = new YamuxClient(raw).openStream();
  stream.end('question');
  await expect.poll(() => streams.length).toBe(1);
  const [server] = streams as [YamuxStream];
  const ended = once(server, 'end');
  const questions: string[] = [];
  server.on('data', (bytes) => questions.push(String(bytes)));
  await ended;
  expect(questions).toEqual(['question']);
  server.end('answer');
  expect(String(await buffer(stream))).toBe('answer');
});

it('a yamux session takes streams whose numbers arrive in another order, each with its own bytes', async () => {
  const { raw, streams } = await openEnds();
  const client = new YamuxClient(raw);
  const numbers = Array.from({ length: 12 }, (_, index) => 2 * index + 1);
  for (const number of numbers) client.openStream().end(`stream ${number}`);
  await expect.poll(() => streams.length).toBe(numbers.length);
  const arrived = streams.map(({ id }) => id);
  expect(arrived).not.toEqual(numbers);
  expect(arrived.toSorted((one, other) => one - other)).toEqual(numbers);
  const texts = await Promise.all(streams.map(async (stream) => String(await buffer(stream))));
  expect(texts).toEqual(arrived.map((number) => `stream ${number}`));
});

it('a yamux stream that the device resets is an error', async () => {
  const { raw, streams } = await openEnds();
  const stream = new YamuxClient(raw).openStream();
  await expect.poll(() => streams.length).toBe(1);
  stream.destroy();
  const [error] = await once(streams[0] as YamuxStream, 'error');
  expect(error).toMatchObject({ message: 'cut by the device' });
});

it('a yamux stream that the server destroys is reset, and what was on its way is dropped', async () => {
  const { raw, streams, session } = await openEnds();
  const client = new YamuxClient(raw);
  const stream = client.openStream();
  await expect.poll(() => streams.length).toBe(1);
  streams[0]?.destroy();
  raw.write(yamuxFrame(0, 0, 1, 4, 'late'));
  await once(stream, 'error');
  client.ping(7);
  await expect.poll(() => client.pongs).toEqual([7]);
  expect(session.bytesIn).toBeGreaterThan(0);
});

it('a yamux ping is answered while a stream has much to send', async () => {
  const { raw, streams } = await openEnds();
  const client = new YamuxClient(raw);
  client.openStream();
  await expect.poll(() => streams.length).toBe(1);
  streams[0]?.write(Buffer.alloc(8 * 1024 * 1024));
  client.ping(42);
  await expect.poll(() => client.pongs).toEqual([42]);
});

it('a yamux session whose device says goodbye has ended by shutdown', async () => {
  const { raw, session } = await openEnds();
  new YamuxClient(raw).goAway(0);
  raw.end();
  expect(await session.closed).toBe('shutdown');
});

it('a yamux session whose connection is lost cuts its streams', async () => {
  const { raw, session, streams } = await openEnds();
  new YamuxClient(raw).openStream();
  await expect.poll(() => streams.length).toBe(1);
  const failed = once(streams[0] as YamuxStream, 'error');
  raw.destroy();
  expect(await session.closed).toBe('transport');
  await failed;
});

it('a yamux session that the server closes for good says goodbye', async () => {
  const { raw, session } = await openEnds();
  const client = new YamuxClient(raw);
  session.close('shutdown');
  await once(raw, 'close');
  expect(client.goAways).toEqual([0]);
});

it('a yamux session that is closed holds its connection no longer for a device that does not part', async () => {
  const never = () => {};
  const socket = new Duplex({ read: never, write: (_chunk, _encoding, done) => done(), final: never });
  new YamuxSession(socket, { onStream: never }).close('revoked');
  await once(socket, 'close');
});

it('a silent device that answers pings keeps its yamux session, one that does not loses it', async () => {
  const patient = await openEnds({ silenceMs: 10, answerMs: 10_000 });
  new YamuxClient(patient.raw);
  await expect.poll(() => patient.session.bytesIn).toBeGreaterThan(0);
  const dead = await openEnds({ silenceMs: 10, answerMs: 10 });
  dead.raw.resume();
  expect(await dead.session.closed).toBe('ping_timeout');
});

const open = yamuxFrame(1, 1, 1, 0);
const unlawful: [string, Buffer][] = [
  ['of another version', Buffer.concat([Buffer.from([1]), open.subarray(1)])],
  ['of an unknown type', yamuxFrame(4, 0, 1, 0)],
  ['with unknown flags', yamuxFrame(0, 16, 1, 0)],
  ['of data on no stream', yamuxFrame(0, 0, 0, 1, 'x')],
  ['of a ping on a stream', yamuxFrame(2, 1, 1, 0)],
  ['that opens an even stream', yamuxFrame(1, 1, 2, 0)],
  ['that opens a stream twice', Buffer.concat([open, open])],
  ['that makes a window too large', Buffer.concat([open, yamuxFrame(1, 0, 1, 0xff_ff_ff_ff)])],
];
it.each(unlawful)('a yamux frame %s ends its session', async (_, bytes) => {
  const { raw, session } = await openEnds();
  raw.write(bytes);
  expect(await session.closed).toBe('protocol');
});

/** Were it read as frames, it would end the session. */
const payload = '\xff'.repeat(30);
const late = (streamId: number) =>
  Buffer.concat([
    yamuxFrame(0, 0, streamId, payload.length, payload),
    yamuxFrame(1, 0, streamId, 65_536),
    yamuxFrame(0, 4, streamId, payload.length, payload),
    yamuxFrame(1, 8, streamId, 0),
  ]);
const unknown: [string, Buffer][] = [
  ['of a stream that was never opened', late(5)],
  ['of an even stream', late(2)],
  ['of a stream that the device has reset', Buffer.concat([open, yamuxFrame(1, 8, 1, 0), late(1)])],
  ['that open a number again whose stream is gone', Buffer.concat([open, yamuxFrame(1, 8, 1, 0), open])],
  ['behind the end of their stream', Buffer.concat([open, yamuxFrame(1, 4, 1, 0), late(1)])],
];
it.each(unknown)('yamux frames %s leave their session alone, with their payload', async (_, bytes) => {
  const { raw, streams } = await openEnds();
  const client = new YamuxClient(raw);
  raw.write(yamuxFrame(1, 1, 7, 0));
  raw.write(bytes);
  raw.write(yamuxFrame(0, 4, 7, 5, 'whole'));
  client.ping(9);
  await expect.poll(() => client.pongs).toEqual([9]);
  const [stream] = streams;
  expect(String(await buffer(stream as YamuxStream))).toBe('whole');
});

it('a yamux stream delivers what came before its end, and nothing that came behind it', async () => {
  const { raw, streams } = await openEnds();
  raw.write(Buffer.concat([open, yamuxFrame(0, 4, 1, 6, 'before'), yamuxFrame(0, 0, 1, 6, 'behind')]));
  await expect.poll(() => streams.length).toBe(1);
  expect(String(await buffer(streams[0] as YamuxStream))).toBe('before');
});

it('a device that sends past the window of a yamux stream ends its session', async () => {
  const { raw, session } = await openEnds();
  raw.write(Buffer.concat([open, yamuxFrame(0, 0, 1, START_WINDOW + 1), Buffer.alloc(START_WINDOW + 1)]));
  expect(await session.closed).toBe('protocol');
});

it('a device that opens more yamux streams than it may has those reset, and keeps the others', async () => {
  const { raw, streams } = await openEnds({ maxStreams: 3 });
  const client = new YamuxClient(raw);
  const opened = Array.from({ length: 5 }, () => client.openStream());
  const failures = opened.map((stream) => once(stream, 'error'));
  await Promise.race(failures);
  await expect.poll(() => opened.filter(({ destroyed }) => destroyed).length).toBe(2);
  expect(streams).toHaveLength(3);
  streams[0]?.destroy();
  await expect.poll(() => opened.filter(({ destroyed }) => destroyed).length).toBe(3);
  client.openStream();
  await expect.poll(() => streams.length).toBe(4);
});

const floods: [string, (index: number) => Buffer][] = [
  ['pings', () => yamuxFrame(2, 1, 0, 1)],
  ['pongs', () => yamuxFrame(2, 2, 0, 1)],
  ['data of no bytes for no stream', () => yamuxFrame(0, 0, 5, 0)],
  ['streams that are cut as they are opened', (index) => yamuxFrame(0, 9, 2 * index + 1, 64, 'x'.repeat(64))],
  ['new streams', (index) => yamuxFrame(1, 1, 2 * index + 1, 0)],
];
it.each(floods)('a flood of yamux frames, %s, ends its session', async (_, frameOf) => {
  const { raw, session } = await openEnds();
  raw.resume();
  raw.write(Buffer.concat(Array.from({ length: 100_000 }, (_each, index) => frameOf(index))));
  expect(await session.closed).toBe('flood');
});

it.each([
  ['asks', yamuxFrame(2, 1, 0, 1)],
  ['opens streams past its limit', yamuxFrame(1, 1, 3, 0)],
])('a device that %s and never reads the answers ends its yamux session', async (_, frame) => {
  const many = Buffer.concat(Array.from({ length: 16 * 1024 }, () => frame));
  const socket = new Duplex({ read() {}, write() {} }); // takes the first answer, and no other one
  const session = new YamuxSession(socket, { onStream: echo, maxStreams: 1 });
  socket.push(open);
  const flood = setInterval(() => socket.push(many), 200);
  expect(await session.closed).toBe('flood');
  expect(session.bytesOut).toBeLessThan(1_100_000);
  clearInterval(flood);
});

it('whatever bytes come, a yamux session does nothing worse than to end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 20 }),
      async (pieces) => {
        const { raw, session } = await openEnds({ onStream: echo });
        for (const piece of pieces) raw.write(piece);
        raw.end();
        expect(['protocol', 'transport', 'flood', 'shutdown']).toContain(await session.closed);
      },
    ),
  );
});
