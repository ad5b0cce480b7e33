import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  TelemetryDecoder,
  TelemetryEncoder,
  type TelemetryEntry,
  TelemetryFormatError,
} from '../telemetry.ts';
import { telemetryEntries } from '../testing/telemetry-entries.ts';
import { batchLimits } from './batch.ts';
import { nameLimits } from './names.ts';

const greeting = { streamId: 'stream-of-test', lost: 3 };

/** Of one subscription, each list in a telling of its own. */
function encode(...lists: readonly (readonly TelemetryEntry[])[]): Buffer {
  const encoder = new TelemetryEncoder();
  const parts = [encoder.encodeGreeting(greeting)];
  for (const list of lists) parts.push(...encoder.encode(list));
  return Buffer.concat(parts);
}

/** All that stands in bytes that come in pieces of that size. */
function decode(bytes: Buffer, pieceLength = bytes.length) {
  const decoder = new TelemetryDecoder();
  const entries: TelemetryEntry[] = [];
  let bad = 0;
  for (let at = 0; at < bytes.length; at += pieceLength) {
    for (const part of decoder.decode(bytes.subarray(at, at + pieceLength))) {
      if ('greeting' in part) continue;
      entries.push(...part.entries);
      bad += part.badEntries;
    }
  }
  return { entries, bad };
}

const value = (offset: number, control: string, text: string): TelemetryEntry => ({
  offset,
  age: 0,
  device: 'wb-adc',
  control,
  value: text,
});

test('whatever is told arrives as it was told, in however many batches and pieces', () => {
  fc.assert(
    fc.property(
      telemetryEntries,
      fc.nat(60),
      fc.integer({ min: 1, max: 200 }),
      (entries, cut, pieceLength) => {
        const bytes = encode(entries.slice(0, cut), entries.slice(cut));
        expect(decode(bytes, pieceLength)).toEqual({ entries, bad: 0 });
      },
    ),
  );
});

test('an age is told in tenths of a second, and never as more than it is', () => {
  const entry = value(1, 'Vin', '24.1');
  const ages = [0, 99, 100, 12_345.6].map((age) => decode(encode([{ ...entry, age }])).entries[0]?.age);
  expect(ages).toEqual([0, 0, 100, 12_300]);
});

test('random bytes are refused or mean entries that are allowed, and nothing else happens', () => {
  const wild = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(wild, fc.nat(5), (body, lostBytes) => {
      const whole = Buffer.from(body);
      const header = [
        (body.length % 128) | (body.length > 127 ? 128 : 0),
        ...(body.length > 127 ? [body.length >> 7] : []),
      ];
      const frame = Buffer.concat([Buffer.from([...header, ...header]), whole]);
      for (const bytes of [
        whole,
        Buffer.concat([encode(), frame]),
        encode([value(1, 'a', '1')]).subarray(lostBytes),
      ]) {
        try {
          decode(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(TelemetryFormatError);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test('bytes of an honest device that were changed on their way are refused or mean entries that are allowed', () => {
  fc.assert(
    fc.property(telemetryEntries, fc.nat(), fc.nat(255), (entries, place, byte) => {
      const bytes = encode(entries);
      bytes[place % bytes.length] = byte;
      try {
        decode(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(TelemetryFormatError);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['a batch longer than any', [0x81, 0x80, 2, 1, 0]],
  ['a length without an end', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
  ['a batch that grew when it was compressed', [1, 2, 0, 0]],
  ['a batch of nothing', [5, 0]],
  ['a batch that shrank more than any', [0xc9, 1, 2, 3, 0]],
  ['bytes that are not deflated', [9, 3, 7, 7, 7]],
  ['more entries than any batch has', [3, 3, 0, 0xf5, 3]],
  ['an unknown flag', [2, 2, 2, 0]],
  ['an unknown kind of entry', [5, 5, 0, 1, 9, 0, 0]],
  ['a control that was not named', [6, 6, 0, 1, 0, 0, 0, 4]],
  ['something behind the last entry', [3, 3, 0, 0, 1]],
])('%s ends the subscription', (_, bytes) => {
  expect(() => decode(Buffer.concat([encode(), Buffer.from(bytes)]))).toThrow(TelemetryFormatError);
});

test('a batch that inflates to more than it says is not inflated further', () => {
  const bomb = deflateRawSync(Buffer.alloc(64 << 20));
  const header = Buffer.from([0x80, 0x80, 2, 0x80 | (bomb.length % 128), bomb.length >> 7]);
  const before = process.memoryUsage().rss;
  expect(() => decode(Buffer.concat([encode(), header, bomb.subarray(0, 16_000)]))).toThrow(
    TelemetryFormatError,
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(32 << 20);
});

test('a stream that begins with anything but a greeting is refused', () => {
  const encoder = new TelemetryEncoder();
  const entries = Buffer.concat([...encoder.encode([value(1, 'a', '1')])]);
  const other = encoder.encodeGreeting({ streamId: 'no stream id', lost: 0 });
  for (const bytes of [entries, other]) expect(() => decode(bytes)).toThrow(TelemetryFormatError);
});

test('entries that no honest device tells are counted and left out, those beside them are not', () => {
  const wrong = [
    value(1, 'nul', 'a\u0000'),
    value(2, '', 'x'),
    value(3, 'long', 'x'.repeat(1001)),
    { ...value(4, 'age', '1'), age: -100 },
    value(-5, 'offset', '1'),
    { offset: 6, age: 0, metrics: { load15: Number.NaN } },
    { offset: 7, age: 0, device: 'd', title: 'no title' } as unknown as TelemetryEntry,
  ];
  const right = value(8, 'right', '1');
  expect(decode(encode([...wrong, right]))).toEqual({ entries: [right], bad: wrong.length });
});

test('more names than both ends remember are forgotten together and told anew', () => {
  const controls = nameLimits.controls + 700;
  const told = Array.from({ length: 2 * controls }, (_, index) =>
    value(index + 1, `c${index % controls}`, '1'),
  );
  expect(decode(encode(told)).entries).toEqual(told);
  const long = Array.from({ length: 4000 }, (_, index) => value(index + 1, `${index}`.padEnd(200, 'Ж'), '1'));
  expect(decode(encode(long)).entries).toEqual(long);
});

test('names beyond what a decoder remembers end the subscription', () => {
  const names = Array.from({ length: 9_999 }, (_, index) => value(index + 1, `c${index}`, '1'));
  // Number 9,999 and the next: of the first device, with a name of one letter and the value 0.
  const frame = (number: number) => {
    const body = [0, 1, 0, 0, 0, 0x9e + 2 * (number - 9_999), 0x9c, 1, 0, 1, 0x61, 0];
    return Buffer.from([body.length, body.length, ...body]);
  };
  const full = Buffer.concat([encode(names), frame(9_999)]);
  expect(decode(full).entries).toHaveLength(10_000);
  expect(() => decode(Buffer.concat([full, frame(10_000)]))).toThrow('too many controls');
});

test('a value that repeats is sent as it is where it would shrink beyond belief', () => {
  const told = Array.from({ length: 20 }, (_, index) => value(index + 1, `c${index}`, 'x'.repeat(1000)));
  const bytes = encode(told);
  expect(bytes.length).toBeGreaterThan(20_000 / batchLimits.ratio);
  expect(decode(bytes).entries).toEqual(told);
});

test('a batch of fifty numbers that change a little takes a tenth of their lines of JSON', () => {
  const round = (first: number) =>
    Array.from({ length: 50 }, (_, index) => ({
      ...value(
        first + index,
        `input ${index}`,
        (20 + index + ((first * 7 + index * 13) % 10) / 100).toFixed(2),
      ),
      age: 5000 - index * 100,
    }));
  const known = encode(round(1)).length;
  const bytes = encode(round(1), round(51)).length - known;
  const lines = round(51)
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('').length;
  expect(bytes).toBeLessThan(lines / 10);
});
