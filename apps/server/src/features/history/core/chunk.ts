import { deflateRawSync } from 'node:zlib';
import type { Bucket } from './buckets.ts';
import { ByteReader, ByteWriter, ChunkFormatError, inflate, maxInteger } from './bytes.ts';
import type { Change } from './change-log.ts';
import { readFigures, writeFigures } from './figures.ts';
import { tick } from './resolutions.ts';

/** What is stored of one series in one span of time: buckets of one length, or the changes of a switch. */
export type Chunk =
  | { buckets: readonly Bucket[]; log?: undefined }
  | { log: readonly Change[]; buckets?: undefined };

/** The first byte of a chunk: its form, and whether it is deflated. A form that is changed gets another number. */
const forms = { buckets: 1, log: 2 } as const;
const deflated = 0x80;
/** More than any chunk has: what inflates to more was not written here. */
const maxBytes = 1 << 20;

/** Times that follow each other at one distance become zeros. */
function writeTimes(writer: ByteWriter, times: readonly number[]): void {
  let [last, step] = [0, 0];
  for (const time of times) {
    writer.signed(time - last - step);
    step = time - last;
    last = time;
  }
}

function readTimes(reader: ByteReader, count: number): number[] {
  let [last, step] = [0, 0];
  return Array.from({ length: count }, () => {
    step += reader.signed();
    last += step;
    if (!Number.isSafeInteger(last) || Math.abs(last) > maxInteger)
      throw new ChunkFormatError('a time is out of reach');
    return last;
  });
}

function writeBuckets(writer: ByteWriter, buckets: readonly Bucket[], length: number): void {
  writer.unsigned(buckets.length);
  writer.unsigned(length);
  const slots = buckets.map(({ at }) => {
    if (at % length !== 0) throw new RangeError('a bucket begins at a multiple of its length');
    return at / length;
  });
  writeTimes(writer, slots);
  writeFigures(writer, buckets);
}

function readBuckets(reader: ByteReader): Bucket[] {
  const count = reader.count();
  const length = reader.unsigned();
  const slots = readTimes(reader, count);
  const figures = readFigures(reader, count);
  return figures.map((figure, index) => ({ at: (slots[index] ?? 0) * length, ...figure }));
}

function writeLog(writer: ByteWriter, log: readonly Change[]): void {
  writer.unsigned(log.length);
  writeTimes(
    writer,
    log.map(({ at }) => Math.round(at / tick)),
  );
  const names = [...new Set(log.map(({ value }) => value))];
  const places = new Map(names.map((name, index) => [name, index]));
  writer.unsigned(names.length);
  for (const name of names) writer.text(name);
  for (const { value } of log) writer.unsigned(places.get(value) ?? 0);
}

function readLog(reader: ByteReader): Change[] {
  const count = reader.count();
  const times = readTimes(reader, count);
  const names = Array.from({ length: reader.count() }, () => reader.text());
  return times.map((time) => {
    const value = names[reader.unsigned()];
    if (value === undefined) throw new ChunkFormatError('a value has no name');
    return { at: time * tick, value };
  });
}

/**
 * Buckets are of `length` milliseconds, begin at its multiples, and stand in order of time. `isPlain`: it is not deflated, as others
 * are to be deflated with it.
 */
export function encodeChunk(chunk: Chunk, length: number, { isPlain = false } = {}): Buffer {
  const writer = new ByteWriter();
  if (chunk.log) writeLog(writer, chunk.log);
  else writeBuckets(writer, chunk.buckets, length);
  const body = writer.finish();
  const form = chunk.log ? forms.log : forms.buckets;
  const packed = isPlain ? body : deflateRawSync(body, { level: 9 });
  return packed.length < body.length
    ? Buffer.concat([Buffer.of(form | deflated), packed])
    : Buffer.concat([Buffer.of(form), body]);
}

/** Throws `ChunkFormatError` for what `encodeChunk` has not written. */
export function decodeChunk(bytes: Uint8Array): Chunk {
  const first = bytes[0] ?? 0;
  const body = bytes.subarray(1);
  const reader = new ByteReader(first & deflated ? inflate(body, maxBytes) : body);
  const chunk = readForm(first & ~deflated, reader);
  reader.end();
  return chunk;
}

function readForm(form: number, reader: ByteReader): Chunk {
  if (form === forms.buckets) return { buckets: readBuckets(reader) };
  if (form === forms.log) return { log: readLog(reader) };
  throw new ChunkFormatError(`chunks of the form ${form} are not known`);
}
