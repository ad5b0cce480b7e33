import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryPath } from './repository.ts';
import { runCommand } from './run-command.ts';

/** What a device of that release has, and no more: no Node.js. */
const packages = ['systemd', 'systemd-sysv', 'ca-certificates', 'curl', 'xz-utils'];

/**
 * The files of a freshly installed Debian: from the cache of this checkout, otherwise from the mirror that apt is set up with.
 * To be read only. Undefined where there is no mmdebstrap, no right to use it, or no such release at the mirror.
 */
export async function findDebianRoot(release: string): Promise<string | undefined> {
  const cache = repositoryPath('.cache/debian');
  const kept = join(cache, release);
  if (existsSync(kept)) return kept;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/mmdebstrap')) return undefined;
  await mkdir(cache, { recursive: true });
  // Whole or not there.
  const folder = await mkdtemp(join(cache, 'making-'));
  try {
    const root = join(folder, 'root');
    const options = ['--variant=minbase', `--include=${packages.join(',')}`, '--format=directory'];
    const made = await runCommand('mmdebstrap', [...options, release, root], { timeoutMs: 300_000 });
    if (made.code !== 0) return undefined;
    // The installer's, and not of any package.
    await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n');
    await rename(root, kept);
    return kept;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
