import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { block, deflatedBlock, makeText } from '../testing/blocks.ts';
import { createRandom } from '../testing/wire.ts';
import { BlockReader, formatBlockHeader } from './blocks.ts';

/** All that is in these pieces, inflated. */
function readAll(reader: BlockReader, pieces: Iterable<Buffer>): Buffer {
  const bodies: Buffer[] = [];
  for (const piece of pieces) {
    reader.add(piece);
    for (let part = reader.next(); part; part = reader.next())
      bodies.push(part.kind === 'raw' ? part.bytes : inflateRawSync(part.bytes));
  }
  return Buffer.concat(bodies);
}

function* cut(bytes: Buffer, random: (limit: number) => number, longest: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random(longest);
    yield bytes.subarray(at, end);
    at = end;
  }
}

test('blocks are read wherever they are cut', () => {
  const text = makeText(150_000);
  const blocks = Buffer.concat([
    deflatedBlock(text.subarray(0, 65_536)),
    block(text.subarray(65_536, 65_537)),
    deflatedBlock(text.subarray(65_537, 66_000)),
    block(text.subarray(66_000, 131_536)),
    deflatedBlock(text.subarray(131_536)),
  ]);
  for (let seed = 0; seed < 30; seed += 1) {
    const random = createRandom(seed);
    const reader = new BlockReader(() => {});
    expect(readAll(reader, cut(blocks, random, [3, 40, 5_000, 200_000][seed % 4] ?? 1)).equals(text)).toBe(
      true,
    );
    expect(reader.isWhole).toBe(true);
  }
});

test('bytes as they were are read before their block is whole', () => {
  const reader = new BlockReader(() => {});
  reader.add(block(Buffer.alloc(60_000, 'x')).subarray(0, 1_000));
  expect(reader.next()).toMatchObject({ kind: 'raw', bytes: { length: 996 } });
  expect(reader.isWhole).toBe(false);
});

test.each([
  ['that is longer than its body', formatBlockHeader(11, 10)],
  ['that shrank too much', formatBlockHeader(655, 65_536)],
])('a block %s is refused by its header', (_what, header) => {
  const reader = new BlockReader(() => {});
  reader.add(header);
  expect(() => reader.next()).toThrow(/block/);
});

test('a block takes memory as it comes, not as it is told', () => {
  const reader = new BlockReader(() => {});
  const sent = Buffer.concat([formatBlockHeader(60_000, 65_536), Buffer.alloc(3_000)]);
  readAll(
    reader,
    cut(sent, () => 0, 1),
  );
  expect(reader.waitingBytes).toBeLessThan(2 * 3_000);
});
