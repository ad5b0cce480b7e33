import { type FileHandle, open, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir, poll, RunningProcess, runCommand } from '@pult/testkit';

/** A file system of its own in memory, which only its own processes see, and which goes with them. */
export interface SmallDisk extends AsyncDisposable {
  /** Where it is for those that the launcher runs. */
  readonly path: string;
  /** The same for this process. */
  readonly seenPath: string;
  /** Goes before a command that is to see it. */
  readonly launcher: readonly string[];
  measure(): Promise<{ freeBytes: number }>;
  /** Another program writes until so many bytes are free, or gives back of what it wrote. */
  fillTo(freeBytes: number): Promise<void>;
}

const shell = 'mount -t tmpfs -o size="$2",mode=0755 pult-test "$1" && echo mounted && exec sleep infinity';

/** Whether this machine lets us mount one: root may, in most containers nobody. */
export async function canMount(): Promise<boolean> {
  const found = await runCommand('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'pult-test', '/mnt']).catch(
    () => ({ code: 1 }),
  );
  return found.code === 0;
}

export async function mountSmallDisk(bytes: number): Promise<SmallDisk> {
  const folder = await makeTempDir('small-disk');
  const holder = new RunningProcess({
    name: 'small disk',
    command: 'unshare',
    args: ['--mount', 'sh', '-c', shell, 'sh', folder.path, String(bytes)],
  });
  const { pid } = holder;
  const seenPath = `/proc/${pid}/root${folder.path}`;
  await poll(async () => holder.tail().includes('mounted'), { what: 'the small disk is mounted' });
  const ballast = join(seenPath, 'ballast');
  const measure = async () => {
    const { bavail, bsize } = await statfs(seenPath);
    return { freeBytes: bavail * bsize };
  };
  return {
    path: folder.path,
    seenPath,
    launcher: ['nsenter', '--target', String(pid), '--mount'],
    measure,
    async fillTo(freeBytes) {
      const handle = await open(ballast, 'a');
      try {
        const { size } = await stat(ballast);
        const excess = (await measure()).freeBytes - freeBytes;
        if (excess < 0) await handle.truncate(Math.max(0, size + excess));
        else await write(handle, excess);
      } finally {
        await handle.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await holder.kill();
      await rm(folder.path, { recursive: true });
    },
  };
}

async function write(handle: FileHandle, bytes: number): Promise<void> {
  const chunk = Buffer.alloc(2 ** 20);
  try {
    for (let left = bytes; left > 0; left -= chunk.length) {
      await handle.appendFile(chunk.subarray(0, Math.min(left, chunk.length)));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error; // It is as full as it gets.
  }
}
