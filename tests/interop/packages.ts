import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  findNode,
  findPodmanObstacle,
  type NodePackage,
  poll,
  repositoryPath,
  runCommand,
} from '@pult/testkit';
import { inject } from 'vitest';

export const { version }: { version: string } = JSON.parse(
  await readFile(repositoryPath('package.json'), 'utf8'),
);
const table: Record<string, NodePackage> = JSON.parse(
  await readFile(repositoryPath('deploy/agent-runtimes.json'), 'utf8'),
);
/** The Node.js in the packages. */
export const runtime = table[process.arch];

/** Why packages cannot be made here; undefined where they can. */
export const packagesObstacle =
  runtime && (await findNode(runtime)) ? undefined : 'not here: the registry does not give its Node.js';

export const archiveName = `pult-${version}-linux-${process.arch}`;
/** As Debian calls it. */
export const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
export const debianName = (name: 'server' | 'agent') => `pult-${name}_${version}_${architecture}.deb`;

/**
 * The folder of what `npm run package` makes: once in a run of the tests, by whoever asks first. Who works on these tests names one that
 * was made before in PULT_PACKAGES.
 */
export async function makePackages(): Promise<string> {
  const made = process.env.PULT_PACKAGES;
  if (made) return made;
  const parent = inject('packagesFolder');
  const [folder, outcome] = [join(parent, 'dist'), join(parent, 'outcome')];
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const args = ['run', 'package', '--', '--out', folder, ...(findPodmanObstacle() ? [] : ['--image'])];
    const { code, stdout, stderr } = await runCommand('npm', args, { timeoutMs: 600_000 });
    await writeFile(outcome, code === 0 ? '' : `npm run package ended with ${code}\n${stdout}${stderr}`);
  }
  await poll(() => existsSync(outcome), { what: 'the packages are made', timeoutMs: 600_000 });
  const failure = await readFile(outcome, 'utf8');
  if (failure) throw new Error(failure);
  return folder;
}
