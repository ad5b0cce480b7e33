import { randomBytes } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeText } from '../testing/blocks.ts';
import { BlockPacker, type PackedLine } from './block-packer.ts';
import { type BlockPart, BlockReader } from './blocks.ts';

const full: PackedLine = { hasRoom: () => false, rate: 0, isSaving: false };
const free: PackedLine = { hasRoom: () => true, rate: 0, isSaving: false };

/** What comes of these writes: the parts, how long they are as they are sent, and all of it inflated. */
async function pack(line: PackedLine, writes: readonly Buffer[]) {
  const packer = new BlockPacker(line);
  const reader = new BlockReader(() => {});
  const parts: BlockPart[] = [];
  let [sent, pieces] = [0, 0];
  packer.on('data', (piece: Buffer) => {
    sent += piece.length;
    pieces += 1;
    reader.add(piece);
    for (let part = reader.next(); part; part = reader.next()) parts.push(part);
  });
  const ended = new Promise((resolve) => packer.once('end', resolve));
  for (const bytes of writes) await new Promise((resolve) => packer.write(bytes, resolve));
  packer.end();
  await ended;
  expect(reader.isWhole).toBe(true);
  const bodies = parts.map((part) => (part.kind === 'raw' ? part.bytes : inflateRawSync(part.bytes)));
  return { parts, sent, pieces, body: Buffer.concat(bodies) };
}

test('a short answer that does not shrink is one piece and one block with its head', async () => {
  const answer = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nshort');
  const { parts, pieces } = await pack(full, [answer]);
  expect(parts).toEqual([{ kind: 'raw', bytes: answer }]);
  expect(pieces).toBe(1);
});

test('text that would have to wait for the line shrinks, and arrives as it was', async () => {
  const text = makeText(300_000);
  const { sent, body } = await pack(full, [text.subarray(0, 120_000), text.subarray(120_000)]);
  expect(body.equals(text)).toBe(true);
  expect(sent).toBeLessThan(text.length / 3);
});

test('text goes as it is where the line has room for it', async () => {
  const text = makeText(100_000);
  const { parts, body } = await pack(free, [text]);
  expect(body.equals(text)).toBe(true);
  expect(parts.map(({ kind }) => kind)).toEqual(['raw', 'raw']);
});

test('text goes as it is over a line that carries more than is deflated', async () => {
  const { parts } = await pack({ ...full, rate: 1e9 }, [makeText(60_000)]);
  expect(parts.map(({ kind }) => kind)).toEqual(['raw']);
});

test('a device that saves bytes has all shrink that can', async () => {
  const { sent } = await pack({ ...free, rate: 1e9, isSaving: true }, [makeText(60_000)]);
  expect(sent).toBeLessThan(20_000);
});

test('what does not shrink goes as it is, with four bytes for each block', async () => {
  const picture = randomBytes(640 * 1024);
  const { sent, body } = await pack(full, [picture]);
  expect(body.equals(picture)).toBe(true);
  expect(sent).toBe(picture.length + 10 * 4);
});

test('text behind a picture of another answer is tried again', async () => {
  const pictures = Array.from({ length: 8 }, () => randomBytes(60_000));
  const answer = Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), makeText(40_000)]);
  const { parts } = await pack(full, [...pictures, answer]);
  expect(parts.at(-1)).toMatchObject({ kind: 'deflated', bodyBytes: 40_000 });
});

test('the head of an answer is in no block with its body', async () => {
  const head = Buffer.from(`HTTP/1.1 200 OK\r\nset-cookie: id=${'s'.repeat(400)}\r\n\r\n`);
  const { parts } = await pack(full, [Buffer.concat([head, makeText(5_000)])]);
  expect(parts).toMatchObject([
    { kind: 'raw', bytes: head },
    { kind: 'deflated', bodyBytes: 5_000 },
  ]);
});

test('zeros shrink no further than the other end takes', async () => {
  const zeros = Buffer.alloc(200_000);
  const { sent, body } = await pack(full, [zeros]);
  expect(body.equals(zeros)).toBe(true);
  expect(sent).toBeLessThan(zeros.length / 90);
});
