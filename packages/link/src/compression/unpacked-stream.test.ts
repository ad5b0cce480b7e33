import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { frameFlags } from '../session/frames.ts';
import { block, deflatedBlock, makeText } from '../testing/blocks.ts';
import { acceptDevice, createLinkPair, sampleInfo } from '../testing/link-pair.ts';
import { acceptFrame, dataFrame, readRequests } from '../testing/raw-device.ts';
import { createService } from '../testing/services.ts';
import { Pair } from '../testing/session-pair.ts';
import { createRandom } from '../testing/wire.ts';
import { BlockPacker } from './block-packer.ts';
import { UnpackedStream } from './unpacked-stream.ts';

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A device that answers each CONNECT with the blocks that the test likes, and all else honestly. */
async function connectPacking(blocks: Buffer, isEnd = true) {
  const { socket, cloud } = await acceptDevice();
  readRequests(socket, (streamId, line) => {
    if (!line.startsWith('CONNECT'))
      return void socket.write(acceptFrame(streamId, JSON.stringify(sampleInfo), true));
    socket.write(dataFrame(streamId, '200 deflate\n'));
    // No longer than the first window: whoever unpacks is to be tried, not the window.
    socket.write(dataFrame(streamId, blocks.subarray(0, 16_000), isEnd ? frameFlags.end : 0));
  });
  return cloud;
}

test('text of a device that saves bytes arrives as it was, with a third of its bytes on the line', async () => {
  const text = makeText(2_000_000);
  const { cloud } = await createLinkPair({
    handlers: { ...(await createService((socket) => socket.resume().end(text))), isSaving: () => true },
  });
  const stream = cloud.open('http', { mayPack: true });
  stream.end();
  expect((await readAll(stream)).equals(text)).toBe(true);
  expect(cloud.bytesIn).toBeLessThan(text.length / 3);
});

test('what goes to a device goes as it is, and each direction ends on its own', async () => {
  const text = makeText(300_000);
  const { cloud } = await createLinkPair({
    handlers: { ...(await createService((socket) => socket.pipe(socket))), isSaving: () => true },
  });
  const stream = cloud.open('port-80', { mayPack: true });
  stream.end(text);
  expect((await readAll(stream)).equals(text)).toBe(true);
  expect(cloud.bytesOut).toBeGreaterThan(text.length);
  expect(cloud.bytesIn).toBeLessThan(text.length / 3);
});

test.each([
  ['ssh', { mayPack: true }],
  ['http', undefined],
])('nothing of %s shrinks with the option %j', async (name, options) => {
  const text = makeText(200_000);
  const { cloud } = await createLinkPair({
    handlers: { ...(await createService((socket) => socket.resume().end(text))), isSaving: () => true },
  });
  const stream = cloud.open(name, options);
  stream.end();
  expect((await readAll(stream)).equals(text)).toBe(true);
  expect(cloud.bytesIn).toBeGreaterThan(text.length);
});

test('a device that packs nothing is understood', async () => {
  const { socket, cloud } = await acceptDevice();
  const lines: string[] = [];
  readRequests(socket, (streamId, line) => {
    lines.push(line);
    socket.write(acceptFrame(streamId, 'as it is', true));
  });
  const stream = cloud.open('http', { mayPack: true });
  stream.end();
  expect(String(await readAll(stream))).toBe('as it is');
  expect(lines).toEqual(['CONNECT http deflate']);
});

test('a refusal is the error of the stream', async () => {
  const { cloud } = await createLinkPair();
  const stream = cloud.open('http', { mayPack: true });
  await expect(readAll(stream)).rejects.toMatchObject({
    code: 'service_refused',
    reason: 'no service in this test',
  });
});

const text = makeText(4_000);
test.each([
  ['with a body that is longer than told', deflatedBlock(text, 3_999)],
  ['with a body that is shorter than told', deflatedBlock(text, 4_001)],
  ['that is nothing deflated', block(Buffer.alloc(900, 0xff), { bodyBytes: 4_000 })],
  ['that is cut within', block(Buffer.alloc(900, 'x'), { sentBytes: 1_200, bodyBytes: 4_000 })],
  ['whose header is cut', Buffer.from([0, 9, 0])],
  ['that is a bomb', deflatedBlock(Buffer.alloc(65_536))],
  ['that is a bomb by lying about it', deflatedBlock(Buffer.alloc(65_536), 200)],
  ['that is longer than its body', block(Buffer.alloc(400, 'x'), { bodyBytes: 300 })],
])('a block %s ends its stream, and the link stands', async (_what, blocks) => {
  const cloud = await connectPacking(blocks);
  const stream = cloud.open('http', { mayPack: true });
  await expect(readAll(stream)).rejects.toMatchObject({ code: 'bad_answer' });
  expect(stream.below?.destroyed).toBe(true);
  expect(await cloud.getInfo()).toEqual(sampleInfo);
});

test('random bytes for blocks end their stream at most', async () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const random = createRandom(seed);
    const cloud = await connectPacking(
      Buffer.from(Array.from({ length: 1 + random(3_000) }, () => random(256))),
    );
    const stream = cloud.open('http', { mayPack: true });
    const outcome = await readAll(stream).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'bad_answer' });
    expect(await cloud.getInfo()).toEqual(sampleInfo);
  }
});

test('blocks that nobody reads wait below, not inflated', async () => {
  const cloud = await connectPacking(
    Buffer.concat(Array.from({ length: 60 }, () => deflatedBlock(makeText(60_000).subarray(0, 3_000)))),
    false,
  );
  const stream = cloud.open('http', { mayPack: true });
  stream.read(0);
  await cloud.getInfo();
  // Up to one block more than a stream holds, which is 16 or 64 KiB by the line of Node.js.
  expect(stream.readableLength).toBeLessThan(stream.readableHighWaterMark + 3_000);
  expect(stream.unreadBytes).toBeGreaterThan(stream.readableLength);
  stream.destroy();
});

test('a device with nothing but tiny blocks ends its link', async () => {
  const { socket, cloud } = await acceptDevice();
  const tiny = Buffer.concat(Array.from({ length: 200_000 }, () => block(Buffer.from('x'))));
  let sent = 0;
  const sendUpTo = (streamId: number, offset: number) => {
    for (; sent < offset; sent += 10_000)
      socket.write(dataFrame(streamId, tiny.subarray(sent, Math.min(offset, sent + 10_000))));
    sent = offset;
  };
  readRequests(
    socket,
    (streamId) => {
      socket.write(dataFrame(streamId, '200 deflate\n'));
      sendUpTo(streamId, 16_000);
    },
    (streamId, offset) => sendUpTo(streamId, offset - '200 deflate\n'.length),
  );
  const stream = cloud.open('http', { mayPack: true }).on('error', () => {});
  stream.resume();
  expect(await cloud.closed).toBe('flood');
});

test('others have their turns while a device has thousands of blocks inflated', async () => {
  // As small as a block that shrinks by the most may be: each costs far more than its bytes.
  const one = deflatedBlock(Buffer.alloc(600, 'abcdefgh'));
  const blocks = Buffer.concat(Array.from({ length: Math.floor(16_000 / one.length) }, () => one));
  const clouds = await Promise.all(Array.from({ length: 8 }, () => connectPacking(blocks)));
  let isOver = false;
  let turns = 0;
  const counted = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  const bodies = await Promise.all(
    clouds.map((cloud) => {
      const stream = cloud.open('http', { mayPack: true });
      stream.end();
      return readAll(stream);
    }),
  );
  isOver = true;
  await counted;
  for (const body of bodies) expect(body.length % 600).toBe(0);
  expect(turns).toBeGreaterThan(8);
});

test('nothing is lost or doubled where the line breaks within blocks', async () => {
  for (let seed = 0; seed < 5; seed += 1) {
    const random = createRandom(seed);
    const text = makeText(400_000);
    const pair = new Pair(random, (stream) => {
      const packer = new BlockPacker({ hasRoom: () => false, rate: 0, isSaving: false });
      packer.pipe(stream);
      packer.end(text);
    });
    const stream = new UnpackedStream(pair.open('x'), () => {});
    stream.unpack();
    let body: Buffer | undefined;
    void readAll(stream).then((all) => {
      body = all;
    });
    for (let cuts = 0; cuts < 5; cuts += 1) {
      await pair.run(5 + random(10));
      pair.break();
      pair.mend();
    }
    await pair.runUntil(() => body !== undefined);
    expect(body?.equals(text)).toBe(true);
  }
});
