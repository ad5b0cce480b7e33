import { createHash, randomBytes } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReadFirst } from './read-first.ts';

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

test('what is passed on a turn later comes whole and in order, also to a slow reader', async () => {
  const pieces = Array.from({ length: 300 }, (_, index) => randomBytes(1 + index * 7));
  const got: Buffer[] = [];
  const slow = new Writable({
    highWaterMark: 1000,
    write(chunk, _encoding, callback) {
      got.push(chunk);
      setImmediate(callback);
    },
  });
  await pipeline(Readable.from(pieces), createReadFirst(), slow);
  expect(hash(Buffer.concat(got))).toBe(hash(Buffer.concat(pieces)));
});

test('nothing is passed on within the turn in which it was written', async () => {
  const between = createReadFirst();
  let bytes = 0;
  between.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  between.write('abc');
  await Promise.resolve();
  expect(bytes).toBe(0);
  await turn();
  await turn();
  expect(bytes).toBe(3);
});

test('a reader that stands still holds its writer back', async () => {
  const between = createReadFirst();
  let written = 0;
  while (between.write(Buffer.alloc(1_000))) {
    written += 1_000;
    if (written % 10_000 === 0) await turn();
    if (written > 1_000_000) break;
  }
  await wait(20);
  expect(written).toBeLessThan(200_000);
});
