import { posix } from 'node:path';
import { type FileEntry, maxFolderEntries } from '@pult/contract';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import ssh2 from 'ssh2';
import { FileError, statusOf } from './file-error.ts';

const { STATUS_CODE } = ssh2.utils.sftp;

type Callback<T> = (error: Error | null | undefined, value: T) => void;

/** A call of SFTP as a promise. ssh2 throws at once where the device has not the extension that is asked for. */
export function ask<T = void>(call: (done: Callback<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });
}

/** What a path names, undefined for nothing. */
export async function statOf(sftp: SFTPWrapper, path: string): Promise<Stats | undefined> {
  try {
    return await ask<Stats>((done) => sftp.stat(path, done));
  } catch (error) {
    if (statusOf(error) === STATUS_CODE.NO_SUCH_FILE) return undefined;
    throw error;
  }
}

export const truePath = (sftp: SFTPWrapper, path: string): Promise<string> =>
  ask<string>((done) => sftp.realpath(path === '' ? '.' : path, done));

function describe({ filename, attrs }: FileEntryWithStats): FileEntry {
  const kind = attrs.isDirectory()
    ? 'folder'
    : attrs.isFile()
      ? 'file'
      : attrs.isSymbolicLink()
        ? 'link'
        : 'other';
  return { name: filename, kind, size: attrs.size, modified: attrs.mtime };
}

/** A folder, folders first; never more than the panel shows. */
export async function listFolder(
  sftp: SFTPWrapper,
  path: string,
): Promise<{ path: string; entries: FileEntry[]; isCut: boolean }> {
  const folder = await truePath(sftp, path);
  const stats = await statOf(sftp, folder);
  if (!stats) throw new FileError('not_found');
  if (!stats.isDirectory()) throw new FileError('not_a_folder');
  const handle = await ask<Buffer>((done) => sftp.opendir(folder, done));
  const entries: FileEntry[] = [];
  try {
    while (entries.length <= maxFolderEntries) {
      const some = await ask<FileEntryWithStats[]>((done) => sftp.readdir(handle, done)).catch((error) => {
        if (statusOf(error) === STATUS_CODE.EOF) return undefined;
        throw error;
      });
      if (!some || some.length === 0) break;
      for (const entry of some) {
        if (entry.filename !== '.' && entry.filename !== '..') entries.push(describe(entry));
      }
    }
  } finally {
    sftp.close(handle, () => {});
  }
  const isCut = entries.length > maxFolderEntries;
  entries.length = Math.min(entries.length, maxFolderEntries);
  const rank = ({ kind }: FileEntry) => (kind === 'folder' ? 0 : 1);
  entries.sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
  return { path: folder, entries, isCut };
}

/** The path of a name that a page gives: never one that leads elsewhere. */
export function pathIn(folder: string, name: string): string {
  const isPlain = name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);
  if (!isPlain) throw new FileError('name_invalid');
  return posix.join(folder, name);
}

/** `name (2).txt` and so on: the first that is free. */
export async function freeName(sftp: SFTPWrapper, folder: string, name: string): Promise<string> {
  const { name: stem, ext } = posix.parse(name);
  for (let count = 2; count < 1000; count += 1) {
    const candidate = `${stem} (${count})${ext}`;
    if (!(await statOf(sftp, pathIn(folder, candidate)))) return candidate;
  }
  throw new FileError('exists');
}
