import { Readable } from 'node:stream';
import type { SFTPWrapper } from 'ssh2';
import ssh2 from 'ssh2';
import { FileError, statusOf } from './file-error.ts';
import { ask } from './remote-files.ts';

const { STATUS_CODE } = ssh2.utils.sftp;
const piece = 32 * 1024;
/** Pieces asked for ahead, so that a far device is not waited for at each: 1 MB on the way. */
const ahead = 32;

async function readAt(sftp: SFTPWrapper, handle: Buffer, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = await new Promise<number>((resolve, reject) => {
      sftp.read(handle, buffer, filled, length - filled, from + filled, (error, bytes) => {
        if (!error) resolve(bytes);
        else if (statusOf(error) === STATUS_CODE.EOF) resolve(0);
        else reject(error);
      });
    });
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

async function* pieces(sftp: SFTPWrapper, path: string, size: number | undefined) {
  const handle = await ask<Buffer>((done) => sftp.open(path, 'r', done));
  const waiting: Promise<Buffer>[] = [];
  let asked = 0;
  let read = 0;
  let isLost = false;
  sftp.once('close', () => {
    isLost = true;
  });
  const askNext = () => {
    const length = Math.min(piece, (size ?? Number.MAX_SAFE_INTEGER) - asked);
    if (length <= 0) return;
    // ssh2 answers no question that comes after the end.
    if (isLost) throw new FileError('connection_lost');
    const reading = readAt(sftp, handle, asked, length);
    reading.catch(() => {}); // told where it is awaited, unless an earlier one failed
    waiting.push(reading);
    asked += length;
  };
  try {
    // Who does not know the size of a file (/proc) gives it piece by piece.
    const width = size === undefined ? 1 : ahead;
    for (let count = 0; count < width; count += 1) askNext();
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const chunk = await next;
      read += chunk.length;
      if (chunk.length > 0) yield chunk;
      if (chunk.length < piece && read !== size) {
        if (size === undefined) return;
        throw new FileError('failed'); // it shrank while it was read
      }
      askNext();
    }
  } finally {
    sftp.close(handle, () => {});
  }
}

/**
 * The content of a file, never more of it in memory than is on its way. `size` bytes, though the file may grow
 * meanwhile; undefined where the device does not know: up to its end. With the channel it ends at once, also for a
 * reader that takes its time.
 */
export function readRemoteFile(sftp: SFTPWrapper, path: string, size: number | undefined): Readable {
  const stream = Readable.from(pieces(sftp, path, size), { objectMode: false, highWaterMark: piece });
  sftp.once('close', () => stream.destroy(new FileError('connection_lost')));
  return stream;
}
