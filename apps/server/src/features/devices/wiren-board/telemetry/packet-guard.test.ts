import { expect, it, onTestFinished } from 'vitest';
import { PacketGuard } from './packet-guard.ts';

/** A packet of so many bytes behind its header. */
function packet(bytes: number): Buffer {
  const length = [];
  for (let left = bytes; ; ) {
    const byte = left % 128;
    left = Math.floor(left / 128);
    length.push(left > 0 ? byte | 0x80 : byte);
    if (left === 0) break;
  }
  return Buffer.concat([Buffer.from([0x30, ...length]), Buffer.alloc(bytes)]);
}

function createGuard() {
  const guard = new PacketGuard();
  onTestFinished(() => void guard.destroy());
  const ended = new Promise<Error | undefined>((resolve) => {
    guard.once('error', resolve);
    guard.once('end', () => resolve(undefined));
  });
  let bytes = 0;
  guard.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  return { guard, ended, read: () => bytes };
}

it('packets of all lengths pass as they are, however they are cut', async () => {
  const all = Buffer.concat([0, 1, 127, 128, 16_383, 16_384, 262_144].map(packet));
  for (const piece of [1, 2, 1000, all.length]) {
    const { guard, ended, read } = createGuard();
    for (let at = 0; at < all.length; at += piece) guard.write(all.subarray(at, at + piece));
    guard.end();
    expect([piece, await ended, read()]).toEqual([piece, undefined, all.length]);
  }
});

it.each([
  ['a packet that is too large', packet(262_145).subarray(0, 100)],
  ['a length of five bytes', Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x01])],
  ['one behind others', Buffer.concat([packet(3), packet(200), packet(1 << 20).subarray(0, 10)])],
])('%s is an error before it has come', async (_title, bytes) => {
  const { guard, ended } = createGuard();
  for (const byte of bytes) guard.write(Buffer.from([byte]));
  expect(await ended).toMatchObject({ message: 'the broker sends a packet that is too large' });
});

it('what comes past a burst waits for its turn', async () => {
  const { guard, read } = createGuard();
  const flood = Buffer.alloc(1 << 20);
  // Each a packet of two bytes: a header, and a length of none.
  for (let at = 0; at < flood.length; at += 2) flood[at] = 0x30;
  for (let count = 0; count < 12; count++) guard.write(flood);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(read()).toBe(9 << 20);
});
