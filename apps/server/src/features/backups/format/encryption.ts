import { ReadableStream } from 'node:stream/web';
import { Decrypter, Encrypter } from 'age-encryption';
import { BackupError } from './entry.ts';

/** The library keeps a header of any length; one has a few lines for each recipient. With what is read ahead of it. */
const longestHeader = 4 * 1024 * 1024;

/** The file format of age (age-encryption.org/v1) begins so. */
const ageMagic = Buffer.from('age-encryption.org/');

/** Encrypts for each of the recipients, `age1…`: any of their identities opens it, and `age -d` too. */
export async function* encryptFor(
  recipients: readonly string[],
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  yield* await encrypter.encrypt(streamOf(source));
}

export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text);
    return true;
  } catch {
    return false;
  }
}

/** What is in the file, decrypted where it is encrypted. Throws BackupError when none of the identities opens it. */
export async function* decryptWith(
  identities: readonly string[],
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const { isEncrypted, bytes } = await look(source);
  if (!isEncrypted) {
    for await (const chunk of bytes) yield toBuffer(chunk);
    return;
  }
  if (identities.length === 0) {
    throw new BackupError('The backup is encrypted. Name the file with its key by --identity FILE.');
  }
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  let hasHeader = false;
  async function* bounded(): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of bytes) {
      // What is asked for behind so many bytes, however large the piece is that they came in.
      if (!hasHeader && size > longestHeader) throw new Error('its header has no end');
      size += chunk.length;
      yield chunk;
    }
  }
  const opened = await decrypter.decrypt(streamOf(bounded())).catch((error: Error) => {
    throw new BackupError(
      /no identity matched/i.test(error.message)
        ? 'The backup is encrypted for another key than that of --identity.'
        : 'The backup is damaged, or it was cut off before its end.',
      { cause: error },
    );
  });
  hasHeader = true;
  try {
    for await (const chunk of opened) yield toBuffer(chunk);
  } catch (error) {
    throw new BackupError('The backup is damaged, or it was cut off before its end.', { cause: error });
  }
}

/** Lines of an identity file, as age-keygen writes it. */
export function readIdentities(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'));
  try {
    const decrypter = new Decrypter();
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch {
    // The library's words could quote the key.
    throw new BackupError('The identity file holds something else than keys of age (AGE-SECRET-KEY-…).');
  }
  if (identities.length === 0)
    throw new BackupError('The identity file holds no key of age (AGE-SECRET-KEY-…).');
  return identities;
}

async function look(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < ageMagic.length) {
    const { value, done } = await iterator.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield head;
      for (;;) {
        const { value, done } = await iterator.next();
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { isEncrypted: head.subarray(0, ageMagic.length).equals(ageMagic), bytes: bytes() };
}

const toBuffer = (chunk: Uint8Array) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

function streamOf(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(source) as ReadableStream<Uint8Array>;
}
