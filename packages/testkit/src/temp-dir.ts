import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reapFolder } from './reaper.ts';

export interface TempDir extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * A new empty folder, gone after `remove()` or with the test process. Others may pass through it: PostgreSQL started
 * by root runs under another user and has to reach its data.
 */
export async function makeTempDir(name = 'test'): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), `pult-${name}-`));
  reapFolder(path);
  await chmod(path, 0o755);
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
