const isNoFolder = 'is a file or lies below one, and has to be a folder';
const isForbidden = 'may not be written to by the user who runs this';

/** By what the system says of a folder. */
const reasons: Readonly<Record<string, string>> = {
  EROFS: 'lies on a file system that is mounted read-only',
  EEXIST: isNoFolder,
  ENOTDIR: isNoFolder,
  EACCES: isForbidden,
  EPERM: isForbidden,
  ENOSPC: 'lies on a disk that is full',
};

/** Does what needs the data folder; why that folder cannot be used is told in one sentence to whoever chose it. */
export async function inDataFolder<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? '']; // of the system, where it has one
    if (reason === undefined) throw error;
    throw new Error(`The data folder ${folder} ${reason}: mend that, or set DATA_DIR to another one.`, {
      cause: error,
    });
  }
}
