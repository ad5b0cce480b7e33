import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const isNoFolder = 'is a file or lies below one, and has to be a folder';
const isForbidden = 'may not be written to by the user who runs this';
const isFull = 'lies on a disk that is full';
const isAway = 'lies on a disk that does not answer';

/** By what the system says of a folder. */
const reasons: Readonly<Record<string, string>> = {
  EROFS: 'lies on a file system that is mounted read-only',
  EEXIST: isNoFolder,
  ENOTDIR: isNoFolder,
  EACCES: isForbidden,
  EPERM: isForbidden,
  ENOSPC: isFull,
  EDQUOT: isFull,
  EIO: isAway,
  ESTALE: isAway,
  ENOTCONN: isAway,
  ENOENT: 'is not there, and cannot be made there',
  ELOOP: 'is a link that leads in a circle',
  ENAMETOOLONG: 'has a name that is too long',
};

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''; // of the system, where it has one

const isThere = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/**
 * With all above it. By Node's own `recursive` it never ends where the system takes no folder and says ENOENT, as `/proc` and the points of
 * an automounter do.
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (await isThere(path)) return;
    // A link is there, too: what it leads to may not be.
    if (codeOf(error) === 'EEXIST') await stat(path);
    const above = dirname(path);
    if (codeOf(error) !== 'ENOENT' || above === path || (await isThere(above))) throw error;
    await makeFolder(above);
    await makeFolder(path);
  }
}

/**
 * Does what needs the data folder, which is made where it is not there; why it cannot be used is told in one sentence to whoever chose it.
 */
export async function inDataFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    await makeFolder(folder);
    return await work();
  } catch (error) {
    const reason = reasons[codeOf(error)];
    // In a folder that is there it is something else that is missing.
    if (reason === undefined || (codeOf(error) === 'ENOENT' && (await isThere(folder)))) throw error;
    throw new Error(`The data folder ${folder} ${reason}: mend that, or set DATA_DIR to another one.`, {
      cause: error,
    });
  }
}
