import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { BackupError } from './entry.ts';
import {
  formatNumber,
  type Header,
  header,
  largestList,
  type Manifest,
  type ManifestFile,
  manifest,
  mostFiles,
} from './manifest.ts';
import { headerPath, manifestPath, type PlaceOfEntry, placeOf } from './paths.ts';
import { blockSize, paddingOf, readHeader } from './ustar.ts';

export interface UnpackedFile {
  place: PlaceOfEntry;
  size: number;
  body: AsyncIterable<Buffer>;
}

interface Receiver {
  /** Before anything is kept; throws to refuse the backup. */
  begin(header: Header): Promise<void>;
  /** Reads all of the body. What came is to be kept only when `unpackBackup` has resolved. */
  take(file: UnpackedFile): Promise<void>;
}

const damaged = () => new BackupError('The backup is damaged, or it was cut off before its end.');

/**
 * Reads the bytes of a backup, which may be anybody's. Hands out nothing but regular files in places of ours, each once, and
 * resolves only when all of them are those of the manifest that closes the backup.
 */
export async function unpackBackup(
  bytes: AsyncIterable<Buffer>,
  receiver: Receiver,
  filesAtMost = mostFiles,
): Promise<Manifest> {
  const reader = createReader(bytes);
  const seen: ManifestFile[] = [];
  const paths = new Set<string>();
  const first = await readList(reader, headerPath, header);
  if (first.format > formatNumber) {
    throw new BackupError(`The backup was made by a newer Pult (${first.version}), which alone can read it.`);
  }
  await receiver.begin(first);
  for (;;) {
    const entry = readHeader(await reader.readBytes(blockSize));
    if (entry === undefined) throw damaged();
    if (entry.path === manifestPath) {
      const whole = await parseList(reader, { size: entry.size, files: seen.length }, manifest);
      await readEnd(reader);
      compare(first, whole, seen);
      return whole;
    }
    // They would fill the memory and the disk's list of files, and not its room.
    if (seen.length >= filesAtMost) throw damaged();
    const place = placeOf(entry.path);
    if (place === undefined || paths.has(entry.path)) {
      throw new BackupError(`The backup holds what no backup holds: ${JSON.stringify(entry.path)}.`);
    }
    paths.add(entry.path);
    const hash = createHash('sha256');
    let left = entry.size;
    async function* body() {
      while (left > 0) {
        const chunk = await reader.readUpTo(left);
        left -= chunk.length;
        hash.update(chunk);
        yield chunk;
      }
    }
    await receiver.take({ place, size: entry.size, body: body() });
    if (left > 0) throw new Error(`${entry.path} was not read to its end`);
    await reader.readBytes(paddingOf(entry.size));
    seen.push({ path: entry.path, size: entry.size, sha256: hash.digest('hex') });
  }
}

type Reader = ReturnType<typeof createReader>;

function createReader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);

  async function readUpTo(most: number): Promise<Buffer> {
    while (buffered.length === 0) {
      const { value, done } = await iterator.next();
      if (done) throw damaged();
      buffered = value;
    }
    const chunk = buffered.subarray(0, most);
    buffered = buffered.subarray(chunk.length);
    return chunk;
  }

  return {
    readUpTo,
    /** Of lengths that were looked at: all of it is kept. */
    async readBytes(length: number): Promise<Buffer> {
      const chunks: Buffer[] = [];
      for (let left = length; left > 0; ) {
        const chunk = await readUpTo(left);
        chunks.push(chunk);
        left -= chunk.length;
      }
      return Buffer.concat(chunks);
    },
    async isAtEnd(): Promise<boolean> {
      while (buffered.length === 0) {
        const { value, done } = await iterator.next();
        if (done) return true;
        buffered = value;
      }
      return false;
    },
  };
}

async function readList<T>(reader: Reader, path: string, schema: z.ZodType<T>): Promise<T> {
  const entry = readHeader(await reader.readBytes(blockSize));
  if (entry?.path !== path) throw new BackupError('This file is no backup of Pult, or it is damaged.');
  return parseList(reader, { size: entry.size, files: 0 }, schema);
}

/** Of a list that is no longer than what it lists. */
async function parseList<T>(
  reader: Reader,
  { size, files }: { size: number; files: number },
  schema: z.ZodType<T>,
): Promise<T> {
  if (size > largestList(files)) throw damaged();
  const text = (await reader.readBytes(size)).toString();
  await reader.readBytes(paddingOf(size));
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw damaged();
  }
  const parsed = schema.safeParse(content);
  if (!parsed.success) throw damaged();
  return parsed.data;
}

async function readEnd(reader: Reader): Promise<void> {
  for (const _ of [1, 2]) {
    if (readHeader(await reader.readBytes(blockSize)) !== undefined) throw damaged();
  }
  if (!(await reader.isAtEnd())) throw damaged();
}

function compare(first: Header, whole: Manifest, seen: readonly ManifestFile[]): void {
  const isSame = (Object.keys(first) as (keyof Header)[]).every((name) => first[name] === whole[name]);
  if (!isSame || whole.files.length !== seen.length) throw damaged();
  for (const [index, found] of seen.entries()) {
    const listed = whole.files[index];
    if (listed?.path !== found.path || listed.size !== found.size || listed.sha256 !== found.sha256) {
      throw new BackupError(`The backup is damaged: ${found.path} is not what its list says.`);
    }
  }
}
