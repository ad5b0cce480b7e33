import { deflateRawSync } from 'node:zlib';
import { mergeBuckets } from './buckets.ts';
import { ByteReader, ByteWriter, ChunkFormatError, inflate } from './bytes.ts';
import { makeLog } from './change-log.ts';
import { decodeChunk, encodeChunk } from './chunk.ts';
import type { Content } from './told-values.ts';

const form = 1;
/** More than an hour of 500 series comes to. */
const maxBytes = 16 << 20;

/** An hour of a controller with all its series. */
export function encodeHour(series: ReadonlyMap<number, Content>, length: number): Buffer {
  const writer = new ByteWriter();
  const parts = [...series].sort(([one], [other]) => one - other);
  writer.unsigned(parts.length);
  let lastId = 0;
  for (const [id, content] of parts) {
    writer.unsigned(id - lastId);
    lastId = id;
    const chunks = encodeContent(content, length, { isPlain: true });
    writer.unsigned(chunks.length);
    writer.raw(chunks);
  }
  return Buffer.concat([Buffer.of(form), deflateRawSync(writer.finish())]);
}

/** Throws `ChunkFormatError` for what `encodeHour` has not written. Only these series, where some are named. */
export function decodeHour(bytes: Uint8Array, only?: ReadonlySet<number>): Map<number, Content> {
  if (bytes[0] !== form) throw new ChunkFormatError('an hour of another form');
  const reader = new ByteReader(inflate(bytes.subarray(1), maxBytes));
  const series = new Map<number, Content>();
  const count = reader.count(2);
  let id = 0;
  for (let index = 0; index < count; index += 1) {
    id += reader.unsigned();
    const chunks = reader.raw(reader.count());
    if (!only || only.has(id)) series.set(id, decodeContent(chunks));
  }
  reader.end();
  return series;
}

/** Both forms of a series, one of which is nearly always empty, in one piece. */
export function encodeContent(
  { buckets, log }: Content,
  length: number,
  options?: { isPlain: boolean },
): Buffer {
  const writer = new ByteWriter();
  for (const chunk of [...(buckets.length > 0 ? [{ buckets }] : []), ...(log.length > 0 ? [{ log }] : [])]) {
    const bytes = encodeChunk(chunk, length, options);
    writer.unsigned(bytes.length);
    writer.raw(bytes);
  }
  return writer.finish();
}

export function decodeContent(bytes: Uint8Array): Content {
  const reader = new ByteReader(bytes);
  let content: Content = { buckets: [], log: [] };
  while (reader.left > 0) {
    const { buckets, log } = decodeChunk(reader.raw(reader.count()));
    content = log
      ? { ...content, log: content.log.concat(log) }
      : { ...content, buckets: content.buckets.concat(buckets) };
  }
  return content;
}

/** What was known and what came later. */
export function mergeContents(earlier: Content | undefined, later: Content): Content {
  if (!earlier) return later;
  return {
    buckets: mergeBuckets(earlier.buckets, later.buckets),
    log: makeLog([...earlier.log, ...later.log]),
  };
}
