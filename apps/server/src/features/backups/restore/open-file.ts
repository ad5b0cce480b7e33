import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { decryptWith } from '../format/encryption.ts';
import { BackupError } from '../format/entry.ts';

/** The content of a file that is said to be a backup: decrypted and unpacked. */
export async function* openBackupFile(file: string, identities: readonly string[]): AsyncGenerator<Buffer> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`The backup ${file} cannot be read (${error.code}).`);
  });
  if (!found.isFile()) throw new BackupError(`${file} is no file.`);
  yield* openBackupStream(createReadStream(file, { highWaterMark: 256 * 1024 }), identities);
}

/** The same of what comes from elsewhere. */
export function openBackupStream(
  source: AsyncIterable<Buffer>,
  identities: readonly string[],
): AsyncGenerator<Buffer> {
  return gunzip(decryptWith(identities, source));
}

async function* gunzip(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: 256 * 1024 });
  let failure: unknown;
  const feed = async () => {
    try {
      for await (const chunk of source) {
        if (unzip.destroyed) return;
        if (!unzip.write(chunk)) await drained(unzip);
      }
      unzip.end();
    } catch (error) {
      failure = error;
      unzip.destroy();
    }
  };
  const feeding = feed();
  try {
    for await (const chunk of unzip) yield chunk;
  } catch (error) {
    throw failure ?? new BackupError('This file is no backup of Pult, or it is damaged.', { cause: error });
  } finally {
    unzip.destroy();
    await feeding;
  }
}

/** Resolves too when nothing is read any more. */
function drained(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      stream.off('drain', settle);
      stream.off('close', settle);
      resolve();
    };
    stream.on('drain', settle);
    stream.on('close', settle);
  });
}
