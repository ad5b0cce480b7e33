import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import type { SFTPWrapper } from 'ssh2';
import { FileError, failureOf } from './file-error.ts';
import { ask, statOf, truePath } from './remote-files.ts';

const piece = 32 * 1024;
const defaultMode = 0o644;
/** Without set-user-ID and the like: the new file is of whoever logged in, who need not be the old one's owner. */
const permissionBits = 0o777;

/** A file on its way to the device. Nobody sees it under its name before it is whole. */
export interface Upload {
  /** Resolves when the device has written it. */
  write(chunk: Buffer): Promise<void>;
  /** Gives it its name. */
  finish(): Promise<void>;
  /** Leaves nothing behind. */
  abort(): Promise<void>;
}

interface VolumeInfo {
  f_bavail: number | bigint;
  f_frsize: number | bigint;
}

/** Bytes that are free where a folder is; undefined where the device does not tell. */
async function freeSpace(sftp: SFTPWrapper, folder: string): Promise<number | undefined> {
  try {
    const info = await ask<VolumeInfo>((done) => sftp.ext_openssh_statvfs(folder, done));
    return Number(info.f_bavail) * Number(info.f_frsize);
  } catch {
    return undefined;
  }
}

/** Begins a file of `size` bytes at `target`. What is there is replaced by `replaces`, once the new one is whole. */
export async function openUpload(
  sftp: SFTPWrapper,
  target: string,
  { size, replaces }: { size: number; replaces: boolean },
): Promise<Upload> {
  // What a link names is replaced, and not the link.
  const path = replaces ? await truePath(sftp, target) : target;
  const folder = posix.dirname(path);
  const old = replaces ? await statOf(sftp, path) : undefined;
  if (old?.isDirectory()) throw new FileError('not_a_file');
  const free = await freeSpace(sftp, folder);
  if (free !== undefined && free < size) throw new FileError('no_space');

  const part = posix.join(folder, `.pult-${randomBytes(8).toString('hex')}.part`);
  const mode = old ? old.mode & permissionBits : defaultMode;
  const handle = await ask<Buffer>((done) => sftp.open(part, 'wx', { mode }, done));
  let position = 0;
  let isClosed = false;

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await ask((done) => sftp.close(handle, (error) => done(error, undefined)));
  }
  /** A full disk is a mere "failure" in SFTP: who has no space left is asked. */
  async function explain(error: unknown, left: number): Promise<never> {
    if (failureOf(error) === 'failed') {
      const space = await freeSpace(sftp, folder);
      if (space !== undefined && space < Math.max(left, piece)) throw new FileError('no_space');
    }
    throw error;
  }

  return {
    async write(chunk) {
      const writes: Promise<void>[] = [];
      for (let at = 0; at < chunk.length; at += piece) {
        const length = Math.min(piece, chunk.length - at);
        const to = position + at;
        writes.push(
          ask((done) => sftp.write(handle, chunk, at, length, to, (error) => done(error, undefined))),
        );
      }
      position += chunk.length;
      const left = size - position;
      await Promise.all(writes).catch((error) => explain(error, left));
    },
    async finish() {
      // The umask may have taken bits that the old file had. By the handle: where others may write to the folder, the
      // name of the part could lead to any file by now.
      if (replaces) await ask((done) => sftp.fchmod(handle, mode, (error) => done(error, undefined)));
      await close().catch((error) => explain(error, 0));
      if (!replaces) {
        // Fails where somebody has taken the name meanwhile.
        await ask((done) => sftp.rename(part, path, (error) => done(error, undefined)));
        return;
      }
      try {
        await ask((done) => sftp.ext_openssh_rename(part, path, (error) => done(error, undefined)));
      } catch {
        // A server without that extension replaces nothing in one step.
        await ask((done) => sftp.unlink(path, (error) => done(error, undefined)));
        await ask((done) => sftp.rename(part, path, (error) => done(error, undefined)));
      }
    },
    async abort() {
      await close().catch(() => {});
      await ask((done) => sftp.unlink(part, (error) => done(error, undefined))).catch(() => {});
    },
  };
}
