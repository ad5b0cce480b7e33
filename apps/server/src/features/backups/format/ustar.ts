import { BackupError } from './entry.ts';

/**
 * The least of tar (POSIX ustar, as `tar -tz` lists it): regular files with names of 100 bytes at most. There is no link, folder,
 * longer name or extension that this reader could be led by, nor a header that it would have to keep in memory.
 */
export const blockSize = 512;
/** The end of an archive. */
export const endBlocks = Buffer.alloc(2 * blockSize);

/** 11 octal digits. */
const largestSize = 8 ** 11 - 1;

const magic = Buffer.from('ustar\x0000', 'latin1');
const namePattern = /^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/;

export function writeHeader(path: string, size: number, at: Date): Buffer {
  if (!namePattern.test(path) || path.length > 100) throw new TypeError(`no name for a backup: ${path}`);
  if (size > largestSize) throw new BackupError(`${path} is too large for a backup.`);
  const header = Buffer.alloc(blockSize);
  header.write(path, 0, 'latin1');
  header.write('0000600\x000000000\x000000000\x00', 100, 'latin1');
  header.write(octal(size, 11), 124, 'latin1');
  header.write(octal(Math.floor(at.getTime() / 1000), 11), 136, 'latin1');
  header.write('0', 156, 'latin1');
  magic.copy(header, 257);
  header.write(`${octal(checksumOf(header), 6)}\x00 `, 148, 'latin1');
  return header;
}

/** Undefined at the end. Throws on what `writeHeader` does not write. */
export function readHeader(header: Buffer): { path: string; size: number } | undefined {
  if (header.equals(endBlocks.subarray(0, blockSize))) return undefined;
  const text = (from: number, length: number) => {
    const field = header.subarray(from, from + length);
    const end = field.indexOf(0);
    return field.subarray(0, end === -1 ? length : end).toString('latin1');
  };
  const isOurs = header.subarray(257, 265).equals(magic) && text(148, 6) === octal(checksumOf(header), 6);
  if (!isOurs) throw new BackupError('This file is no backup of Pult, or it is damaged.');
  const [path, size, type, prefix] = [text(0, 100), text(124, 12), text(156, 1), text(345, 155)];
  const isRegular = type === '0' && prefix === '' && namePattern.test(path) && /^[0-7]{11}$/.test(size);
  if (!isRegular || path.split('/').some((part) => /^\.+$/.test(part))) {
    throw new BackupError(`The backup holds what no backup holds: ${JSON.stringify(path)}.`);
  }
  return { path, size: Number.parseInt(size, 8) };
}

/** Bytes behind a file, up to the next block. */
export const paddingOf = (size: number) => (blockSize - (size % blockSize)) % blockSize;

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');

/** With its own field as spaces. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (let index = 0; index < blockSize; index += 1) {
    if (index < 148 || index >= 156) sum += header[index] ?? 0;
  }
  return sum;
}
