import { createReadStream } from 'node:fs';
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** More than this no server takes. */
const maxArchiveBytes = 100_000_000;
const timeoutMs = 5 * 60_000;

/** The archive of the board's own collector, or why there is none; null on a board without a collector. */
export type BoardResult = { archive: AsyncIterable<Buffer> } | { failure: string } | null;

/**
 * Runs Wiren Board's collector: `wb-diag-collect <prefix>` writes `<prefix>_<serial>_<time>.zip` where it is started. Its
 * configuration says what it leaves out. The folder goes with the last byte, or with the signal.
 */
export async function runBoardCollector(program: string, signal: AbortSignal): Promise<BoardResult> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-diagnostics-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const options = { args: ['diag'], cwd: folder, timeoutMs, maxBytes: 64 * 1024, signal };
    const { output, outcome, isMissing, isSuccess } = await runProgram(program, options);
    const found = isSuccess ? await findArchive(folder) : undefined;
    if (found && found.size <= maxArchiveBytes && !signal.aborted) {
      return { archive: readAndRemove(found.path, remove) };
    }
    await remove();
    if (isMissing) return null;
    const why = found ? `its archive has ${found.size} bytes` : isSuccess ? 'it made no archive' : outcome;
    return { failure: `${program}: ${why}\n${output}` };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function findArchive(folder: string): Promise<{ path: string; size: number } | undefined> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const file = await lstat(path);
    if (file.isFile() && file.size > 0 && /\.(zip|tar\.gz|tgz)$/.test(name)) return { path, size: file.size };
  }
  return undefined;
}

async function* readAndRemove(path: string, remove: () => Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path);
  } finally {
    await remove();
  }
}
