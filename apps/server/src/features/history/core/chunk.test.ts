import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bucket, makeBuckets, rollBuckets } from './buckets.ts';
import { ChunkFormatError } from './bytes.ts';
import { bucketLists, logs, strangeBuckets } from './chunk.fixture.ts';
import { decodeChunk, encodeChunk } from './chunk.ts';
import { decodeContent, decodeHour, encodeContent, encodeHour } from './hour-row.ts';
import { day, finest } from './resolutions.ts';
import { decodeTold, encodeTold, type ToldValue } from './told-values.ts';

const { length } = finest;

it('buckets come out of a chunk as they went in, deflated or not', () => {
  fc.assert(
    fc.property(fc.oneof(bucketLists, strangeBuckets), fc.boolean(), (buckets, isPlain) => {
      expect(decodeChunk(encodeChunk({ buckets }, length, { isPlain }))).toEqual({ buckets });
    }),
  );
});

it('rolled buckets come out of a chunk as they went in', () => {
  fc.assert(
    fc.property(bucketLists, (buckets) => {
      const rolled = rollBuckets(buckets, length, 15 * length);
      expect(decodeChunk(encodeChunk({ buckets: rolled }, 15 * length))).toEqual({ buckets: rolled });
    }),
  );
});

it('a log comes out of a chunk as it went in, whatever its values say', () => {
  fc.assert(
    fc.property(logs, (log) => {
      expect(decodeChunk(encodeChunk({ log }, length))).toEqual({ log });
    }),
  );
});

it('an hour gives each of its series back, and no other where one is named', () => {
  const content = fc.record({ buckets: bucketLists, log: logs });
  fc.assert(
    fc.property(fc.dictionary(fc.nat(1e6).map(String), content, { maxKeys: 5 }), (all) => {
      const series = new Map(Object.entries(all).map(([id, each]) => [Number(id), each]));
      const bytes = encodeHour(series, length);
      expect(decodeHour(bytes)).toEqual(series);
      const [one] = series.keys();
      if (one !== undefined) expect([...decodeHour(bytes, new Set([one])).keys()]).toEqual([one]);
    }),
  );
});

const told = fc.array(
  fc.record({
    seriesId: fc.nat(1e9),
    kind: fc.constantFrom('buckets' as const, 'log' as const),
    at: fc.nat(36_000).map((tenths) => 3600_000 + tenths * 100),
    value: fc.string({ maxLength: 10 }),
  }),
);

it('told values come out as they went in', () => {
  fc.assert(
    fc.property(told, (values: ToldValue[]) => {
      expect(decodeTold(encodeTold(values, 3600_000), 3600_000)).toEqual(values);
    }),
  );
});

const readers = {
  decodeChunk,
  decodeContent,
  decodeHour,
  decodeTold: (bytes: Buffer) => decodeTold(bytes, 0),
};

function expectCleanRead(read: (bytes: Buffer) => unknown, bytes: Buffer): void {
  try {
    read(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(ChunkFormatError);
  }
}

it.each(Object.entries(readers))(
  '%s says of bytes that nobody wrote that they are none of its own',
  (_, read) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expectCleanRead(read, Buffer.from(bytes))),
    );
    const bytes = (text: string) => Buffer.from(text.repeat(100_000 / text.length));
    for (const text of ['\u0000', '\u0001', '\u007f', '\u00ff']) expectCleanRead(read, bytes(text));
  },
);

it('a chunk that was cut or has a bit turned is refused or read, and breaks nothing', () => {
  fc.assert(
    fc.property(bucketLists, logs, fc.nat(), fc.nat(7), (buckets, log, place, bit) => {
      const whole = encodeContent({ buckets, log }, length);
      expectCleanRead(decodeContent, whole.subarray(0, place % (whole.length + 1)));
      if (whole.length === 0) return;
      const turned = Buffer.from(whole);
      turned[place % turned.length] = (turned[place % turned.length] ?? 0) ^ (1 << bit);
      expectCleanRead(decodeContent, turned);
    }),
  );
});

it('a chunk of a form that is not known is refused by its number', () => {
  expect(() => decodeChunk(Buffer.of(9, 0))).toThrow('the form 9');
  expect(() => decodeChunk(Buffer.alloc(0))).toThrow(ChunkFormatError);
});

/** Numbers that look like chance and are the same each time. */
function createDice(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
}

/** A day of a value that walks by about `step` and is written with so many decimals. */
function walk(everyMs: number, decimals: number, step: number): Bucket[] {
  const dice = createDice();
  let value = 50;
  const points = Array.from({ length: Math.floor(day / everyMs) }, (_, index) => {
    value += (dice() + dice() + dice() - 1.5) * 2 * step;
    return { at: index * everyMs + Math.floor(dice() * everyMs), value: Number(value.toFixed(decimals)) };
  });
  return makeBuckets(points, length);
}

it('a bucket of a value that changes once in it takes less than a byte and a half, of one that changes often less than five', () => {
  const bytesOf = (buckets: Bucket[]) => encodeContent({ buckets, log: [] }, length).length / buckets.length;
  expect(bytesOf(walk(length, 1, 0.1))).toBeLessThan(1.5);
  expect(bytesOf(walk(5_000, 1, 0.03))).toBeLessThan(2);
  expect(bytesOf(walk(5_000, 2, 0.17))).toBeLessThan(5);
});

it('a log as long as a device can make one is read back', () => {
  const log = Array.from({ length: 200_000 }, (_, index) => ({ at: index * 100, value: String(index % 2) }));
  expect(decodeContent(encodeContent({ buckets: [], log }, finest.length)).log).toHaveLength(log.length);
});
