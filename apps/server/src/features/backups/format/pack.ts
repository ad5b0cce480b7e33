import { createHash } from 'node:crypto';
import type { BackupEntry } from './entry.ts';
import { type Header, type Manifest, type ManifestFile, manifest } from './manifest.ts';
import { headerPath, manifestPath } from './paths.ts';
import { endBlocks, paddingOf, writeHeader } from './ustar.ts';

/** What is known only when all else has been packed. */
export type Ending = Pick<Manifest, 'endedAt' | 'schema' | 'counts'>;

/** The bytes of a backup before compression: header, entries, manifest. A source that fails leaves it without its manifest. */
export async function* packBackup(
  header: Header,
  entries: AsyncIterable<BackupEntry>,
  getEnding: () => Ending,
): AsyncGenerator<Buffer> {
  const at = new Date(header.startedAt);
  const files: ManifestFile[] = [];
  yield* packText(headerPath, header, at);
  for await (const entry of entries) {
    yield writeHeader(entry.path, entry.size, at);
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of entry.read()) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
    if (size !== entry.size) throw new Error(`${entry.path} has ${size} bytes and not ${entry.size}`);
    yield Buffer.alloc(paddingOf(size));
    files.push({ path: entry.path, size, sha256: hash.digest('hex') });
  }
  const whole: Manifest = manifest.parse({ ...header, ...getEnding(), files });
  yield* packText(manifestPath, whole, at);
  yield endBlocks;
}

function* packText(path: string, content: object, at: Date): Generator<Buffer> {
  const bytes = Buffer.from(JSON.stringify(content));
  yield writeHeader(path, bytes.length, at);
  yield bytes;
  yield Buffer.alloc(paddingOf(bytes.length));
}
